#include "sims/eigenstates2d/ritz.h"

#include <fmt/format.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "sims/compute/error.h"

namespace simscope::eigenstates2d {
namespace {

// What is left of a state of length 1 beside those before it, squared; less is rounding of the inner products.
constexpr double kLeastPivot = 1e-11;

// Columns without which B, whose diagonal is 1, has a Cholesky factor.
std::vector<int> dependentOf(std::vector<double> b, std::size_t n, const std::vector<double>& scale) {
  std::vector<int> dependent;
  std::vector<char> kept(n, 1);
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = b[j * n + j];
    for (std::size_t k = 0; k < j; ++k) {
      if (kept[k]) pivot -= b[k * n + j] * b[k * n + j];
    }
    if (!(scale[j] > 0) || !(pivot > kLeastPivot)) {
      kept[j] = 0;
      dependent.push_back(static_cast<int>(j));
      continue;
    }
    // Row j of the factor, in place of B's.
    const double root = std::sqrt(pivot);
    b[j * n + j] = root;
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = b[j * n + i];
      for (std::size_t k = 0; k < j; ++k) {
        if (kept[k]) sum -= b[k * n + j] * b[k * n + i];
      }
      b[j * n + i] = sum / root;
    }
  }
  return dependent;
}

void makeSignsKnown(std::vector<double>& columns, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    double* const column = columns.data() + k * n;
    const double* const largest =
        std::max_element(column, column + n, [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (*largest < 0) std::for_each(column, column + n, [](double& each) { each = -each; });
  }
}

}  // namespace

Ritz ritzOf(const std::vector<double>& a, const std::vector<double>& b, int count) {
  const auto n = static_cast<std::size_t>(count);
  Ritz ritz;
  // The filter leaves states of very different lengths: each is measured by its own.
  std::vector<double> scale(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double length = b[i * n + i];
    scale[i] = length > 1e-280 && length < 1e280 && std::isfinite(a[i * n + i]) ? 1 / std::sqrt(length) : 0;
  }
  std::vector<double> energies(n * n), overlaps(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double by = scale[i] * scale[j];
      energies[i * n + j] = by > 0 ? by * a[i * n + j] : 0;
      overlaps[i * n + j] = i == j ? 1 : by > 0 ? by * b[i * n + j] : 0;
    }
  }
  ritz.dependent = dependentOf(overlaps, n, scale);
  if (!ritz.dependent.empty()) return ritz;
  ritz.energies.resize(n);
  const lapack_int status = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', count, energies.data(), count,
                                           overlaps.data(), count, ritz.energies.data());
  if (status != 0) throw Error(fmt::format("LAPACK's dsygvd did not converge (info = {})", status));
  makeSignsKnown(energies, n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) energies[k * n + i] *= scale[i];
  }
  ritz.rotation = std::move(energies);
  return ritz;
}

std::vector<double> symmetricVectors(std::vector<double> matrix, int count) {
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> values(n), vectors;
  const lapack_int status = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', count, matrix.data(), count, values.data());
  if (status != 0) throw Error(fmt::format("LAPACK's dsyevd did not converge (info = {})", status));
  for (std::size_t k = n; k-- > 0;) {
    vectors.insert(vectors.end(), matrix.begin() + static_cast<std::ptrdiff_t>(k * n),
                   matrix.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
  }
  return vectors;
}

}  // namespace simscope::eigenstates2d
