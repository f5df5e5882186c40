// One of several ways to do the same work, which a lesson times over sizes: the work, the check of its result, and its
// times.
//
// Thread: of measuring. Errors: as Device; Error for a wrong result.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab {

struct MeasuredWay {
  std::string title;
  compute::DevicePtr device;
  double bytes = 0;  // least bytes read and written per element
  // The largest number of elements; more would take longer and show nothing new.
  double most = std::numeric_limits<double>::infinity();
  std::function<void(std::size_t n)> ready = {};  // restores the data that the work consumes; not timed; may be empty
  std::function<void(std::size_t n)> work = {};
  std::function<void(std::size_t n)> check = {};  // the last result: throws, by requireRight; waits
  std::vector<double> seconds = {};               // at each size; NaN: not timed
};

// The index of the last value that is a number; there must be one.
std::size_t lastMeasured(std::span<const double> values);

// The number of elements that fits on all of the bench's devices, at most `wanted`: within a quarter of the host's free
// memory, half of a GPU's.
double fitting(const Bench& bench, double wanted, double bytes_each);

// Checks it and times it, inside its device.
double secondsAt(const MeasuredWay& way, const Bench& bench, std::size_t n);

// The same for each way at each size up to its largest.
void timeWays(std::vector<MeasuredWay>& ways, Bench& bench, const std::vector<double>& sizes);

// Sets the chart's x positions, in decades of sizes.
void alongSizes(Chart& chart, const std::vector<double>& sizes, const std::string& title);

}  // namespace simscope::lab
