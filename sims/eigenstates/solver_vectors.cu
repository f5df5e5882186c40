#include "sims/eigenstates/solver.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/random/random.h"

namespace simscope::eigenstates {

inline constexpr int kIterations = 3;       // two reach rounding for well separated levels; one more for close ones
inline constexpr std::size_t kChunk = 256;  // points of a partial sum, added one after the other

// Inverse iteration of one state, as LAPACK's dgttrf and dgtts2 eliminate. Element i of state k is at i·step + k·apart:
// neighbouring threads of CUDA read neighbouring words, and a thread of the processor reads along its own row.
struct InverseIteration {
  Tridiagonal matrix;
  const double* eigenvalues;
  bool symmetric;
  std::size_t step, apart;
  double *inverse_pivot, *upper, *fill, *factor, *x;

  SIMSCOPE_HD void operator()(std::size_t k) const {
    const int n = matrix.n;
    const std::size_t base = k * apart;
    const double off = matrix.off, lambda = eigenvalues[k];
    const auto at = [&](int i) { return base + static_cast<std::size_t>(i) * step; };
    factorise(base, lambda);
    for (int i = 0; i < n; i += 4) {
      const compute::Uniform4 drawn =
          compute::uniform4(0, static_cast<std::uint32_t>(k), static_cast<std::uint64_t>(i));
      for (int j = 0; j < 4 && i + j < n; ++j) x[at(i + j)] = 2 * drawn.u[j] - 1;
    }
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      double now = x[at(0)];
      for (int i = 0; i + 1 < n; ++i) {
        const double next = x[at(i + 1)], f = factor[at(i)];
        const bool swapped = fill[at(i)] != 0;
        const double kept = swapped ? next : now;
        now = (swapped ? now : next) - f * kept;
        x[at(i)] = kept;
      }
      double one = 0, two = 0, largest = 0;  // elements i+1 and i+2
      for (int i = n - 1; i >= 0; --i) {
        const double right = i == n - 1 ? now : x[at(i)];
        // A swap in row n-2 has no element beyond the last column; `two` is 0 there.
        const double value = ((right - upper[at(i)] * one) - fill[at(i)] * two) * inverse_pivot[at(i)];
        x[at(i)] = value;
        two = one;
        one = value;
        largest = value > largest ? value : -value > largest ? -value : largest;
      }
      scale(base, 1 / largest, k % 2 == 0 ? 1 : -1);
    }
    (void)off;
  }

 private:
  SIMSCOPE_HD void factorise(std::size_t base, double lambda) const {
    const int n = matrix.n;
    const double off = matrix.off, reach = -off;  // off is negative
    // The replacement for a pivot of 0: rounding of the matrix.
    const double least = 2.2e-16 * (matrix.high - matrix.low);
    double pivot = matrix.diagonal[0] - lambda, next_upper = off;
    for (int i = 0; i < n; ++i) {
      const std::size_t at = base + static_cast<std::size_t>(i) * step;
      if (i == n - 1) {
        const double size = pivot < 0 ? -pivot : pivot;
        inverse_pivot[at] = 1 / (size > least ? pivot : least);
        upper[at] = fill[at] = factor[at] = 0;
        return;
      }
      const double below = matrix.diagonal[i + 1] - lambda, beyond = i + 2 < n ? off : 0;
      if ((pivot < 0 ? -pivot : pivot) >= reach) {
        const double inverse = 1 / pivot, f = off * inverse;
        inverse_pivot[at] = inverse;
        upper[at] = next_upper;
        fill[at] = 0;
        factor[at] = f;
        pivot = below - f * next_upper;
        next_upper = beyond;
      } else {
        const double inverse = 1 / off, f = pivot * inverse;
        inverse_pivot[at] = inverse;
        upper[at] = below;
        fill[at] = off;  // marks a swap; has no effect in the last row but one
        factor[at] = f;
        pivot = next_upper - f * below;
        next_upper = -f * beyond;
      }
    }
  }

