// Maps the memory that ranks of one machine have allocated (cuda_shared_memory.h), each on its device, for the kernels
// of this rank's device: in the same process or another. Include only where SIMSCOPE_HAVE_CUDA is 1.
#pragma once

#include <vector>

#include "sims/compute/cuda/cuda_shared_memory.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

// All ranks call it, each with its own allocation. The result is by rank, and empty at this one's own place; empty on
// all ranks where one of them cannot reach another's. Errors: as Ranks.
std::vector<CudaSharedMemory> reachAll(Ranks& ranks, int device, const CudaSharedMemory& own);

}  // namespace simscope::compute
