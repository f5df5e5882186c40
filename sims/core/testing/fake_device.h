// A device for tests that says how much memory is free; in all else it is the CPU with one thread.
#pragma once

#include "sims/compute/device.h"

namespace simscope::fake {

compute::DevicePtr deviceWithFree(std::size_t bytes);

}  // namespace simscope::fake
