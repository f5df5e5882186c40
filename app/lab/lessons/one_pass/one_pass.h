// The ways of computing a weighted sum Σ w x in the lesson of map and reduce.
//
// Thread: inside the way's device. Errors: as Device.
#pragma once

#include <cstddef>
#include <vector>

#include "app/lab/sweep.h"

namespace simscope::lab::one_pass {

// Integers, so that every sum of their products is exact in float64.
inline float numberOf(std::size_t i) {
  return static_cast<float>(i % 1009);
}
inline float weightOf(std::size_t i) {
  return static_cast<float>(i % 7 + 1);
}

// For the first `most` numbers, which are on the device.
void addWays(std::vector<Way>& ways, const compute::DevicePtr& device, std::size_t most);

}  // namespace simscope::lab::one_pass
