// The CPU's kernels, compiled for the instruction sets of x86-64 and chosen at run time
// (sims/compute/lanes/instruction_sets.h).
#pragma once

#include "sims/compute/lanes/instruction_sets.h"
#include "sims/lorentz/setup.h"

namespace simscope::lorentz {

inline constexpr int kLanes = 128;  // particles of a block

// Particles [first, first + count) of arrays of n, count ≤ kLanes. history: null, or where the first `tracers`
// particles of the block record their past; the rest as in History.
struct LaneBlock {
  float* arrays[12];  // x, y, z of x, x_carry, u, u_carry
  long first;
  int count, steps;
  float* history;
  int tracers, samples, next, stride, since;
};
struct LaneKernel {
  void (*run)(const Setup& setup, const LaneBlock& block);
  const char* name;
};
LaneKernel wideLanes(compute::Avx2);
LaneKernel wideLanes(compute::Avx512);
const compute::KernelList<LaneKernel>& supportedLanes();

}  // namespace simscope::lorentz