  SIMSCOPE_HD void scale(std::size_t base, double by, double parity) const {
    const int n = matrix.n;
    if (!symmetric) {
      for (int i = 0; i < n; ++i) x[base + static_cast<std::size_t>(i) * step] *= by;
      return;
    }
    for (int i = 0; 2 * i < n; ++i) {
      const std::size_t left = base + static_cast<std::size_t>(i) * step;
      const std::size_t right = base + static_cast<std::size_t>(n - 1 - i) * step;
      const double mean = 0.5 * (x[left] + parity * x[right]) * by;
      x[left] = mean;
      x[right] = parity * mean;
    }
  }
};

struct ToRows {
  const double* from;
  std::size_t step, apart;
  std::size_t points;
  double* to;
  SIMSCOPE_HD void operator()(std::size_t i) const { to[i] = from[i % points * step + i / points * apart]; }
};

// Σ φ_a φ_b over a chunk of points.
struct PartialGram {
  const double* phi;
  std::size_t points, chunks;
  int count;
  double* sums;  // count × count × chunks
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t chunk = i % chunks, pair = i / chunks;
    const std::size_t a = pair / static_cast<std::size_t>(count), b = pair % static_cast<std::size_t>(count);
    double sum[4] = {};  // four at a time, so that one does not wait for the other
    if (a <= b) {
      const double *const one = phi + a * points, *const other = phi + b * points;
      const std::size_t from = chunk * kChunk, to = from + kChunk < points ? from + kChunk : points;
      std::size_t j = from;
      for (; j + 4 <= to; j += 4) {
        for (std::size_t k = 0; k < 4; ++k) sum[k] += one[j + k] * other[j + k];
      }
      for (std::size_t k = 0; j + k < to; ++k) sum[k] += one[j + k] * other[j + k];
    }
    sums[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
};

// Column b of Φ R⁻¹, R upper triangular; kBlock points at a time, each with its sum in the same order.
template <int kBlock>
struct Combine {
  const double* phi;
  const double* inverse;  // R⁻¹, count × count, row by row
  std::size_t points, blocks;
  int count;
  double* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t b = i / blocks, from = i % blocks * kBlock;
    const std::size_t size = points - from < kBlock ? points - from : kBlock;
    double sums[kBlock] = {};
    for (std::size_t a = 0; a <= b; ++a) {
      const double factor = inverse[a * static_cast<std::size_t>(count) + b];
      const double* const row = phi + a * points + from;
      for (std::size_t j = 0; j < size; ++j) sums[j] += factor * row[j];
    }
    for (std::size_t j = 0; j < size; ++j) out[b * points + from + j] = sums[j];
  }
};
template <int kBlock>
void combine(const compute::DevicePtr& device, const States& states, const compute::Buffer<double>& inverse,
             compute::Buffer<double>& out) {
  const auto points = static_cast<std::size_t>(states.points), count = static_cast<std::size_t>(states.count);
  const std::size_t blocks = (points + kBlock - 1) / kBlock;
  const Combine<kBlock> each{states.phi.data(), inverse.data(), points, blocks, states.count, out.data()};
  compute::parallelFor(*device, count * blocks, each, 32);
}

struct Normalise {
  double* phi;
  std::size_t points;
  double h;
  SIMSCOPE_HD void operator()(std::size_t k) const {
    double* const row = phi + k * points;
    double largest = 0, sum = 0;
    for (std::size_t i = 0; i < points; ++i) {
      sum += row[i] * row[i];
      const double size = row[i] < 0 ? -row[i] : row[i];
      largest = size > largest ? size : largest;
    }
    if (!(sum > 0)) return;
    std::size_t first = 0;  // smaller values are a tail, whose sign may be rounding
    while ((row[first] < 0 ? -row[first] : row[first]) < 0.02 * largest) ++first;
    const double by = (row[first] < 0 ? -1.0 : 1.0) / std::sqrt(h * sum);
    for (std::size_t i = 0; i < points; ++i) row[i] *= by;
  }
};

