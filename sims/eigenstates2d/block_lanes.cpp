#define SIMSCOPE_LANES lanes_plain
#include "sims/eigenstates2d/block_lanes.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <vector>

#include "sims/eigenstates2d/block_lanes_kernels.h"

namespace simscope::eigenstates2d {

LaneKernels plainLanes() {
  return {lanes_plain::row, lanes_plain::tile, lanes_plain::rotate};
}

const compute::KernelList<LaneKernels>& supportedLanes() {
  static const auto list = compute::kernelList(plainLanes(), SIMSCOPE_ON_X86(avx2Lanes), nullptr);
  return list;
}

namespace {

// Row r of all states' rows.
struct Rows {
  Operator h;
  const double* wall;  // n zeros
  void (*kernel)(const RowTerm&);

  void operator()(std::size_t r, const Term& term, const double* y, const double* x, double* out) const {
    const auto n = static_cast<std::size_t>(h.n);
    const std::size_t line = r % n, state = r / n;
    const double* const own = y + r * n;
    kernel({h.n, h.near, h.far, term.scale, term.centres ? term.centres[state] : term.centre, term.back,
            h.diagonal + line * n, line > 1 ? own - 2 * n : wall, line > 0 ? own - n : wall, own,
            line + 1 < n ? own + n : wall, line + 2 < n ? own + 2 * n : wall, x + r * n, out + r * n});
  }
};

}  // namespace

void applyTermByLanes(compute::Device& device, const Operator& h, int count, const Term& term, const double* y,
                      const double* x, double* out) {
  device.countLaunches();
  const auto n = static_cast<std::size_t>(h.n);
  const std::vector<double> beyond(n, 0.0);
  const Rows rows{h, beyond.data(), supportedLanes().widest().row};
  constexpr std::size_t kRows = 32;
  const std::size_t all = n * static_cast<std::size_t>(count);
  tbb::parallel_for(std::size_t{0}, (all + kRows - 1) / kRows, [&](std::size_t piece) {
    for (std::size_t r = piece * kRows; r < std::min(all, (piece + 1) * kRows); ++r) rows(r, term, y, x, out);
  });
}

void applyTermsByLanes(compute::Device& device, const Operator& h, int count, std::span<const Term> terms, double* one,
                       double* other) {
  device.countLaunches(terms.size());
  const auto n = static_cast<std::size_t>(h.n);
  const std::vector<double> beyond(n, 0.0);
  const Rows rows{h, beyond.data(), supportedLanes().widest().row};
  tbb::parallel_for(std::size_t{0}, static_cast<std::size_t>(count), [&](std::size_t state) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      double *const now = i % 2 == 0 ? one : other, *const next = i % 2 == 0 ? other : one;
      for (std::size_t r = state * n; r < (state + 1) * n; ++r) rows(r, terms[i], now, i == 0 ? now : next, next);
    }
  });
}

void gramByLanes(const Chunks& chunks, int count, const double* f, const double* g, double* partials) {
  const std::vector<Pair> tiles = tilesOf(count);
  const auto kernel = supportedLanes().widest().tile;
  tbb::parallel_for(std::size_t{0}, tiles.size() * chunks.segments, [&](std::size_t item) {
    const std::size_t segment = item / tiles.size(), which = item % tiles.size();
    constexpr std::size_t kTileSize = std::size_t{kTile} * kTile;
    TileSum t{};
    t.from = segment * kLanes * chunks.rounds;
    t.to = std::min(t.from + kLanes * chunks.rounds, chunks.points);
    t.apart = tiles.size() * kTileSize;
    t.sums = partials + (segment * kLanes * tiles.size() + which) * kTileSize;
    for (int j = 0; j < kTile; ++j) {
      const auto state = [&](int tile) { return static_cast<std::size_t>(std::min(kTile * tile + j, count - 1)); };
      t.f[j] = f + state(tiles[which].first) * chunks.points;
      t.g[j] = g + state(tiles[which].second) * chunks.points;
    }
    kernel(t);
  });
}

void rotateByLanes(std::size_t points, int count, const double* from, const double* q, double* to) {
  constexpr std::size_t kPiece = 512;  // points of all states together stay in the cache
  const auto kernel = supportedLanes().widest().rotate;
  tbb::parallel_for(std::size_t{0}, (points + kPiece - 1) / kPiece, [&](std::size_t piece) {
    const std::size_t begin = piece * kPiece, end = std::min(points, begin + kPiece);
    for (int b = 0; b < count; b += kTile)
      kernel({from, q, points, count, b, std::min(kTile, count - b), begin, end, to});
  });
}

}  // namespace simscope::eigenstates2d
