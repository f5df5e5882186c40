// The two halves of a field by the tree. Thread and errors: as FieldSolver.
#pragma once

#include "sims/nbody/tree/arrays.h"

namespace simscope::nbody::tree {

// Builds the tree from a.sources; all other members of `a` are computed. The sort may exchange arrays with their
// workspace.
void buildTree(compute::Device& device, Arrays& a, float opening_angle);

// The number of blocks of the curve in the CPU's walk, of kGroupBodies each.
std::uint64_t walkBlocks(int n);
// The blocks to walk; and the cost of each, if wanted [ns of a thread].
struct WalkPart {
  std::uint64_t first = 0, last = ~std::uint64_t{0};
  std::uint32_t* costs = nullptr;  // of all blocks; only the part's are written, and none where the field is NaN
};

// Adds to a.interactions. softening: at least kLeastSoftening. Without `potential`, φ is 0 and g has the same bits.
void walkOnCpu(compute::Device& device, const Arrays& a, float softening, Vec4* field, const WalkPart& part = {});
// With ranks, each walks for its part of the curve (deal.h), and all get the whole field; `dealt` then has room for all
// bodies.
void walkOnCuda(compute::Device& device, const Arrays& a, float softening, bool potential, Vec4* field, Vec4* dealt);

}  // namespace simscope::nbody::tree