// K × K, above the diagonal: hΣ φ_a φ_b.
std::vector<double> gramOf(const compute::DevicePtr& device, const States& states) {
  const auto points = static_cast<std::size_t>(states.points), count = static_cast<std::size_t>(states.count);
  const std::size_t chunks = (points + kChunk - 1) / kChunk;
  compute::Buffer<double> sums(device, count * count * chunks);
  const PartialGram each{states.phi.data(), points, chunks, states.count, sums.data()};
  compute::parallelFor(*device, sums.size(), each, 64);
  const std::vector<double> partial = sums.toHost();
  std::vector<double> gram(count * count);
  for (std::size_t i = 0; i < partial.size(); ++i) gram[i / chunks] += partial[i];
  for (double& value : gram) value *= states.h;
  return gram;
}

// R⁻¹ of G = RᵀR.
std::vector<double> inverseFactor(std::vector<double> g, std::size_t n) {
  std::vector<double> r(n * n), inverse(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      double sum = g[i * n + j];
      for (std::size_t k = 0; k < i; ++k) sum -= r[k * n + i] * r[k * n + j];
      if (i < j) {
        r[i * n + j] = sum / r[i * n + i];
        continue;
      }
      if (!(sum > 1e-20 * g[j * n + j])) {
        throw Error("The solver found the same state for two levels. Change the potential or the grid slightly.");
      }
      r[j * n + j] = std::sqrt(sum);
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    inverse[j * n + j] = 1 / r[j * n + j];
    for (std::size_t i = j; i-- > 0;) {
      double sum = 0;
      for (std::size_t k = i + 1; k <= j; ++k) sum += r[i * n + k] * inverse[k * n + j];
      inverse[i * n + j] = -sum / r[i * n + i];
    }
  }
  return inverse;
}

void inverseIteration(const compute::DevicePtr& device, const Tridiagonal& matrix, std::span<const double> eigenvalues,
                      bool symmetric, States& states) {
  const auto points = static_cast<std::size_t>(states.points), count = static_cast<std::size_t>(states.count);
  const compute::Buffer<double> levels(device, eigenvalues);
  compute::Buffer<double> work(device, 5 * points * count);
  double* const at = work.data();
  const std::size_t all = points * count;
  const std::size_t step = device->isCuda() ? count : 1, apart = device->isCuda() ? 1 : points;
  const InverseIteration each{matrix, levels.data(), symmetric,    step,         apart,
                              at,     at + all,      at + 2 * all, at + 3 * all, at + 4 * all};
  compute::parallelFor(*device, count, each, 1);
  compute::parallelFor(*device, all, ToRows{at + 4 * all, step, apart, points, states.phi.data()});
}

void orthonormalise(const compute::DevicePtr& device, States& states) {
  const auto count = static_cast<std::size_t>(states.count), points = static_cast<std::size_t>(states.points);
  normalise(*device, states);
  compute::Buffer<double> better(device, count * points);
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<double> host = inverseFactor(gramOf(device, states), count);
    const compute::Buffer<double> inverse(device, std::span<const double>(host));
    if (device->isCuda()) {
      combine<1>(device, states, inverse, better);
    } else {
      combine<64>(device, states, inverse, better);
    }
    std::swap(states.phi, better);
  }
  normalise(*device, states);
}

void normalise(compute::Device& device, States& states) {
  compute::parallelFor(device, static_cast<std::size_t>(states.count),
                       Normalise{states.phi.data(), static_cast<std::size_t>(states.points), states.h}, 1);
}

double orthonormality(const compute::DevicePtr& device, const States& states) {
  const auto count = static_cast<std::size_t>(states.count);
  const std::vector<double> gram = gramOf(device, states);
  double worst = 0;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a; b < count; ++b) worst = std::max(worst, std::abs(gram[a * count + b] - (a == b)));
  }
  return worst;
}

}  // namespace simscope::eigenstates
