// The kernels of block_lanes.h, in a namespace that the including source names by SIMSCOPE_LANES: each source compiles
// them for its own registers.
#pragma once

#include <cstring>

#include "sims/eigenstates2d/block_lanes.h"

namespace simscope::eigenstates2d::SIMSCOPE_LANES {

using Four = double __attribute__((vector_size(32)));

inline Four load(const double* from) {
  Four value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
inline void store(double* to, Four value) {
  std::memcpy(to, &value, sizeof value);
}

void row(const RowTerm& t) {
  const int n = t.n;
  const auto single = [&](int i) {
    const double* const y = t.own;
    const double sum =
        neighbours(t.near, t.far, i > 0 ? y[i - 1] : 0.0, i + 1 < n ? y[i + 1] : 0.0, t.below[i], t.above[i],
                   i > 1 ? y[i - 2] : 0.0, i + 2 < n ? y[i + 2] : 0.0, t.below2[i], t.above2[i]);
    t.out[i] = termAt(t.diagonal[i], t.centre, t.scale, t.back, y[i], sum, t.x[i]);
  };
  int i = 0;
  for (; i < 2 && i < n; ++i) single(i);
  for (; i + 4 <= n - 2; i += 4) {
    const double* const y = t.own + i;
    const Four sum = t.near * ((load(y - 1) + load(y + 1)) + (load(t.below + i) + load(t.above + i))) +
                     t.far * ((load(y - 2) + load(y + 2)) + (load(t.below2 + i) + load(t.above2 + i)));
    const Four diagonal = load(t.diagonal + i);
    const Four value = t.scale * ((diagonal - t.centre) * load(y) + sum) - t.back * load(t.x + i);
    store(t.out + i, diagonal < kInside ? value : Four{});
  }
  for (; i < n; ++i) single(i);
}

// Two by two states, four lanes at a time and twice: the sums stay in registers.
void tilePart(const TileSum& t, int a, int b, std::size_t lane) {
  const double *const f0 = t.f[a], *const f1 = t.f[a + 1], *const g0 = t.g[b], *const g1 = t.g[b + 1];
  Four s00{}, s01{}, s10{}, s11{}, r00{}, r01{}, r10{}, r11{};
  std::size_t i = t.from + lane;
  for (; i + 8 <= t.to; i += kLanes) {
    const Four p0 = load(f0 + i), p1 = load(f1 + i), q0 = load(g0 + i), q1 = load(g1 + i);
    s00 += p0 * q0, s01 += p0 * q1, s10 += p1 * q0, s11 += p1 * q1;
    const Four u0 = load(f0 + i + 4), u1 = load(f1 + i + 4), v0 = load(g0 + i + 4), v1 = load(g1 + i + 4);
    r00 += u0 * v0, r01 += u0 * v1, r10 += u1 * v0, r11 += u1 * v1;
  }
  double all[4][8];
  store(all[0], s00), store(all[0] + 4, r00), store(all[1], s01), store(all[1] + 4, r01);
  store(all[2], s10), store(all[2] + 4, r10), store(all[3], s11), store(all[3] + 4, r11);
  for (std::size_t j = 0; i + j < t.to && j < 8; ++j) {  // the plane's end, where not all lanes have a point
    all[0][j] += f0[i + j] * g0[i + j], all[1][j] += f0[i + j] * g1[i + j];
    all[2][j] += f1[i + j] * g0[i + j], all[3][j] += f1[i + j] * g1[i + j];
  }
  for (std::size_t j = 0; j < 8; ++j) {
    double* const to = t.sums + (lane + j) * t.apart;
    to[kTile * a + b] = all[0][j], to[kTile * a + b + 1] = all[1][j];
    to[kTile * (a + 1) + b] = all[2][j], to[kTile * (a + 1) + b + 1] = all[3][j];
  }
}

void tile(const TileSum& t) {
  for (std::size_t lane = 0; lane < kLanes; lane += 8) {
    for (int a = 0; a < kTile; a += 2) {
      for (int b = 0; b < kTile; b += 2) tilePart(t, a, b, lane);
    }
  }
}

template <int columns>
void rotateColumns(const Rotation& r) {
  const auto count = static_cast<std::size_t>(r.count);
  const double* const q = r.q + static_cast<std::size_t>(r.b) * count;
  double* const out = r.out + static_cast<std::size_t>(r.b) * r.points;
  std::size_t i = r.from;
  for (; i + 8 <= r.to; i += 8) {
    Four low[columns] = {}, high[columns] = {};
    for (std::size_t a = 0; a < count; ++a) {
      const double* const row_of = r.from_states + a * r.points + i;
      const Four one = load(row_of), other = load(row_of + 4);
#pragma GCC unroll 4
      for (int b = 0; b < columns; ++b) {
        const double factor = q[static_cast<std::size_t>(b) * count + a];
        low[b] += factor * one;
        high[b] += factor * other;
      }
    }
#pragma GCC unroll 4
    for (int b = 0; b < columns; ++b) {
      store(out + static_cast<std::size_t>(b) * r.points + i, low[b]);
      store(out + static_cast<std::size_t>(b) * r.points + i + 4, high[b]);
    }
  }
  for (; i < r.to; ++i) {
    for (int b = 0; b < columns; ++b) {
      double sum = 0;
      for (std::size_t a = 0; a < count; ++a) {
        sum += q[static_cast<std::size_t>(b) * count + a] * r.from_states[a * r.points + i];
      }
      out[static_cast<std::size_t>(b) * r.points + i] = sum;
    }
  }
}

void rotate(const Rotation& r) {
  if (r.columns == 4) return rotateColumns<4>(r);
  if (r.columns == 3) return rotateColumns<3>(r);
  if (r.columns == 2) return rotateColumns<2>(r);
  rotateColumns<1>(r);
}

}  // namespace simscope::eigenstates2d::SIMSCOPE_LANES
