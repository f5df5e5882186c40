#include "sims/heat/explicit_cuda.h"

#if SIMSCOPE_HAVE_CUDA

#include <algorithm>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/heat/stencil.h"

namespace simscope::heat {
namespace {

constexpr int kColumns = 128;  // of a tile
constexpr int kHalo = kCudaSteps;
constexpr int kOwnedColumns = kColumns - 2 * kHalo;
static_assert(kHalo % 4 == 0);

}  // namespace

namespace kernels {

// How much of the field a block of threads takes: kWarps stripes of kRows rows; kBlocks of them share a multiprocessor.
template <int kRows_, int kWarps_, int kBlocks_>
struct Tile {
  static constexpr int kRows = kRows_, kWarps = kWarps_, kBlocks = kBlocks_;
  static constexpr int kThreads = kWarps * 32;
  static constexpr int kOwnedRows = kWarps * kRows - 2 * kHalo;
};
// Two blocks overlap each other's waiting for memory. 2048² cells take a single round of the large ones on the 132
// multiprocessors of an H100; the small ones suit small fields.
using SmallTile = Tile<16, 8, 2>;
using LargeTile = Tile<22, 8, 2>;

// The rows of tiles that a launch takes: of all, which are spread over the slab, every `every`-th from `first` on.
struct TileRows {
  int first, every, all;
};

struct Row {
  float v[4];
};

__device__ __forceinline__ Row loadRow(const float* at) {
  const float4 f = *reinterpret_cast<const float4*>(at);
  return {{f.x, f.y, f.z, f.w}};
}
__device__ __forceinline__ void storeRow(float* at, const Row& row) {
  *reinterpret_cast<float4*>(at) = make_float4(row.v[0], row.v[1], row.v[2], row.v[3]);
}

// Whether a wall lies among a thread's own cells of its tile. A wall's column is the first or the last of a lane's
// four. Its row is row kHalo of the first stripe or row kRows - 1 - kHalo of the last one: tiles are spread evenly from
// the first row to the last, and no other tile comes within kHalo rows of a wall.
struct Walls {
  bool left, right, top, bottom;
};

template <Boundary kBoundary>
__device__ __forceinline__ Row nextRow(const Row& own, const Row& north, const Row& south, const Walls& walls, float r,
                                       bool wall_row) {
  float west = __shfl_up_sync(0xffffffffu, own.v[3], 1);
  float east = __shfl_down_sync(0xffffffffu, own.v[0], 1);
  if (kBoundary == Boundary::Insulated) {
    if (walls.left) west = own.v[0];
    if (walls.right) east = own.v[3];
  }
  Row next;
  next.v[0] = diffused(own.v[0], west, own.v[1], north.v[0], south.v[0], r);
  next.v[1] = diffused(own.v[1], own.v[0], own.v[2], north.v[1], south.v[1], r);
  next.v[2] = diffused(own.v[2], own.v[1], own.v[3], north.v[2], south.v[2], r);
  next.v[3] = diffused(own.v[3], own.v[2], east, north.v[3], south.v[3], r);
  if (kBoundary == Boundary::Fixed) {
    if (walls.left || wall_row) next.v[0] = 0.0f;
    if (wall_row) next.v[1] = next.v[2] = 0.0f;
    if (walls.right || wall_row) next.v[3] = 0.0f;
  }
  return next;
}

// Row `row` of a stripe a step later. The loops over rows are unrolled, so only two of them look for a wall.
template <class Tile, Boundary kBoundary>
__device__ __forceinline__ Row stepRow(int row, const Row& own, Row north, Row south, const Walls& walls, float r) {
  bool wall_row = false;
  if (row == kHalo) {
    wall_row = walls.top;
    if (kBoundary == Boundary::Insulated && walls.top) north = own;
  }
  if (row == Tile::kRows - 1 - kHalo) {
    wall_row = wall_row || walls.bottom;
    if (kBoundary == Boundary::Insulated && walls.bottom) south = own;
  }
  return nextRow<kBoundary>(own, north, south, walls, r, wall_row);
}

// The outer rows of a block's stripes, as float4 a lane.
template <class Tile>
struct Exchange {
  float4 first[Tile::kWarps][32];
  float4 last[Tile::kWarps][32];
};

// The rows around a stripe. Beyond the tile they are placeholders; the cells computed from those lie in the part of the
// halo that the step makes invalid.
template <class Tile>
__device__ __forceinline__ Row rowAbove(const Exchange<Tile>& exchange, int warp, int lane) {
  return loadRow(reinterpret_cast<const float*>(&exchange.last[max(warp - 1, 0)][lane]));
}
template <class Tile>
__device__ __forceinline__ Row rowBelow(const Exchange<Tile>& exchange, int warp, int lane) {
  return loadRow(reinterpret_cast<const float*>(&exchange.first[min(warp + 1, Tile::kWarps - 1)][lane]));
}
template <class Tile>
__device__ __forceinline__ void exchangeRows(Exchange<Tile>& exchange, int warp, int lane, const Row& first,
                                             const Row& last) {
  storeRow(reinterpret_cast<float*>(&exchange.first[warp][lane]), first);
  storeRow(reinterpret_cast<float*>(&exchange.last[warp][lane]), last);
  __syncthreads();
}

// 2·pairs steps. A row's next value overwrites the neighbour that only this row still needed: sweeping down, the row
// above; sweeping up, the row below. So rows move by one place and back, and no register is copied.
template <class Tile, Boundary kBoundary>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocks)
    advanceTiles(const float* __restrict__ from, float* __restrict__ to, const compute::Slab slab, float r, int pairs,
                 const TileRows rows) {
  constexpr int kRows = Tile::kRows, kWarps = Tile::kWarps;
  // One for either sweep: a stripe may write for the next one while its neighbour still reads for this one.
  __shared__ Exchange<Tile> down_exchange, up_exchange;

  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int n = slab.n;
  const int tile_x = min(static_cast<int>(blockIdx.x) * kOwnedColumns, n - kOwnedColumns) - kHalo;
  const int spread = (slab.count - Tile::kOwnedRows) * (rows.first + static_cast<int>(blockIdx.y) * rows.every);
  const int tile_y = slab.first + spread / max(rows.all - 1, 1) - kHalo;
  int x = tile_x + 4 * lane;
  const int y0 = tile_y + warp * kRows;

  Walls walls{};
  if (kBoundary != Boundary::Periodic) {
    walls.left = x == 0;
    walls.right = x == n - 4;
    walls.top = y0 + kHalo == 0 && warp == 0;
    walls.bottom = y0 + kRows - 1 - kHalo == n - 1 && warp == kWarps - 1;
  }
  if (kBoundary == Boundary::Periodic) x = x < 0 ? x + n : x >= n ? x - n : x;

  Row place[kRows + 1];  // row i of the stripe is in place i + 1 before a sweep down and in place i before one up
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    int y = y0 + row;
    if (kBoundary == Boundary::Periodic) {
      place[row + 1] = loadRow(from + slab.at(x, slab.joined(y)));
    } else {
      const bool inside = x >= 0 && x < n && y >= 0 && y < n;
      place[row + 1] = inside ? loadRow(from + slab.at(x, y)) : Row{};
    }
  }

#pragma unroll 1
  for (int pair = 0; pair < pairs; ++pair) {
    exchangeRows<Tile>(down_exchange, warp, lane, place[1], place[kRows]);
    place[0] = rowAbove<Tile>(down_exchange, warp, lane);
    const Row below = rowBelow<Tile>(down_exchange, warp, lane);
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const Row south = row + 1 < kRows ? place[row + 1 < kRows ? row + 2 : 0] : below;
      place[row] = stepRow<Tile, kBoundary>(row, place[row + 1], place[row], south, walls, r);
    }

