// Eigenvalues of a symmetric tridiagonal matrix with constant off-diagonal elements, by Sturm's count.
//
// The number of negative pivots of T - λ is the number of eigenvalues below λ. In IEEE arithmetic, infinities included,
// the computed count never falls as λ rises (J. Demmel, I. Dhillon, H. Ren, "On the correctness of some bisection-like
// parallel eigenvalue algorithms in floating point arithmetic", ETNA 3 (1995) 116), as long as nothing is fused. So
// eigenvalue k is well defined as the smallest double with a count above k, and every search gives the same bits:
// bisection of eight eigenvalues side by side on a processor, 129 parts at once by a block of CUDA.
//
// The search is over the doubles in their order, as 64-bit integers: at most 64 halvings for any value.
#pragma once

#include <bit>
#include <cstdint>

#include "sims/compute/host_device.h"

namespace simscope::eigenstates {

// Doubles in ascending order as integers in ascending order, and back.
SIMSCOPE_HD inline std::int64_t orderOf(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits ^ ((bits >> 63) & INT64_MAX);
}
SIMSCOPE_HD inline double fromOrder(std::int64_t order) {
  return std::bit_cast<double>(order ^ ((order >> 63) & INT64_MAX));
}

// off2: the square of the off-diagonal element, above 0.
SIMSCOPE_HD inline int countBelow(const double* diagonal, int n, double off2, double lambda) {
  double pivot = diagonal[0] - lambda;
  int below = pivot < 0;
  for (int i = 1; i < n; ++i) {
    pivot = (diagonal[i] - lambda) - off2 / pivot;  // 0: the next is -∞
    below += pivot < 0;
  }
  return below;
}

// The lowest `count` eigenvalues, on the threads of the processor (inside Device::run of the CPU backend). low is below
// the lowest of them, high above the highest.
void bisect(const double* diagonal, int n, double off2, double low, double high, double* eigenvalues, int count);

}  // namespace simscope::eigenstates
