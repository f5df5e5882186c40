// Checks of the lesson of Fourier transforms. Plain functions; any thread.
#pragma once

#include <span>
#include <vector>

#include "sims/compute/complex.h"

namespace simscope::lab::fourier_transforms {

using compute::Complex;

// 2^log2_points points, as close to equal sides as powers of two allow: of a line, a rectangle, or a cuboid.
std::vector<int> dimensionsOf(int log2_points, int axes);

// The largest distance of `transformed` from the defining sums, at `samples` frequencies spread over it, relative to
// the root mean square of all.
template <class T>
double distanceFromSums(std::span<const Complex<T>> signal, std::span<const Complex<T>> transformed,
                        const std::vector<int>& dimensions, int samples);

// Largest |a - b| relative to the root mean square of b.
template <class T>
double distanceBetween(std::span<const Complex<T>> a, std::span<const Complex<T>> b);

template <class T>
std::vector<Complex<T>> signalOf(std::size_t n);

}  // namespace simscope::lab::fourier_transforms
