// The iteration of a tile of pixels, compiled for the instruction sets of x86-64 and chosen at run time
// (sims/compute/lanes/instruction_sets.h). The same bits as one pixel at a time (pixel.h).
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

LaneKernels wideLaneKernels(compute::Avx2);
LaneKernels wideLaneKernels(compute::Avx512);

const compute::KernelList<LaneKernels>& supportedLaneKernels();

}  // namespace simscope::mandelbrot
