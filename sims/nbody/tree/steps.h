// The two halves of a field by the tree. Thread and errors: as FieldSolver.
#pragma once

#include "sims/nbody/tree/arrays.h"

namespace simscope::nbody::tree {

// From a.sources; all else in `a` is made. The sort may exchange arrays for their workspace.
void buildTree(compute::Device& device, Arrays& a, float opening_angle);

// Adds to a.interactions. softening: at least kLeastSoftening. Without `potential`, φ is 0 and g has the same bits.
void walkOnCpu(compute::Device& device, const Arrays& a, float softening, Vec4* field);
void walkOnCuda(compute::Device& device, const Arrays& a, float softening, bool potential, Vec4* field);

}  // namespace simscope::nbody::tree
