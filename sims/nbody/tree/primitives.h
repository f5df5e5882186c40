// The steps of a tree that are sorts and sums, by sims/compute: see OnDevice in build.cu.
//   bounds       a.bounds, and then a.spread
//   sortBodies   keys and index by key, equal keys by index
//   sumCells     first_cell: the sums of `starting` before each body
//   sortCells    sorted_level and order, of level and place; stable. level and place are lost.
#pragma once

#include <cstddef>

#include "sims/nbody/tree/arrays.h"

namespace simscope::nbody::tree {

// Bytes of `scratch` for up to n sources; approximate for CUDA, where there may be no device to ask.
std::size_t scratchBytes(compute::Backend backend, int n);
// Exact, for an open device. Thread and errors: as Device.
std::size_t scratchBytesOnCuda(compute::Device& device, int n);

}  // namespace simscope::nbody::tree
