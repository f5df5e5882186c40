// The ways of the lesson of map and reduce to find a weighted sum Σ w x.
//
// Thread: inside the way's device. Errors: as Device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab::one_pass {

// Whole numbers, so that every sum of their products is exact in float64.
inline float numberOf(std::size_t i) {
  return static_cast<float>(i % 1009);
}
inline float weightOf(std::size_t i) {
  return static_cast<float>(i % 7 + 1);
}

struct Way {
  std::string title;
  compute::DevicePtr device;
  double bytes = 0;                             // a number, read and written
  std::function<void(std::size_t n)> sum = {};  // what is timed
  std::function<double()> result = {};          // of the last one; waits
  bool slow = false;                            // not timed with the most numbers
  std::vector<double> seconds = {};
};

// Over the first `most` numbers, which lie on the device.
void addWays(std::vector<Way>& ways, const compute::DevicePtr& device, std::size_t most);

}  // namespace simscope::lab::one_pass
