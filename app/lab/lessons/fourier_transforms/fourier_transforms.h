// Checks of the lesson of Fourier transforms. Plain functions; any thread.
#pragma once

#include <span>
#include <vector>

#include "sims/compute/complex.h"

namespace simscope::lab::fourier_transforms {

using compute::Complex;

// 2^log2_points points, as nearly a line's, a square's, or a cube's as powers of two go.
std::vector<int> dimensionsOf(int log2_points, int axes);

// The largest distance of `transformed` from the sums that define it, at `samples` frequencies all over it, over the
// root of the mean square of all.
template <class T>
double distanceFromSums(std::span<const Complex<T>> signal, std::span<const Complex<T>> transformed,
                        const std::vector<int>& dimensions, int samples);

// Largest |a - b| over the root of the mean square of b.
template <class T>
double distanceBetween(std::span<const Complex<T>> a, std::span<const Complex<T>> b);

template <class T>
std::vector<Complex<T>> signalOf(std::size_t n);

}  // namespace simscope::lab::fourier_transforms