    exchangeRows<Tile>(up_exchange, warp, lane, place[0], place[kRows - 1]);
    place[kRows] = rowBelow<Tile>(up_exchange, warp, lane);
    const Row above = rowAbove<Tile>(up_exchange, warp, lane);
#pragma unroll
    for (int row = kRows - 1; row >= 0; --row) {
      const Row north = row > 0 ? place[row > 0 ? row - 1 : 0] : above;
      place[row + 1] = stepRow<Tile, kBoundary>(row, place[row], north, place[row + 1], walls, r);
    }
  }

  if (lane < kHalo / 4 || lane >= 32 - kHalo / 4) return;
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    const int within = warp * kRows + row;
    if (within >= kHalo && within < kWarps * kRows - kHalo) {
      storeRow(to + slab.at(x, y0 + row), place[row + 1]);
    }
  }
}

__global__ void stepPlain(const float* __restrict__ from, float* __restrict__ to, const compute::Slab slab, float r,
                          Boundary boundary) {
  const int n = slab.n;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = slab.first + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= n || y >= slab.end()) return;
  const bool periodic = boundary == Boundary::Periodic;
  // Beyond an insulated edge a cell's neighbour is the cell itself.
  const int left = x > 0 ? x - 1 : periodic ? n - 1 : x, right = x < n - 1 ? x + 1 : periodic ? 0 : x;
  const int up = periodic ? slab.joined(y - 1) : max(y - 1, 0),
            down = periodic ? slab.joined(y + 1) : min(y + 1, n - 1);
  const float* const row = from + slab.at(0, y);
  float next = diffused(row[x], row[left], row[right], from[slab.at(x, up)], from[slab.at(x, down)], r);
  if (boundary == Boundary::Fixed && (x == 0 || y == 0 || x == n - 1 || y == n - 1)) next = 0.0f;
  to[slab.at(x, y)] = next;
}

}  // namespace kernels

