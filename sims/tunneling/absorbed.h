// The probability that the absorbing edges take, summed by column: the probability that a multiplication by the factors
// of a potential half-step removes, on either side of the middle, as the difference of the densities before and after
// it. The remaining and the taken probability then add up to the initial one, for any rounding.
//
// The points are 16 rows of N/16; the layers lie within the first two and the last two, and a column t, the points
// t + q·N/16, has a sum of its own for either side: so all routes add in the same order, and a run may be cut into
// batches, saved, or moved to another device at any step. Sums are of |ψ|²; times dx they are probabilities.
// Host and device; no state.
#pragma once

#include <cmath>
#include <cstddef>

#include "sims/compute/complex.h"
#include "sims/compute/host_device.h"
#include "sims/compute/loops/unroll.h"

namespace simscope::tunneling {

using compute::Complex;

inline constexpr int kRows = 16;
inline constexpr int kEdgeRows = 2;  // on either side

// A sum of thousands of small terms, and its rounding error so far (W. Kahan, Comm. ACM 8 (1965) 40).
template <class T>
struct Tally {
  T sum, lost;

  SIMSCOPE_HD void add(T value) {
    const T corrected = value - lost;
    const T next = sum + corrected;
    lost = (next - sum) - corrected;
    sum = next;
  }
};

// The tallies of all columns in one array of 4·N/16: the left sums, their rounding errors, the right sums, their
// rounding errors.
template <class T>
SIMSCOPE_HD inline Tally<T> tallyOf(const T* tallies, int columns, int column, bool right) {
  const T* const first = tallies + (right ? 2 * columns : 0) + column;
  return {first[0], first[columns]};
}
template <class T>
SIMSCOPE_HD inline void keepTally(T* tallies, int columns, int column, bool right, Tally<T> tally) {
  T* const first = tallies + (right ? 2 * columns : 0) + column;
  first[0] = tally.sum;
  first[columns] = tally.lost;
}

// z times a factor of factors.h, which is kept less 1; rounded in the same way in every context.
template <class T>
SIMSCOPE_HD inline Complex<T> turned(Complex<T> z, Complex<T> less1) {
#if defined(__CUDA_ARCH__)
  return {fma(z.re, less1.re, fma(-z.im, less1.im, z.re)), fma(z.re, less1.im, fma(z.im, less1.re, z.im))};
#else
  return z + z * less1;
#endif
}

// |z|², rounded in the same way in every context.
template <class T>
SIMSCOPE_HD inline T densityOf(Complex<T> z) {
#if defined(__CUDA_ARCH__)
  return fma(z.re, z.re, z.im * z.im);
#else
  return z.re * z.re + z.im * z.im;
#endif
}

// The 16 points of a column, each multiplied by its factor.
template <class T, class Factor>
SIMSCOPE_HD inline void turnEach(Complex<T> (&z)[kRows], const Factor& factor) {
  SIMSCOPE_UNROLL
  for (int q = 0; q < kRows; ++q) z[q] = turned(z[q], factor(q));
}

// The same, and the probability that this takes at either side.
template <class T, class Factor>
SIMSCOPE_HD inline void scaleAndTally(Complex<T> (&z)[kRows], const Factor& factor, Tally<T>& left, Tally<T>& right) {
  T taken_left = 0, taken_right = 0;
  SIMSCOPE_UNROLL
  for (int q = 0; q < kRows; ++q) {
    const Complex<T> before = z[q];
    z[q] = turned(before, factor(q));
    if (q < kEdgeRows) taken_left += densityOf(before) - densityOf(z[q]);
    if (q >= kRows - kEdgeRows) taken_right += densityOf(before) - densityOf(z[q]);
  }
  left.add(taken_left);
  right.add(taken_right);
}

}  // namespace simscope::tunneling
