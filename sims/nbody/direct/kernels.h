// Direct summation for a block of bodies, compiled for the instruction sets of x86-64 and chosen at run time
// (sims/compute/lanes/instruction_sets.h).
//
// A vector of bodies interacts with one source after another. Sums are made for a chunk of sources at a time, and the
// rounding errors of adding chunks are carried along (Kahan), so that a million small terms are not lost in a large
// sum, nor thousands of light bodies beside a heavy one. A body's sum depends only on the sources, not on the block.
#pragma once

#include "sims/compute/lanes/instruction_sets.h"

namespace simscope::nbody {

inline constexpr int kDirectLanes = 32;  // the bodies that a kernel takes at a time, at most
inline constexpr int kDirectChunk = 64;  // sources

struct DirectBlock {
  const float* sources;  // (x, y, z, s), n times
  int n;
  float softening2;  // > 0
  int first, count;  // the bodies of the block
  float* field;      // (g, φ) of all n bodies
};

struct DirectKernels {
  void (*force)(const DirectBlock&);  // φ: 0
  void (*field)(const DirectBlock&);
  const char* name;
};

DirectKernels wideDirectKernels(compute::Avx2);
DirectKernels wideDirectKernels(compute::Avx512);

const compute::KernelList<DirectKernels>& supportedDirectKernels();

}  // namespace simscope::nbody
