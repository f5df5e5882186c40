// The arithmetic of one cell, in one place, so that every path (plain, blocked in time, CPU, CUDA) rounds alike.
//
// The five-point stencil with forward Euler steps, r = α dt/dx²:
//   u' = u + r [(u_west + u_east) + (u_north + u_south) - 4u]
// Both fused multiply-adds round once: the first is exact in 4u, the second keeps more digits of a small change.
#pragma once

#include <cmath>
#include <cstddef>

#include "sims/compute/host_device.h"
#include "sims/compute/ranks/slab.h"
#include "sims/heat/parameters.h"

namespace simscope::heat {

// Factor on the diffusivity of painted conductors. Held cells (sources) are stored as kHeld: plain material whose
// temperature never changes. Insulators are 0, untouched cells 1.
inline constexpr float kConductor = 5.0f;
inline constexpr float kInsulator = 0.0f;
inline constexpr float kPlain = 1.0f;
inline constexpr float kHeld = -1.0f;

// kFused: the processor has fused multiply-adds. Without them the product is made in double, where it is exact; the
// sum is then rounded twice, which differs from once in about one case in 2²⁹.
#if defined(__CUDACC__)
template <bool kFused = true>
__device__ __forceinline__ float diffused(float own, float west, float east, float north, float south, float r) {
  return fmaf(r, fmaf(-4.0f, own, (west + east) + (north + south)), own);
}
#else
template <bool kFused>
[[gnu::always_inline]] inline float diffused(float own, float west, float east, float north, float south, float r) {
  const float sum = (west + east) + (north + south);
  if constexpr (kFused) {
    return __builtin_fmaf(r, __builtin_fmaf(-4.0f, own, sum), own);
  } else {
    return static_cast<float>(static_cast<double>(r) * static_cast<double>(sum - 4.0f * own) +
                              static_cast<double>(own));
  }
}
#endif

SIMSCOPE_HD inline bool isWall(Boundary boundary, int x, int y, int n) {
  return boundary == Boundary::Fixed && (x == 0 || y == 0 || x == n - 1 || y == n - 1);
}

// Where the cell (x, y) or its image beyond a joined edge lies; kNowhere beyond other edges, which no heat crosses.
inline constexpr std::size_t kNowhere = ~std::size_t{0};
SIMSCOPE_HD inline std::size_t placeOf(const compute::Slab& slab, Boundary boundary, int x, int y) {
  const int n = slab.n;
  if (x >= 0 && x < n && y >= 0 && y < n) return slab.at(x, y);
  if (boundary != Boundary::Periodic) return kNowhere;
  return slab.at(x < 0 ? n - 1 : x >= n ? 0 : x, slab.joined(y));
}

// Conductance between two cells of diffusivity factors a and b: their harmonic mean, as of two layers in series.
SIMSCOPE_HD inline float faceFactor(float a, float b) {
  const float sum = a + b;
  return sum > 0 ? 2 * a * b / sum : 0.0f;
}

// One explicit step of cell (x, y) with a map of materials. `next` holds the result.
struct MaterialStep {
  const float* u;
  const float* material;
  float* next;
  compute::Slab slab;
  Boundary boundary;
  float r;

  SIMSCOPE_HD float flow(float own, float factor, int x, int y) const {
    const std::size_t at = placeOf(slab, boundary, x, y);
    if (at == kNowhere) return 0;
    const float other = material[at] < 0 ? -material[at] : material[at];
    return faceFactor(factor, other) * (u[at] - own);
  }

  SIMSCOPE_HD float after(int x, int y) const {
    const std::size_t at = slab.at(x, y);
    const float own = u[at], factor = material[at];
    if (!(factor > 0) || isWall(boundary, x, y, slab.n)) return own;
    const float across = flow(own, factor, x - 1, y) + flow(own, factor, x + 1, y);
    const float along = flow(own, factor, x, y - 1) + flow(own, factor, x, y + 1);
    return own + r * (across + along);
  }
  SIMSCOPE_HD void operator()(int x, int y) const { next[slab.at(x, y)] = after(x, y); }
};

// The same step in double precision, with a map of materials or none. A temperature is the sum of two floats: u, its
// nearest float, and the remainder.
struct DoubleStep {
  const float* u;
  const float* remainder;  // or null: zeros
  const float* material;   // or null: plain
  float* next;
  float* next_remainder;
  compute::Slab slab;
  Boundary boundary;
  double r;

  SIMSCOPE_HD double temperature(std::size_t at) const {
    return static_cast<double>(u[at]) + (remainder ? static_cast<double>(remainder[at]) : 0.0);
  }
  SIMSCOPE_HD double flow(double own, float factor, int x, int y) const {
    const std::size_t at = placeOf(slab, boundary, x, y);
    if (at == kNowhere) return 0;
    const double difference = temperature(at) - own;
    if (!material) return difference;
    const float other = material[at] < 0 ? -material[at] : material[at];
    return static_cast<double>(faceFactor(factor, other)) * difference;
  }
  // Without insulators, sources, and walls, which do not change: 0 there.
  SIMSCOPE_HD double change(int x, int y) const {
    const std::size_t at = slab.at(x, y);
    const float factor = material ? material[at] : kPlain;
    if (!(factor > 0) || isWall(boundary, x, y, slab.n)) return 0;
    const double own = temperature(at);
    const int n = slab.n;
    if (!material && x > 0 && y > 0 && x < n - 1 && y < n - 1) {
      const auto row = static_cast<std::size_t>(n);
      const double across = (temperature(at - 1) - own) + (temperature(at + 1) - own);
      return r * (across + ((temperature(at - row) - own) + (temperature(at + row) - own)));
    }
    const double across = flow(own, factor, x - 1, y) + flow(own, factor, x + 1, y);
    const double along = flow(own, factor, x, y - 1) + flow(own, factor, x, y + 1);
    return r * (across + along);
  }
  SIMSCOPE_HD void operator()(int x, int y) const {
    const std::size_t at = slab.at(x, y);
    const double result = temperature(at) + change(x, y);
    next[at] = static_cast<float>(result);
    next_remainder[at] = static_cast<float>(result - static_cast<double>(next[at]));
  }
};

}  // namespace simscope::heat