namespace {

template <class Tile>
dim3 tilesFor(int n, int rows) {
  return dim3(static_cast<unsigned>((n + kOwnedColumns - 1) / kOwnedColumns),
              static_cast<unsigned>((rows + Tile::kOwnedRows - 1) / Tile::kOwnedRows));
}

// Rounds of tiles that the device needs, times the rows that a multiprocessor works through in a round.
// -1 where this tile does not fit the field.
template <class Tile>
long costOf(int multiprocessors, int n, int rows) {
  if (n < kOwnedColumns || !(rows == Tile::kOwnedRows || rows >= Tile::kOwnedRows + kHalo)) return -1;
  const dim3 tiles = tilesFor<Tile>(n, rows);
  const long slots = static_cast<long>(Tile::kBlocks) * multiprocessors, count = static_cast<long>(tiles.x) * tiles.y;
  return (count + slots - 1) / slots * Tile::kBlocks * Tile::kWarps * Tile::kRows;
}

template <class Tile, Boundary kBoundary>
void launch(compute::Device& device, const ExplicitPass& p, const compute::Slab& slab, bool marks) {
  const auto stream = static_cast<cudaStream_t>(device.stream());
  const dim3 tiles = tilesFor<Tile>(p.n, slab.count);
  const int all = static_cast<int>(tiles.y);
  const auto enqueue = [&](int count, const kernels::TileRows& rows) {
    const dim3 grid(tiles.x, static_cast<unsigned>(count));
    kernels::advanceTiles<Tile, kBoundary>
        <<<grid, Tile::kThreads, 0, stream>>>(p.from, p.to, slab, p.r, p.steps / 2, rows);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device.countLaunches();
  };
  if (!marks || all < 3) {
    enqueue(all, {0, 1, all});
    if (marks) device.mark();
    return;
  }
  enqueue(2, {0, all - 1, all});
  device.mark();
  enqueue(all - 2, {1, 1, all});
}

template <class Tile>
void launchTiles(compute::Device& device, const ExplicitPass& p, const compute::Slab& slab, bool marks) {
  switch (p.boundary) {
    case Boundary::Fixed:
      return launch<Tile, Boundary::Fixed>(device, p, slab, marks);
    case Boundary::Insulated:
      return launch<Tile, Boundary::Insulated>(device, p, slab, marks);
    case Boundary::Periodic:
      return launch<Tile, Boundary::Periodic>(device, p, slab, marks);
  }
}

}  // namespace

bool blockedOnCuda(int n, int ranks) {
  const int least = n / ranks, most = compute::largestSlab(n, ranks);
  return n % 4 == 0 && costOf<kernels::SmallTile>(1, n, least) > 0 && costOf<kernels::SmallTile>(1, n, most) > 0;
}

void stepOnCuda(compute::Device& device, const ExplicitPass& p, const compute::Slab& slab) {
  const auto stream = static_cast<cudaStream_t>(device.stream());
  const dim3 threads(32, 8);
  const dim3 blocks((static_cast<unsigned>(p.n) + 31u) / 32u, (static_cast<unsigned>(slab.count) + 7u) / 8u);
  kernels::stepPlain<<<blocks, threads, 0, stream>>>(p.from, p.to, slab, p.r, p.boundary);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

void advanceOnCuda(compute::Device& device, const ExplicitPass& p, const compute::Slab& slab, bool marks) {
  const int multiprocessors = device.info().threads;
  const long small = p.n % 4 == 0 ? costOf<kernels::SmallTile>(multiprocessors, p.n, slab.count) : -1;
  if (p.steps == 1 || small < 0) {
    stepOnCuda(device, p, slab);
    if (marks) device.mark();
    return;
  }
  const long large = costOf<kernels::LargeTile>(multiprocessors, p.n, slab.count);
  if (large > 0 && large < small) {
    launchTiles<kernels::LargeTile>(device, p, slab, marks);
  } else {
    launchTiles<kernels::SmallTile>(device, p, slab, marks);
  }
}

}  // namespace simscope::heat

#endif  // SIMSCOPE_HAVE_CUDA
