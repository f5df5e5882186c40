// The iteration of a tile of pixels, compiled for the instruction sets of x86-64 and chosen at run time. The same bits
// as one pixel at a time (pixel.h).
//
// Each instruction set has a file of its own that is compiled with its options and includes only intrinsics and headers
// whose functions are internal to the file, so that no function of a library is compiled for an instruction set that
// the processor may lack.
#pragma once

#include "sims/compute/lanes/instruction_sets.h"
#include "sims/mandelbrot/iteration.h"

namespace simscope::mandelbrot {

inline constexpr int kTileColumns = 64, kTileRows = 8;

struct LaneKernels {
  // At most the pixels of one tile.
  void (*tile)(const Iteration& iteration, int x0, int x1, int y0, int y1);
  const char* name;
};

LaneKernels avx2LaneKernels();
LaneKernels avx512LaneKernels();

const compute::KernelList<LaneKernels>& supportedLaneKernels();

}  // namespace simscope::mandelbrot
