// Direct summation for a block of bodies, compiled for the instruction sets of x86-64 and chosen at run time.
//
// A vector of bodies interacts with one source after another. Sums are made for a chunk of sources at a time, and the
// rounding errors of adding chunks are carried along (Kahan), so that a million small terms are not lost in a large
// sum, nor thousands of light bodies beside a heavy one. A body's sum depends only on the sources, not on the block.
// Each instruction set has a file of its own that is compiled with its options and includes only intrinsics and this
// header, so that no inline function of a library is compiled for an instruction set that the processor may lack.
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
