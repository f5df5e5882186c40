// A walk that ranks make together: all have the same tree, each walks for a stretch of the curve, and the fields are
// passed on. The stretches have cost the same the last time, so that dense places keep no rank longer than others.
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
  // As walkOnCpu, which counts this rank's interactions alone. a.bodies become the fields along the curve.
  void walk(compute::Device& device, compute::Ranks& ranks, const Arrays& a, float softening, Vec4* field);

 private:
  std::vector<std::uint32_t> costs_;  // of each block of the walk before, the same on all ranks
};

}  // namespace simscope::nbody::tree
