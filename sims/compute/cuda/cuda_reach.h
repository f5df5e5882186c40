// Memory that ranks of one machine have allocated (cuda_shared_memory.h), each for its device, where the kernels of
// this rank's device read and write it: in the same process or another. Include where SIMSCOPE_HAVE_CUDA is 1 only.
#pragma once

#include <vector>

#include "sims/compute/cuda/cuda_shared_memory.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

// All ranks call it, each with what it has allocated. By rank, and nothing at this one's own place; empty on all ranks
// where one of them cannot reach another's. Errors: as Ranks.
std::vector<CudaSharedMemory> reachAll(Ranks& ranks, int device, const CudaSharedMemory& own);

}  // namespace simscope::compute
