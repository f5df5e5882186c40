// The lines of the alternating direction implicit scheme, for machines with many threads: a line is cut into
// independent windows, and a window into chunks of 32 cells that are solved side by side.
//
// On a line without ends, (1 - h δ²) x = d is solved by two running means, one forward and one backward:
//
//   c_i = d_i + ρ (c_{i-1} - d_i)        x_i = c_i + ρ (x_{i+1} - c_i)        h (1 - ρ)² = ρ
//
// A cell k cells away has weight ρᵏ, and ρ ≤ 0.68 for the largest time step. So a window extends `halo` cells beyond
// those that it owns, with ρ^halo ≤ 2⁻³²: the error is 1/256 of a float's last bit. Boundaries are images: beyond its
// ends the line continues mirrored (insulated), mirrored with its sign changed (fixed), or from the start (periodic).
//
// A chunk begins with a guess, its own first cell; when the true value arrives from the chunk before it, cell j is
// corrected by ρʲ⁺¹ (arriving - guess). Only fractions of differences are added, so that a uniform temperature stays
// the same to the bit. Windows depend on size and h alone: every CUDA device gives the same bits.
//
// Functions of this file run on host and device. Plain data; any thread.
#pragma once

#include <cmath>

#include "sims/compute/host_device.h"
#include "sims/compute/loops/unroll.h"
#include "sims/heat/parameters.h"

namespace simscope::heat {

inline constexpr int kChunk = 32;       // cells; as many as a warp has lanes
inline constexpr int kMostChunks = 13;  // of a window
// An arriving value depends on the two chunks before only: ρ^halo ≤ 2⁻³² also holds for 2 kChunk cells.
inline constexpr int kMostHalo = 2 * kChunk;

// Where a cell beyond the ends takes its value from: cell `cell` times `factor` (0 on a fixed wall).
struct AdiSource {
  int cell;
  float factor;
};

struct AdiWindows {
  int n;
  Boundary boundary;
  float h;               // α dt/(2 dx²)
  float rho;             // ρ
  float powers[kChunk];  // ρʲ⁺¹
  int halo;              // cells before and after those that a window owns
  int owned;             // cells; fewer in the last window
  int chunks;            // of a window, with the halo
  int count;             // windows a line

  SIMSCOPE_HD int start(int window) const { return window * owned - halo; }  // of its first chunk
  SIMSCOPE_HD int ownedFrom(int window) const { return window * owned; }
  SIMSCOPE_HD int ownedTo(int window) const { return window < count - 1 ? (window + 1) * owned : n; }
  SIMSCOPE_HD bool isWall(int cell) const { return boundary == Boundary::Fixed && (cell == 0 || cell == n - 1); }
  // Whether the cells [first, last] all lie inside the ends, so that each is its own source.
  SIMSCOPE_HD bool inside(int first, int last) const { return first > 0 && last < n - 1; }

  SIMSCOPE_HD AdiSource source(int cell) const {
    const int period = boundary == Boundary::Periodic ? n : boundary == Boundary::Insulated ? 2 * n : 2 * (n - 1);
    int at = cell % period;
    if (at < 0) at += period;
    if (at < n) return {at, isWall(at) ? 0.0f : 1.0f};
    return {boundary == Boundary::Insulated ? period - 1 - at : period - at,
            boundary == Boundary::Insulated ? 1.0f : -1.0f};
  }
  // The row that the explicit part reads for row y, next to a wall or beyond it.
  SIMSCOPE_HD int rowAt(int y) const {
    const bool periodic = boundary == Boundary::Periodic;
    return y < 0 ? (periodic ? n - 1 : 0) : y < n ? y : (periodic ? 0 : n - 1);
  }
};

// The windows that own any of a slab's rows, [window, window_end), and the rows [low, high) of the second right-hand
// side that they read; these lie beyond the field's ends only where it is periodic.
struct AdiSpan {
  int window = 0, window_end = 0;
  int low = 0, high = 0;
};
// Of the rows [first, end).
AdiSpan adiSpan(const AdiWindows& windows, int first, int end);
// How many rows beside its own any of `ranks` equal slabs reads.
int adiDepth(const AdiWindows& windows, int ranks);
// An upper limit of adiDepth() for any time step, where a slab has at least that many rows.
inline constexpr int kAdiReach = kMostChunks * kChunk + 1;

// Any n ≥ 2. mesh_ratio: at most that of the largest time_step_fraction; Error where the halo would pass kMostHalo.
AdiWindows adiWindows(int n, Boundary boundary, double mesh_ratio);

// The explicit part of one cell: (1 + h δ²) u.
SIMSCOPE_HD inline float adiExplicit(float own, float up, float down, float h) {
  return fmaf(h, (up - own) + (down - own), own);
}
// The right-hand side of the second half-step, 2u* - d.
SIMSCOPE_HD inline float adiSecondPart(float star, float d) {
  return fmaf(2.0f, star, -d);
}

enum class Way { To, Fro };

template <Way kWay>
SIMSCOPE_HD constexpr int along(int i) {
  return kWay == Way::To ? i : kChunk - 1 - i;
}

// A running mean over a chunk, from the guess on. The guess is the chunk's first value and stays unchanged.
template <Way kWay>
SIMSCOPE_HD inline void runAlong(float (&v)[kChunk], float rho) {
  SIMSCOPE_UNROLL
  for (int i = 1; i < kChunk; ++i) {
    float& own = v[along<kWay>(i)];
    own = fmaf(rho, v[along<kWay>(i - 1)] - own, own);
  }
}

// The value that arrives at a chunk, from the ends of the one before and the last value of the one before that.
SIMSCOPE_HD inline float arriving(float before_first, float before_last, float beyond_last, const float* powers) {
  return fmaf(powers[kChunk - 1], beyond_last - before_first, before_last);
}

template <Way kWay>
SIMSCOPE_HD inline void putRight(float (&v)[kChunk], float arriving, const float* powers) {
  const float excess = arriving - v[along<kWay>(0)];
  SIMSCOPE_UNROLL
  for (int i = 0; i < kChunk; ++i) {
    float& own = v[along<kWay>(i)];
    own = fmaf(powers[i], excess, own);
  }
}

}  // namespace simscope::heat
