// Direct summation for a block of bodies, compiled for the instruction sets of x86-64 and chosen at run time.
//
// A vector of bodies meets one source after another. Sums are kept a chunk of sources at a time, and what is rounded
// off as chunks are added is carried along (Kahan), so that a million small terms do not drown in a large sum, and
// thousands of light bodies not beside a heavy one; a body's sum depends on the sources alone, not on the block. Each
// instruction set has a file of its own that is compiled with its options and includes nothing but intrinsics and this
// header, so that no inline function of a library is compiled for a processor that may not be there.
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

DirectKernels avx2DirectKernels();
DirectKernels avx512DirectKernels();

const compute::KernelList<DirectKernels>& supportedDirectKernels();

}  // namespace simscope::nbody
