// For kernels whose threads have few registers: what is counted of a forgotten number is counted there and then, and
// not kept for all of a loop's rounds at once.
#pragma once

#include "sims/compute/host_device.h"

namespace simscope::schrodinger2d {

// The same number, of which the compiler does not know that it is.
SIMSCOPE_HD inline int forgotten(int number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

}  // namespace simscope::schrodinger2d
