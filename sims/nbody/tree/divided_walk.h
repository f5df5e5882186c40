// A walk that ranks make together: all have the same tree, each walks for a stretch of the curve, and they exchange the
// fields. The stretches had equal costs in the last walk, so that dense places do not delay a rank.
//
// The field has the bits of one process: groups and their lists follow from the tree alone. Thread and errors: as
// FieldSolver and Ranks; all ranks call it.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/compute/ranks/ranks.h"
#include "sims/nbody/tree/arrays.h"

namespace simscope::nbody::tree {

class DividedWalk {
 public:
  // As walkOnCpu, which counts only this rank's interactions. a.bodies become the fields along the curve.
  void walk(compute::Device& device, compute::Ranks& ranks, const Arrays& a, float softening, Vec4* field);

 private:
  std::vector<std::uint32_t> costs_;  // of each block of the previous walk, the same on all ranks
};

}  // namespace simscope::nbody::tree
