// Explicit steps of a rule for a cell and its four neighbours, on a square whose edges are joined: several steps in one
// pass over memory. Each tile is read with a halo of one cell a step, advanced in registers or cache, and written once.
//
//   struct Cell { float u, v; };  // one float, or two
//   struct Rule {
//     SIMSCOPE_HD Cell step(Cell own, Cell west, Cell east, Cell north, Cell south) const;
//   };
//   stencilSteps(device, now, next, n, steps, rule)   `now` becomes the state after so many steps; `next` is scratch.
// Buffers hold n·n cells, row-major; n is a power of two from 64 on. With a slab (sims/compute/ranks/slab.h) instead of
// n they hold its rows, and all ranks call it: the halo is exchanged before each pass, as deep as the pass has steps,
// on CUDA while the rows far from it are computed. On the CPU numbers below 1.2e-38 count as zero. A
// cell's arithmetic does not depend on the blocking: n steps at once equal n single steps to the bit for any number of
// threads. Both backends give the same bits where the source is compiled with -ffp-contract=off, -fmad=false, and
// -ftz=true.
//
// Device sources (*.cu) only, as sims/compute/loops/parallel.h. Thread: inside Device::run; enqueued.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "sims/compute/buffer.h"
#include "sims/compute/lanes/flush_denormals.h"
#include "sims/compute/lanes/instruction_sets.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/ranks/slab.h"

