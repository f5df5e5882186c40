// The steps of a tree that are sorts and sums, by compute: see OnDevice in tree_build.cu.
//   bounds       a.bounds, and then a.spread
//   sortBodies   keys and index by key, equal keys by index
//   sumCells     first_cell: the sums of `starting` before each body
//   sortCells    sorted_level and order, of level and place; stable. level and place are lost.
#pragma once

#include <cstddef>

#include "sims/nbody/tree/arrays.h"

namespace simscope::nbody::tree {

// Bytes of `scratch` for up to n sources; on CUDA about so many, where there may be no device to ask.
std::size_t scratchBytes(compute::Backend backend, int n);
// Of a device that is there. Thread and errors: as Device.
std::size_t scratchBytesOnCuda(compute::Device& device, int n);

}  // namespace simscope::nbody::tree
