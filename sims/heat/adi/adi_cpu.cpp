#include <algorithm>
#include <cstddef>
#include <vector>

#include "sims/compute/lanes/flush_denormals.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/heat/adi/adi.h"

namespace simscope::heat {
namespace {

// The explicit part d of one cell.
inline float explicitPart(float own, float up, float down, double h) {
  const double twice = 2.0 * static_cast<double>(own);
  return static_cast<float>(static_cast<double>(own) +
                            h * ((static_cast<double>(up) + static_cast<double>(down)) - twice));
}

constexpr int kLanes = 16;  // lines that are solved side by side: a cache line of floats

struct HalfStep {
  float* u;
  float* star;
  float* columns;  // of ranks: this rank's columns of the right-hand sides, whole, one row of them after the other
  compute::Slab slab;
  int n;
  Boundary boundary;
  const AdiFactors* factors;
  int extent;  // lines: rows of the slab, or columns
  void (*block)(const HalfStep& self, int first, float* work);

  static void run(const void* context, std::size_t index) {
    const HalfStep& self = *static_cast<const HalfStep*>(context);
    const compute::FlushDenormals guard;
    thread_local std::vector<float> work;
    work.resize(static_cast<std::size_t>(self.n) * kLanes);
    self.block(self, static_cast<int>(index) * kLanes, work.data());
  }
  int lines(int first) const { return std::min(kLanes, extent - first); }
  // The neighbour row in direction `by` (±1) as the boundary has it; a wall's own row for the fixed boundary, where
  // nothing is taken from it.
  const float* neighbour(int y, int by) const {
    int at = y + by;
    if (at < 0 || at >= n) at = boundary == Boundary::Periodic ? slab.joined(at) : y;
    return u + slab.at(0, at);
  }
};

// Solves kLanes systems whose right-hand sides lie side by side in `work`.
[[gnu::always_inline]] inline void solve(const AdiFactors& f, int n, float* __restrict work) {
  const double h = f.h;
  double carry[kLanes] = {};
  for (int i = 0; i < n; ++i) {
    float* const at = work + static_cast<std::size_t>(i) * kLanes;
    const double scale = f.scale[static_cast<std::size_t>(i)];
    for (int lane = 0; lane < kLanes; ++lane) {
      carry[lane] = (static_cast<double>(at[lane]) + h * carry[lane]) * scale;
      at[lane] = static_cast<float>(carry[lane]);
    }
  }
  for (double& value : carry) value = 0;
  for (int i = n - 1; i >= 0; --i) {
    float* const at = work + static_cast<std::size_t>(i) * kLanes;
    const double back = f.back[static_cast<std::size_t>(i)];
    for (int lane = 0; lane < kLanes; ++lane) {
      carry[lane] = static_cast<double>(at[lane]) + back * carry[lane];
      at[lane] = static_cast<float>(carry[lane]);
    }
  }
  if (!f.closed) return;
  double share[kLanes];
  const float* const last = work + static_cast<std::size_t>(n - 1) * kLanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    share[lane] = (static_cast<double>(work[lane]) + f.tail * static_cast<double>(last[lane])) * f.denominator;
  }
  for (int i = 0; i < n; ++i) {
    float* const at = work + static_cast<std::size_t>(i) * kLanes;
    const double q = f.q[static_cast<std::size_t>(i)];
    for (int lane = 0; lane < kLanes; ++lane) {
      at[lane] = static_cast<float>(static_cast<double>(at[lane]) - share[lane] * q);
    }
  }
}

// u* of the slab's rows [first, first + kLanes): implicit along x. Rows are turned so that one vector holds one column.
[[gnu::always_inline]] inline void rowsBody(const HalfStep& s, int first, float* __restrict work) {
  const int n = s.n, lines = s.lines(first);
  float tile[kLanes][kLanes] = {};
  for (int x0 = 0; x0 < n; x0 += kLanes) {
    const int width = std::min(kLanes, n - x0);
    for (int line = 0; line < lines; ++line) {
      const int y = s.slab.first + first + line;
      const float* const own = s.u + s.slab.at(x0, y);
      const float* const up = s.neighbour(y, -1) + x0;
      const float* const down = s.neighbour(y, 1) + x0;
      if (s.boundary == Boundary::Fixed && (y == 0 || y == n - 1)) {
        for (int x = 0; x < width; ++x) tile[line][x] = 0;
      } else {
        for (int x = 0; x < width; ++x) tile[line][x] = explicitPart(own[x], up[x], down[x], s.factors->h);
      }
    }
    for (int x = 0; x < width; ++x) {
      for (int line = 0; line < kLanes; ++line) work[static_cast<std::size_t>(x0 + x) * kLanes + line] = tile[line][x];
    }
  }
  solve(*s.factors, n, work);
  for (int x0 = 0; x0 < n; x0 += kLanes) {
    const int width = std::min(kLanes, n - x0);
    for (int line = 0; line < lines; ++line) {
      float* const to = s.star + s.slab.at(x0, s.slab.first + first + line);
      for (int x = 0; x < width; ++x) to[x] = work[static_cast<std::size_t>(x0 + x) * kLanes + line];
    }
  }
}

// uⁿ⁺¹ of the columns [first, first + kLanes): implicit along y. Only these columns of u are read, so in place.
[[gnu::always_inline]] inline void columnsBody(const HalfStep& s, int first, float* __restrict work) {
  const int n = s.n, lines = s.lines(first);
  for (int y = 0; y < n; ++y) {
    const float* const own = s.u + static_cast<std::size_t>(y) * n + first;
    const float* const up = s.neighbour(y, -1) + first;
    const float* const down = s.neighbour(y, 1) + first;
    const float* const star = s.star + static_cast<std::size_t>(y) * n + first;
    float* const to = work + static_cast<std::size_t>(y) * kLanes;
    for (int line = 0; line < lines; ++line) {
      const float d = explicitPart(own[line], up[line], down[line], s.factors->h);
      to[line] = static_cast<float>(2.0 * static_cast<double>(star[line]) - static_cast<double>(d));
    }
    for (int line = lines; line < kLanes; ++line) to[line] = 0;
  }
  solve(*s.factors, n, work);
  for (int y = 0; y < n; ++y) {
    std::copy_n(work + static_cast<std::size_t>(y) * kLanes, lines, s.u + static_cast<std::size_t>(y) * n + first);
  }
}

// The same in three parts, where ranks have a slab of the rows each. The right-hand sides of the slab's rows [first,
// first + kLanes), in the place of u*;
[[gnu::always_inline]] inline void sidesBody(const HalfStep& s, int first, float*) {
  for (int y = s.slab.first + first; y < s.slab.first + first + s.lines(first); ++y) {
    const float* const own = s.u + s.slab.at(0, y);
    const float* const up = s.neighbour(y, -1);
    const float* const down = s.neighbour(y, 1);
    float* const star = s.star + s.slab.at(0, y);
    for (int x = 0; x < s.n; ++x) {
      const float d = explicitPart(own[x], up[x], down[x], s.factors->h);
      star[x] = static_cast<float>(2.0 * static_cast<double>(star[x]) - static_cast<double>(d));
    }
  }
}
// and the solution of the columns [first, first + kLanes) of those that this rank has whole.
[[gnu::always_inline]] inline void turnedBody(const HalfStep& s, int first, float* __restrict work) {
  const int lines = s.lines(first);
  for (int y = 0; y < s.n; ++y) {
    const float* const from = s.columns + static_cast<std::size_t>(y) * s.extent + first;
    float* const to = work + static_cast<std::size_t>(y) * kLanes;
    for (int line = 0; line < kLanes; ++line) to[line] = line < lines ? from[line] : 0;
  }
  solve(*s.factors, s.n, work);
  for (int y = 0; y < s.n; ++y) {
    std::copy_n(work + static_cast<std::size_t>(y) * kLanes, lines,
                s.columns + static_cast<std::size_t>(y) * s.extent + first);
  }
}

using Block = void (*)(const HalfStep& self, int first, float* work);

void rowsPortable(const HalfStep& s, int first, float* work) {
  rowsBody(s, first, work);
}
void columnsPortable(const HalfStep& s, int first, float* work) {
  columnsBody(s, first, work);
}
void sidesPortable(const HalfStep& s, int first, float* work) {
  sidesBody(s, first, work);
}
void turnedPortable(const HalfStep& s, int first, float* work) {
  turnedBody(s, first, work);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] void rowsAvx2(const HalfStep& s, int first, float* work) {
  rowsBody(s, first, work);
}
[[gnu::target("avx2")]] void columnsAvx2(const HalfStep& s, int first, float* work) {
  columnsBody(s, first, work);
}
[[gnu::target("avx2")]] void sidesAvx2(const HalfStep& s, int first, float* work) {
  sidesBody(s, first, work);
}
[[gnu::target("avx2")]] void turnedAvx2(const HalfStep& s, int first, float* work) {
  turnedBody(s, first, work);
}
#endif

struct Blocks {
  Block rows = rowsPortable;
  Block columns = columnsPortable;
  Block sides = sidesPortable;
  Block turned = turnedPortable;
};

Blocks choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return {rowsAvx2, columnsAvx2, sidesAvx2, turnedAvx2};
#endif
  return {};
}

}  // namespace

void adiStepOnCpu(compute::Device& device, float* u, float* scratch, const compute::Slab& slab, Boundary boundary,
                  const AdiFactors& factors) {
  static const Blocks chosen = choose();
  const int n = slab.n;
  std::vector<float> columns;
  const auto each = [&](Block block, int lines) {
    const HalfStep half{u, scratch, columns.data(), slab, n, boundary, &factors, lines, block};
    const auto blocks = static_cast<std::size_t>((lines + kLanes - 1) / kLanes);
    compute::detail::runBlocks(device, blocks, &HalfStep::run, &half);
    device.countLaunches();
  };
  each(chosen.rows, slab.count);
  if (!device.ranks()) return each(chosen.columns, n);
  // Ranks solve as many columns each as they have rows.
  each(chosen.sides, slab.count);
  columns.resize(static_cast<std::size_t>(slab.count) * static_cast<std::size_t>(n));
  compute::turnToColumns(device, slab, scratch + slab.at(0, slab.first), columns.data(), sizeof(float));
  each(chosen.turned, slab.count);
  compute::turnToRows(device, slab, columns.data(), u + slab.at(0, slab.first), sizeof(float));
}

}  // namespace simscope::heat