namespace simscope::compute {

// Steps in one pass, at most.
inline constexpr int kStencilCpuSteps = 8, kStencilCudaSteps = 4;
inline int stencilStepsAtOnce(const Device& device) {
  return device.isCuda() ? kStencilCudaSteps : kStencilCpuSteps;
}

namespace detail {

template <class Cell, class Rule>
struct StencilPass {
  const Cell* from;
  Cell* to;
  int n, steps;
  Rule rule;
  Slab slab;
  int first_row = 0;  // of tiles, on CUDA
};

// On the CPU, a task's tile is one plane a component, at two time levels that alternate, in the second-level cache.
// Rows are aligned to vectors and are whole vectors long: all kSides columns beside the tile are computed, too, and
// become invalid from outside in.
inline constexpr int kTileRows = 32, kTileColumns = 256, kSides = kStencilCpuSteps, kTilePad = 16;
inline constexpr int kTilePitch = kTilePad + kTileColumns + 2 * kSides + kTilePad;
inline constexpr int kTilePlane = (kTileRows + 2 * kStencilCpuSteps) * kTilePitch;
static_assert(2 * kSides % kTilePad == 0 && kTileColumns % kTilePad == 0);

template <class Cell, class Rule>
SIMSCOPE_WIDEST void stencilRow(const float* own, float* __restrict to, int count, const Rule rule) {
  constexpr int kFields = sizeof(Cell) / sizeof(float);
  const auto cell = [own](int at) {
    std::array<float, kFields> values;
    for (int f = 0; f < kFields; ++f) values[f] = own[f * kTilePlane + at];
    return std::bit_cast<Cell>(values);
  };
  for (int x = 0; x < count; ++x) {
    const Cell next = rule.step(cell(x), cell(x - 1), cell(x + 1), cell(x - kTilePitch), cell(x + kTilePitch));
    const auto values = std::bit_cast<std::array<float, kFields>>(next);
    for (int f = 0; f < kFields; ++f) to[f * kTilePlane + x] = values[f];
  }
}

template <class Cell, class Rule>
void stencilTile(const void* context, std::size_t tile) {
  constexpr int kFields = sizeof(Cell) / sizeof(float);
  const auto& p = *static_cast<const StencilPass<Cell, Rule>*>(context);
  const FlushDenormals guard;
  alignas(64) float levels[2][kFields * kTilePlane];
  const int halo = p.steps, width = std::min(kTileColumns, p.n), across = p.n / width, mask = p.n - 1;
  const int x0 = static_cast<int>(tile) % across * width, down = static_cast<int>(tile) / across * kTileRows;
  const int y0 = p.slab.first + down, height = std::min(kTileRows, p.slab.count - down);
  const auto place = [](int x, int y) { return y * kTilePitch + kTilePad + x; };
  for (int y = 0; y < height + 2 * halo; ++y) {
    const Cell* const row = p.from + p.slab.at(0, p.slab.joined(y0 - halo + y));
    const auto load = [&](int x, int from, int count) {
      for (int i = 0; i < count; ++i) {
        const auto values = std::bit_cast<std::array<float, kFields>>(row[from + i]);
        for (int f = 0; f < kFields; ++f) levels[0][f * kTilePlane + place(x + i, y)] = values[f];
      }
    };
    load(0, (x0 - kSides) & mask, kSides);
    load(kSides, x0, width);
    load(kSides + width, (x0 + width) & mask, kSides);
    for (int i = 0; i < 2 * kFields; ++i) {  // neighbours of the outermost columns
      float* const plane = levels[i % 2] + i / 2 * kTilePlane;
      plane[place(-1, y)] = plane[place(width + 2 * kSides, y)] = 0;
    }
  }
  for (int step = 1; step <= halo; ++step) {
    for (int y = step; y < height + 2 * halo - step; ++y) {
      stencilRow<Cell>(levels[(step - 1) % 2] + place(0, y), levels[step % 2] + place(0, y), width + 2 * kSides,
                       p.rule);
    }
  }
  for (int y = 0; y < height; ++y) {
    Cell* const row = p.to + p.slab.at(x0, y0 + y);
    for (int x = 0; x < width; ++x) {
      std::array<float, kFields> values;
      for (int f = 0; f < kFields; ++f) values[f] = levels[halo % 2][f * kTilePlane + place(kSides + x, halo + y)];
      row[x] = std::bit_cast<Cell>(values);
    }
  }
}

#if SIMSCOPE_HAVE_CUDA

// On CUDA, a block of threads holds its tile in registers: a warp holds kRows rows of it, a lane four columns of them.
// Neighbours at the sides come by shuffles, those above and below a warp's rows through shared memory. Cells at the
// tile's rim lack a neighbour, which makes one layer of the halo invalid a step.
template <int kRows_, int kWarps_>
struct StencilTile {
  static constexpr int kRows = kRows_, kWarps = kWarps_, kHalo = kStencilCudaSteps;
  static constexpr int kOwnedRows = kRows * kWarps - 2 * kHalo, kOwnedColumns = 128 - 2 * kHalo;
};

template <class Cell>
struct alignas(4 * sizeof(Cell)) StencilFour {
  Cell at[4];
};

namespace kernels {

template <class Cell>
__device__ __forceinline__ Cell fromLane(const Cell& cell, int by) {
  constexpr int kFields = sizeof(Cell) / sizeof(float);
  Cell moved = cell;
  float* const values = reinterpret_cast<float*>(&moved);
#pragma unroll
  for (int f = 0; f < kFields; ++f) {
    values[f] = by < 0 ? __shfl_up_sync(~0u, values[f], 1) : __shfl_down_sync(~0u, values[f], 1);
  }
  return moved;
}

template <class Tile, class Cell, class Rule>
__global__ void __launch_bounds__(Tile::kWarps * 32, 2) advanceStencil(const StencilPass<Cell, Rule> p) {
  using Four = StencilFour<Cell>;
  constexpr int kRows = Tile::kRows, kWarps = Tile::kWarps, kHalo = Tile::kHalo;
  __shared__ Four rims[2][2][kWarps][32];  // two in turn, because a warp may be a step ahead of another
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32, mask = p.n - 1;
  const int x = static_cast<int>(blockIdx.x) * Tile::kOwnedColumns - kHalo + 4 * lane;
  const int tile_row = p.first_row + static_cast<int>(blockIdx.y);
  const int y = p.slab.first + tile_row * Tile::kOwnedRows - kHalo + warp * kRows;
  // No own cell of a slab needs rows beyond the halo.
  const int lowest = p.slab.first - p.slab.halo, highest = p.slab.end() + p.slab.halo - 1;
  const auto place = [&](int row) {
    const int joined = p.slab.halo > 0 ? min(max(y + row, lowest), highest) - lowest : (y + row) & mask;
    return static_cast<std::size_t>(joined) * p.n + (x & mask);
  };
  Four tile[kRows];
#pragma unroll
  for (int row = 0; row < kRows; ++row) tile[row] = *reinterpret_cast<const Four*>(p.from + place(row));
#pragma unroll 1
  for (int step = 0; step < p.steps; ++step) {
    auto& rim = rims[step % 2];
    rim[0][warp][lane] = tile[0];
    rim[1][warp][lane] = tile[kRows - 1];
    __syncthreads();
    Four north = rim[1][max(warp - 1, 0)][lane];
    const Four below = rim[0][min(warp + 1, kWarps - 1)][lane];
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      Four& own = tile[row];
      const Four south = row + 1 < kRows ? tile[(row + 1) % kRows] : below;
      Cell west = fromLane(own.at[3], -1);
      const Cell beyond = fromLane(own.at[0], 1);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const Cell east = i < 3 ? own.at[(i + 1) % 4] : beyond;
        const Cell next = p.rule.step(own.at[i], west, east, north.at[i], south.at[i]);
        north.at[i] = west = own.at[i];
        own.at[i] = next;
      }
    }
  }
  if (4 * lane < kHalo || 4 * lane >= kHalo + Tile::kOwnedColumns || x >= p.n) return;
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    const int within = warp * kRows + row - kHalo;
    if (within < 0 || within >= Tile::kOwnedRows || y + row >= p.slab.end()) continue;
    *reinterpret_cast<Four*>(p.to + place(row)) = tile[row];
  }
}

}  // namespace kernels

