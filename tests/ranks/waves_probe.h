// What waves_probe checks in device sources.
#pragma once

#include "sims/compute/device.h"

namespace simscope::ranks_test {

// SlabFft of all ranks of `shared` beside the transform of the whole plane on `lone`: on how many counts it was wrong.
int wrongTransforms(const compute::DevicePtr& shared, const compute::DevicePtr& lone);

}  // namespace simscope::ranks_test
