// The ways of computing a sum of numbers and of their squares in the lesson of reductions.
//
// Thread: inside the way's device. Errors: as the devices.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sims/compute/device.h"
#include "sims/compute/host_device.h"

namespace simscope::lab::reductions {

template <class T>
struct Sums {
  T sum, squares;
  SIMSCOPE_HD friend Sums operator+(const Sums& a, const Sums& b) { return {a.sum + b.sum, a.squares + b.squares}; }
};

enum class Order { OneByOne, Tree, Compensated };

struct Summation {
  std::string title;
  compute::DevicePtr device;
  bool slow = false;   // not timed with the largest number of elements
  double epsilon = 0;  // of its arithmetic
  Order order = Order::Tree;
  std::function<void(std::size_t n)> sum = {};  // the timed work
  std::function<Sums<double>()> result = {};    // of the last one
  std::shared_ptr<void> held = {};              // owns its device's memory

  // The largest rounding error for n numbers: a kernel that skips numbers, or counts them twice, exceeds it.
  double tolerance(double n) const {
    if (order == Order::Compensated) return 4 * epsilon;
    return epsilon * (order == Order::OneByOne ? 16 + n : 64 + 2 * std::sqrt(n));
  }
};

inline constexpr double kSingle = std::numeric_limits<float>::epsilon(),
                        kDouble = std::numeric_limits<double>::epsilon();

// For numbers that outlive the summations. Those of the GPU copy the numbers there.
void addOnCpu(std::vector<Summation>& all, const compute::DevicePtr& cpu, const std::vector<float>& numbers);
void addOnGpu(std::vector<Summation>& all, const compute::DevicePtr& device, const std::vector<float>& numbers);

}  // namespace simscope::lab::reductions
