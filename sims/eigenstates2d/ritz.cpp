#include "sims/eigenstates2d/ritz.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "sims/compute/error.h"

namespace simscope::eigenstates2d {
namespace {

// What is left of a state of length 1 beside those before it, squared; less is rounding of the inner products.
constexpr double kLeastPivot = 1e-11;

// B = RᵀR, row by row in place of B's upper triangle. Returns the columns without which B, whose diagonal is 1, has
// that factor.
std::vector<int> factorise(std::vector<double>& b, std::size_t n, const std::vector<double>& scale) {
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

// A becomes R⁻ᵀA R⁻¹: each row is solved for, then the rows of what is then symmetric again.
void reduce(std::vector<double>& a, const std::vector<double>& r, std::size_t n) {
  const auto solveRows = [&] {  // X R = A, of each row of A
    for (std::size_t row = 0; row < n; ++row) {
      double* const x = a.data() + row * n;
      for (std::size_t i = 0; i < n; ++i) {
        x[i] /= r[i * n + i];
        for (std::size_t k = i + 1; k < n; ++k) x[k] -= x[i] * r[i * n + k];
      }
    }
  };
  const auto transpose = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) std::swap(a[i * n + j], a[j * n + i]);
    }
  };
  solveRows();
  transpose();
  solveRows();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
  }
}

struct Eigen {
  std::vector<double> values;   // ascending
  std::vector<double> vectors;  // in columns, as LAPACK leaves them
};

// Jacobi's rotations, cyclic by rows (G. H. Golub, C. F. Van Loan, Matrix Computations, § 8.5). A block that is nearly
// diagonal, as it is after the first iterations, takes two or three rounds.
Eigen symmetricEigen(std::vector<double> a, std::size_t n) {
  constexpr int kMostRounds = 60;
  constexpr double kNothing = 1.1e-16;  // of the largest element: half a unit of its last place
  double largest = 0;
  for (const double each : a) {
    if (!std::isfinite(each)) throw Error("The block's inner products are not finite. Reset the run.");
    largest = std::max(largest, std::abs(each));
  }
  std::vector<double> v(n * n);  // vector k is row k
  for (std::size_t i = 0; i < n; ++i) v[i * n + i] = 1;
  for (int round = 0; round < kMostRounds; ++round) {
    bool rotated = false;
    for (std::size_t p = 0; p + 1 < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        const double off = a[p * n + q];
        if (!(std::abs(off) > kNothing * largest)) continue;
        rotated = true;
        const double theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(1 + theta * theta));
        const double c = 1 / std::sqrt(1 + t * t), s = t * c;
        double *const ap = a.data() + p * n, *const aq = a.data() + q * n;
        const double pp = ap[p] - t * off, qq = aq[q] + t * off;
        for (std::size_t k = 0; k < n; ++k) {
          const double x = ap[k], y = aq[k];
          ap[k] = c * x - s * y;
          aq[k] = s * x + c * y;
        }
        ap[p] = pp, aq[q] = qq, ap[q] = aq[p] = 0;
        for (std::size_t k = 0; k < n; ++k) {
          if (k != p && k != q) a[k * n + p] = ap[k], a[k * n + q] = aq[k];
        }
        double *const vp = v.data() + p * n, *const vq = v.data() + q * n;
        for (std::size_t k = 0; k < n; ++k) {
          const double x = vp[k], y = vq[k];
          vp[k] = c * x - s * y;
          vq[k] = s * x + c * y;
        }
      }
    }
    if (!rotated) break;
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return a[i * n + i] < a[j * n + j]; });
  Eigen eigen;
  for (const std::size_t k : order) {
    eigen.values.push_back(a[k * n + k]);
    const auto row = v.begin() + static_cast<std::ptrdiff_t>(k * n);
    eigen.vectors.insert(eigen.vectors.end(), row, row + static_cast<std::ptrdiff_t>(n));
  }
  return eigen;
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
  ritz.dependent = factorise(overlaps, n, scale);
  if (!ritz.dependent.empty()) return ritz;
  reduce(energies, overlaps, n);
  Eigen eigen = symmetricEigen(std::move(energies), n);
  ritz.energies = std::move(eigen.values);
  std::vector<double>& vectors = eigen.vectors;
  for (std::size_t k = 0; k < n; ++k) {  // R q = z
    double* const x = vectors.data() + k * n;
    for (std::size_t i = n; i-- > 0;) {
      double sum = x[i];
      for (std::size_t j = i + 1; j < n; ++j) sum -= overlaps[i * n + j] * x[j];
      x[i] = sum / overlaps[i * n + i];
    }
  }
  makeSignsKnown(vectors, n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) vectors[k * n + i] *= scale[i];
  }
  ritz.rotation = std::move(vectors);
  return ritz;
}

std::vector<double> symmetricVectors(std::vector<double> matrix, int count) {
  const auto n = static_cast<std::size_t>(count);
  const Eigen eigen = symmetricEigen(std::move(matrix), n);
  std::vector<double> vectors;
  for (std::size_t k = n; k-- > 0;) {
    const auto column = eigen.vectors.begin() + static_cast<std::ptrdiff_t>(k * n);
    vectors.insert(vectors.end(), column, column + static_cast<std::ptrdiff_t>(n));
  }
  return vectors;
}

}  // namespace simscope::eigenstates2d
