// The two halves of a field by the tree. Thread and errors: as FieldSolver.
#pragma once

#include "sims/nbody/tree/arrays.h"

namespace simscope::nbody::tree {

// From a.sources; all else in `a` is made. The sort may exchange arrays for their workspace.
void buildTree(compute::Device& device, Arrays& a, float opening_angle);

// The CPU's walk takes so many blocks of the curve, of kGroupBodies each.
std::uint64_t walkBlocks(int n);
// Those of them that shall be walked; and what each has cost, where somebody wants to know [ns of a thread].
struct WalkPart {
  std::uint64_t first = 0, last = ~std::uint64_t{0};
  std::uint32_t* costs = nullptr;  // of all blocks; only the part's are written, and none where the field is no number
};

// Adds to a.interactions. softening: at least kLeastSoftening. Without `potential`, φ is 0 and g has the same bits.
void walkOnCpu(compute::Device& device, const Arrays& a, float softening, Vec4* field, const WalkPart& part = {});
// Of ranks, each walks for its part of the curve (deal.h), and all get the whole; `dealt` has room for all bodies then.
void walkOnCuda(compute::Device& device, const Arrays& a, float softening, bool potential, Vec4* field, Vec4* dealt);

}  // namespace simscope::nbody::tree
