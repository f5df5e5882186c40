// Rows of the five-point stencil, compiled for the instruction sets of x86-64 and chosen at run time
// (sims/compute/lanes/instruction_sets.h).
#pragma once

#include "sims/compute/lanes/instruction_sets.h"

namespace simscope::heat {

// Cells that the widest instructions take at a time: rows may be read this far beyond both ends.
inline constexpr int kRowMargin = 16;

struct RowKernels {
  // Cells [0, count) of two neighbouring rows a time step later. up, first, second, down: four consecutive rows.
  void (*pair)(const float* up, const float* first, const float* second, const float* down, float* out_first,
               float* out_second, int count, float r);
  // The same for one row.
  void (*row)(const float* up, const float* own, const float* down, float* out, int count, float r);
  const char* name;
};

RowKernels wideRowKernels(compute::Avx2);
RowKernels wideRowKernels(compute::Avx512);

const compute::KernelList<RowKernels>& supportedRowKernels();
inline const RowKernels& rowKernels() {
  return supportedRowKernels().widest();
}

}  // namespace simscope::heat
