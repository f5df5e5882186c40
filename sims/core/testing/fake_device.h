// A device for tests with a given amount of free memory; otherwise the CPU with one thread.
#pragma once

#include "sims/compute/device.h"

namespace simscope::fake {

compute::DevicePtr deviceWithFree(std::size_t bytes);

}  // namespace simscope::fake
