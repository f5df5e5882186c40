// How device sources reach the CPU's threads without seeing oneTBB (nvcc need not parse it).
#pragma once

#include <cstddef>

#include "sims/compute/device.h"

namespace simscope::compute::detail {

using BlockBody = void (*)(const void* context, std::size_t block);

// Calls body(context, block) for block in [0, blocks) on the threads of `device`, which must be the CPU; waits.
void runBlocks(Device& device, std::size_t blocks, BlockBody body, const void* context);

}  // namespace simscope::compute::detail
