// The explicit scheme on the CPU, blocked in time: each task carries a patch of the field through up to kCpuSteps
// steps while it stays in the nearest caches.
//
// A task owns a band of rows of a strip of columns. It sweeps the band downwards once; each further time level follows
// one row behind the level before, from a ring of the four newest rows of the level before. The strip
// is read with a halo of `steps` cells, so tasks are independent, and a cell's arithmetic does not depend on the
// blocking: the same bits for any number of threads, and for one pass of n steps or n passes of one step.
// Thread: inside Device::run of a CPU device.
#pragma once

#include "sims/compute/device.h"
#include "sims/compute/ranks/slab.h"
#include "sims/heat/parameters.h"

namespace simscope::heat {

struct ExplicitPass {
  const float* from;  // N·N, or the rows of a slab
  float* to;          // likewise, another array
  int n;
  Boundary boundary;
  float r;    // mesh ratio
  int steps;  // 1 to kCpuSteps or kCudaSteps
};

inline constexpr int kCpuSteps = 16;
inline constexpr int kCudaSteps = 8;

// The rows of the slab, whose halo must be up to date to a depth of the pass's steps.
void advanceOnCpu(compute::Device& device, const ExplicitPass& pass, const compute::Slab& slab);

// The instruction set of the rows' kernels: "AVX-512", "AVX2", "portable".
const char* rowInstructions();

}  // namespace simscope::heat
