#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>

#include "app/lab/lessons/fourier_transforms/fourier_transforms.h"

namespace simscope::lab::fourier_transforms {
namespace {

using Number = std::complex<double>;

// exp(-2πi j k/n) for all j: whole turns of the angle are removed in integer arithmetic.
std::vector<Number> turns(std::size_t n, std::size_t k) {
  std::vector<Number> all(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
    all[j] = {std::cos(angle), std::sin(angle)};
  }
  return all;
}

template <class T>
Number widened(const Complex<T>& z) {
  return {static_cast<double>(z.re), static_cast<double>(z.im)};
}

// Σ x[j] exp(-2πi j·k/n), over the axes one after the other.
template <class T>
Number sumAt(std::span<const Complex<T>> x, const std::vector<int>& dimensions, std::vector<std::size_t> k) {
  std::size_t n[3] = {1, 1, 1};
  std::copy(dimensions.begin(), dimensions.end(), n + 3 - dimensions.size());
  k.insert(k.begin(), 3 - k.size(), 0);
  const std::vector<Number> a = turns(n[0], k[0]), b = turns(n[1], k[1]), c = turns(n[2], k[2]);
  Number sum = 0;
  for (std::size_t i = 0; i < n[0]; ++i) {
    for (std::size_t j = 0; j < n[1]; ++j) {
      const Complex<T>* const row = x.data() + (i * n[1] + j) * n[2];
      Number along = 0;
      for (std::size_t l = 0; l < n[2]; ++l) along += widened(row[l]) * c[l];
      sum += along * a[i] * b[j];
    }
  }
  return sum;
}

template <class T>
double rootMeanSquare(std::span<const Complex<T>> z) {
  double sum = 0;
  for (const Complex<T>& each : z) sum += std::norm(widened(each));
  return std::sqrt(sum / static_cast<double>(z.size()));
}

}  // namespace

std::vector<int> dimensionsOf(int log2_points, int axes) {
  std::vector<int> all;
  for (int left = axes; left > 0; --left) {
    const int bits = log2_points / left;
    all.push_back(1 << bits);
    log2_points -= bits;
  }
  return all;
}

template <class T>
double distanceFromSums(std::span<const Complex<T>> signal, std::span<const Complex<T>> transformed,
                        const std::vector<int>& dimensions, int samples) {
  double most = 0;
  for (int s = 0; s < samples; ++s) {
    // One at random a sample, the last frequency the first of them.
    const std::size_t place =
        (transformed.size() - 1 + static_cast<std::size_t>(s) * 2'654'435'761u) % transformed.size();
    std::vector<std::size_t> k;
    std::size_t rest = place;
    for (auto n = dimensions.rbegin(); n != dimensions.rend(); ++n) {
      k.insert(k.begin(), rest % static_cast<std::size_t>(*n));
      rest /= static_cast<std::size_t>(*n);
    }
    most = std::max(most, std::abs(widened(transformed[place]) - sumAt(signal, dimensions, k)));
  }
  return most / rootMeanSquare(transformed);
}

template <class T>
double distanceBetween(std::span<const Complex<T>> a, std::span<const Complex<T>> b) {
  double most = 0;
  for (std::size_t i = 0; i < b.size(); ++i) most = std::max(most, std::abs(widened(a[i]) - widened(b[i])));
  return most / rootMeanSquare(b);
}

template <class T>
std::vector<Complex<T>> signalOf(std::size_t n) {
  std::vector<Complex<T>> all(n);
  std::uint32_t state = 1;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<T>(static_cast<float>(state >> 8) * 0x1p-23f - 1);
  };
  for (Complex<T>& each : all) {
    each.re = next();
    each.im = next();
  }
  return all;
}

#define SIMSCOPE_INSTANTIATE(T)                                                                 \
  template double distanceFromSums<T>(std::span<const Complex<T>>, std::span<const Complex<T>>, \
                                      const std::vector<int>&, int);                            \
  template double distanceBetween<T>(std::span<const Complex<T>>, std::span<const Complex<T>>); \
  template std::vector<Complex<T>> signalOf<T>(std::size_t);
SIMSCOPE_INSTANTIATE(float)
SIMSCOPE_INSTANTIATE(double)
#undef SIMSCOPE_INSTANTIATE

}  // namespace simscope::lab::fourier_transforms
