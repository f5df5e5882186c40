// For kernels whose threads have few registers: values computed from a forgotten number are computed where they are
// used, and not kept for all rounds of a loop at once.
#pragma once

#include "sims/compute/host_device.h"

namespace simscope::schrodinger2d {

// Returns the same number, but hides that from the compiler.
SIMSCOPE_HD inline int forgotten(int number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

}  // namespace simscope::schrodinger2d
