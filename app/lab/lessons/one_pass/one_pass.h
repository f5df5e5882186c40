// The ways of the lesson of map and reduce to find a weighted sum Σ w x.
//
// Thread: inside the way's device. Errors: as Device.
#pragma once

#include <cstddef>
#include <vector>

#include "app/lab/measured_way.h"

namespace simscope::lab::one_pass {

// Whole numbers, so that every sum of their products is exact in float64.
inline float numberOf(std::size_t i) {
  return static_cast<float>(i % 1009);
}
inline float weightOf(std::size_t i) {
  return static_cast<float>(i % 7 + 1);
}

// Over the first `most` numbers, which lie on the device.
void addWays(std::vector<MeasuredWay>& ways, const compute::DevicePtr& device, std::size_t most);

}  // namespace simscope::lab::one_pass
