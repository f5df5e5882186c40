// What a tree needs beyond parallelFor: reductions that stay on the device, sorts, and sums. One set a backend.
//
// Thread and errors: as Device. On CUDA everything is enqueued on the device's stream and nothing is allocated.
#pragma once

#include <cstddef>

#include "sims/nbody/tree/arrays.h"

namespace simscope::nbody::tree {

// Bytes of `scratch` for up to n sources; on CUDA about so many, where there may be no device to ask.
std::size_t scratchBytes(compute::Backend backend, int n);

// The CPU's:
void sortBodiesOnCpu(compute::Device& device, Arrays& a);  // keys and index by key, equal keys by index
void sumCellsOnCpu(const Arrays& a);                       // first_cell: the sums of `starting` before each body
void sortCellsOnCpu(const Arrays& a);                      // sorted_level and order, of level and place; stable

// CUDA's:
std::size_t scratchBytesOnCuda(compute::Device& device, int n);
void boundsOnCuda(compute::Device& device, const Arrays& a);
void spreadOnCuda(compute::Device& device, const Arrays& a);
void sortBodiesOnCuda(compute::Device& device, Arrays& a);  // may exchange keys and other_keys, index and other_index
void sumCellsOnCuda(compute::Device& device, const Arrays& a);
void sortCellsOnCuda(compute::Device& device, const Arrays& a);

}  // namespace simscope::nbody::tree