// Rows [first, end) of tiles.
template <class Tile, class Cell, class Rule>
void stencilTilesOnCuda(Device& device, StencilPass<Cell, Rule> pass, int first, int end) {
  if (first >= end) return;
  pass.first_row = first;
  const dim3 grid(static_cast<unsigned>((pass.n + Tile::kOwnedColumns - 1) / Tile::kOwnedColumns),
                  static_cast<unsigned>(end - first));
  kernels::advanceStencil<Tile><<<grid, Tile::kWarps * 32, 0, static_cast<cudaStream_t>(device.stream())>>>(pass);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

// Rows that other ranks wait for come first; the last of them may lie in two rows of tiles. `marks`: they are sent
// while the others are computed.
template <class Tile, class Cell, class Rule>
void stencilPassOnCuda(Device& device, const StencilPass<Cell, Rule>& pass, bool marks) {
  const int rows = (pass.slab.count + Tile::kOwnedRows - 1) / Tile::kOwnedRows;
  if (!marks || rows < 4) {
    stencilTilesOnCuda<Tile>(device, pass, 0, rows);
    if (marks) device.mark();
    return;
  }
  stencilTilesOnCuda<Tile>(device, pass, 0, 1);
  stencilTilesOnCuda<Tile>(device, pass, rows - 2, rows);
  device.mark();
  stencilTilesOnCuda<Tile>(device, pass, 1, rows - 2);
}

#endif  // SIMSCOPE_HAVE_CUDA

}  // namespace detail

template <class Cell, class Rule>
void stencilSteps(Device& device, Buffer<Cell>& now, Buffer<Cell>& next, const Slab& slab, int steps,
                  const Rule& rule) {
  static_assert(sizeof(Cell) == sizeof(float) || sizeof(Cell) == 2 * sizeof(float), "stencilSteps: one or two floats");
  const int n = slab.n;
  for (int left = steps; left > 0;) {
    const int once = std::min(left, stencilStepsAtOnce(device));
    const bool first = left == steps;
    left -= once;
    // The halo of the first pass; that of each later pass is sent during the pass before it.
    if (first || !device.isCuda()) exchangeHalo(device, slab, now.data(), sizeof(Cell), once, true);
    const detail::StencilPass<Cell, Rule> pass{now.data(), next.data(), n, once, rule, slab};
    if (device.isCuda()) {
#if SIMSCOPE_HAVE_CUDA
      const bool marks = slab.halo > 0 && left > 0;
      // Low tiles keep more multiprocessors busy on a small field; high ones repeat less work.
      if (slab.count <= 512) {
        detail::stencilPassOnCuda<detail::StencilTile<4, 8>>(device, pass, marks);
      } else {
        detail::stencilPassOnCuda<detail::StencilTile<6, 8>>(device, pass, marks);
      }
      if (marks) {
        const int following = std::min(left, stencilStepsAtOnce(device));
        exchangeHalo(device, slab, next.data(), sizeof(Cell), following, true, Device::Order::Aside);
        device.awaitExchange();
      }
#endif
    } else {
      device.countLaunches();
      const int tiles = ((slab.count - 1) / detail::kTileRows + 1) * (n / std::min(n, detail::kTileColumns));
      detail::runBlocks(device, static_cast<std::size_t>(tiles), &detail::stencilTile<Cell, Rule>, &pass);
    }
    std::swap(now, next);
  }
}

template <class Cell, class Rule>
void stencilSteps(Device& device, Buffer<Cell>& now, Buffer<Cell>& next, int n, int steps, const Rule& rule) {
  stencilSteps(device, now, next, wholeSlab(n), steps, rule);
}

}  // namespace simscope::compute
