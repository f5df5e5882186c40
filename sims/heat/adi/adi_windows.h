// The lines of the alternating direction implicit scheme, for machines with many threads: a line is cut into windows
// that know nothing of each other, and a window into chunks of 32 cells that are solved side by side.
//
// On a line without ends, (1 - h δ²) x = d is solved by two running means, one to and one fro:
//
//   c_i = d_i + ρ (c_{i-1} - d_i)        x_i = c_i + ρ (x_{i+1} - c_i)        h (1 - ρ)² = ρ
//
// What lies k cells away counts by ρᵏ, and ρ ≤ 0.68 for the largest time step. So a window begins and ends `halo` cells
// beyond those that it owns, with ρ^halo ≤ 2⁻³²: a float's last bit is 256 times what it misses. Boundaries are images:
// beyond its ends the line goes on mirrored (insulated), mirrored with its sign changed (fixed), or from the start
// (periodic).
//
// A chunk begins with a guess, its own first cell; where another value arrives from the chunk before it, cell j is put
// right by ρʲ⁺¹ (arriving - guess). Whatever is added is a part of a difference, so that an even temperature stays what
// it is to the bit. Windows depend on size and h alone: every CUDA device gives the same bits.
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
// Of an arriving value only the two chunks before know something: ρ^halo ≤ 2⁻³² holds for 2 kChunk cells, too.
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
  int halo;              // cells before and behind those that a window owns
  int owned;             // cells; fewer in the last window
  int chunks;            // of a window, with the halo
  int count;             // windows a line

  SIMSCOPE_HD int start(int window) const { return window * owned - halo; }  // of its first chunk
  SIMSCOPE_HD int ownedFrom(int window) const { return window * owned; }
  SIMSCOPE_HD int ownedTo(int window) const { return window < count - 1 ? (window + 1) * owned : n; }
  SIMSCOPE_HD bool isWall(int cell) const { return boundary == Boundary::Fixed && (cell == 0 || cell == n - 1); }
  // Whether the cells [first, last] take their values from themselves.
  SIMSCOPE_HD bool inside(int first, int last) const { return first > 0 && last < n - 1; }

  SIMSCOPE_HD AdiSource source(int cell) const {
    const int period = boundary == Boundary::Periodic ? n : boundary == Boundary::Insulated ? 2 * n : 2 * (n - 1);
    int at = cell % period;
    if (at < 0) at += period;
    if (at < n) return {at, isWall(at) ? 0.0f : 1.0f};
    return {boundary == Boundary::Insulated ? period - 1 - at : period - at,
            boundary == Boundary::Insulated ? 1.0f : -1.0f};
  }
  // The row next to a wall, and the one behind it, as the explicit part sees them.
  SIMSCOPE_HD int rowAt(int y) const {
    const bool periodic = boundary == Boundary::Periodic;
    return y < 0 ? (periodic ? n - 1 : 0) : y < n ? y : (periodic ? 0 : n - 1);
  }
};

// The windows that own any of a slab's rows, [window, window_end), and what they read of the second right-hand side,
// the rows [low, high): beyond the field's ends where it is periodic, and nowhere else.
struct AdiSpan {
  int window = 0, window_end = 0;
  int low = 0, high = 0;
};
// Of the rows [first, end).
AdiSpan adiSpan(const AdiWindows& windows, int first, int end);
// The rows of the field beside its own that any of so many slabs reads, equal as they are cut.
int adiDepth(const AdiWindows& windows, int ranks);
// As many rows beside its own as that are at most, whatever the time step, where a slab has as many itself.
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

// A running mean over a chunk, from the guess on. The guess is the chunk's first value and is not changed.
template <Way kWay>
SIMSCOPE_HD inline void runAlong(float (&v)[kChunk], float rho) {
  SIMSCOPE_UNROLL
  for (int i = 1; i < kChunk; ++i) {
    float& own = v[along<kWay>(i)];
    own = fmaf(rho, v[along<kWay>(i - 1)] - own, own);
  }
}

// What arrives at a chunk, from the ends of the one before, and the last value of the one before that.
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
