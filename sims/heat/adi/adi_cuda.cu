#include "sims/heat/adi/adi.h"

#if SIMSCOPE_HAVE_CUDA

#include "sims/compute/cuda/cuda_check.h"

namespace simscope::heat {
namespace kernels {

// A block of threads solves a window of kLines lines: a warp takes a chunk of each, a lane one line's, in its
// registers.
constexpr int kLines = 32;
constexpr int kPitch = kLines + 1;  // of a tile, so that both its rows and its columns use all banks
constexpr int kMostThreads = kMostChunks * 32;
constexpr int kBlocks = 3;  // of the largest size, on one multiprocessor: leaves 48 registers to a thread
static_assert(kChunk == 32 && kLines == 32);

// First and last cells of chunks in one direction, for the chunks after them. Chunks are numbered in that direction.
struct Ends {
  float first[kMostChunks][kLines];
  float last[kMostChunks][kLines];
};

template <Way kWay>
__device__ __forceinline__ void runWindow(float (&v)[kChunk], Ends& ends, int chunk, int lane, const AdiWindows& s) {
  runAlong<kWay>(v, s.rho);
  ends.first[chunk][lane] = v[along<kWay>(0)];
  ends.last[chunk][lane] = v[along<kWay>(kChunk - 1)];
  __syncthreads();
  if (chunk > 0) {  // the first chunk keeps its guess: it lies in the halo
    const float beyond = chunk > 1 ? ends.last[chunk - 2][lane] : ends.first[0][lane];
    putRight<kWay>(v, arriving(ends.first[chunk - 1][lane], ends.last[chunk - 1][lane], beyond, s.powers), s.powers);
  }
}

// Right-hand sides to solutions.
__device__ __forceinline__ void solveWindow(float (&v)[kChunk], int chunk, int lane, const AdiWindows& s) {
  __shared__ Ends to, fro;
  runWindow<Way::To>(v, to, chunk, lane, s);
  runWindow<Way::Fro>(v, fro, s.chunks - 1 - chunk, lane, s);
}

// The rows that a launch makes. Fields are pointers to row 0, or to where it would lie relative to a slab's rows.
struct Rows {
  int from, to;
};
// The whole field, or a slab, whose halo has row numbers beyond the field's ends where it is periodic.
enum class Part { Whole, Slab };

// The row that is read for row y, of the rows from - 1 to `to` that are held.
template <Part kPart>
__device__ __forceinline__ int heldRow(int y, const AdiWindows& s, const Rows& rows) {
  if (kPart == Part::Whole) return s.rowAt(y);
  y = min(max(y, rows.from - 1), rows.to);
  return s.boundary == Boundary::Periodic ? y : s.rowAt(y);
}

// The first half-step, and the right-hand side of the second one: second = 2u* - d.
// threads (32, chunks), blocks (windows along x, groups of rows); shared memory: a tile a warp.
template <Part kPart>
__global__ void __launch_bounds__(kMostThreads, kBlocks)
    implicitAlongX(const float* __restrict__ u, float* __restrict__ second, const AdiWindows s, const Rows made) {
  extern __shared__ float tiles[];
  const int lane = static_cast<int>(threadIdx.x), chunk = static_cast<int>(threadIdx.y);
  const int window = static_cast<int>(blockIdx.x);
  const int y0 = (kPart == Part::Slab ? made.from : 0) + static_cast<int>(blockIdx.y) * kLines;
  const int x = s.start(window) + chunk * kChunk + lane;
  float* const tile = tiles + chunk * kChunk * kPitch;
  const std::ptrdiff_t pitch = s.n;

  // Here a lane is a column: d goes to the tile by rows.
  const AdiSource source = s.source(x);
  {
    float rows[kLines + 2];
    if (s.inside(y0, y0 + kLines - 1) && (kPart == Part::Whole || y0 + kLines <= made.to)) {
      const float* const from = u + (y0 - 1) * pitch + source.cell;
#pragma unroll
      for (int j = 0; j < kLines + 2; ++j) rows[j] = from[j * pitch];
    } else {
#pragma unroll
      for (int j = 0; j < kLines + 2; ++j) rows[j] = u[heldRow<kPart>(y0 + j - 1, s, made) * pitch + source.cell];
    }
#pragma unroll
    for (int j = 0; j < kLines; ++j) {
      const float d = s.isWall(y0 + j) ? 0.0f : adiExplicit(rows[j + 1], rows[j], rows[j + 2], s.h);
      tile[j * kPitch + lane] = source.factor * d;
    }
  }
  __syncwarp();

  // Here a lane is a row.
  float* const line = tile + lane * kPitch;
  float v[kChunk];
#pragma unroll
  for (int i = 0; i < kChunk; ++i) v[i] = line[i];
  solveWindow(v, chunk, lane, s);
#pragma unroll
  for (int i = 0; i < kChunk; ++i) line[i] = adiSecondPart(v[i], line[i]);
  __syncwarp();

  if (x < s.ownedFrom(window) || x >= s.ownedTo(window)) return;
  float* const to = second + y0 * pitch + x;
  const int rows = (kPart == Part::Slab ? made.to : s.n) - y0;
#pragma unroll
  for (int j = 0; j < kLines; ++j) {
    if (j < rows) to[j * pitch] = source.factor * tile[j * kPitch + lane];
  }
}

// The second half-step, of the rows that are owned. threads (32, chunks), blocks (groups of columns, windows along y).
template <Part kPart>
__global__ void __launch_bounds__(kMostThreads, kBlocks)
    implicitAlongY(const float* __restrict__ second, float* __restrict__ u, const AdiWindows s, const int last_window,
                   const Rows owned) {
  const int lane = static_cast<int>(threadIdx.x), chunk = static_cast<int>(threadIdx.y);
  // From the last rows to the first: the rows that the first half-step wrote last, and those that the next step reads
  // first, may still be in the cache.
  const int window = (kPart == Part::Slab ? last_window : s.count - 1) - static_cast<int>(blockIdx.y),
            x = static_cast<int>(blockIdx.x) * kLines + lane;
  const int y0 = s.start(window) + chunk * kChunk;
  const std::ptrdiff_t pitch = s.n;

  float v[kChunk];
  const float* const from = second + min(x, s.n - 1);
  if (s.inside(y0, y0 + kChunk - 1) || (kPart == Part::Slab && s.boundary == Boundary::Periodic)) {
#pragma unroll
    for (int j = 0; j < kChunk; ++j) v[j] = from[(y0 + j) * pitch];
  } else {
    const AdiSource source = s.source(y0 + lane);  // a lane finds one row's for all
#pragma unroll
    for (int j = 0; j < kChunk; ++j) {
      const int row = __shfl_sync(0xffffffffu, source.cell, j);
      v[j] = __shfl_sync(0xffffffffu, source.factor, j) * from[row * pitch];
    }
  }
  solveWindow(v, chunk, lane, s);

  int first = s.ownedFrom(window) - y0, end = s.ownedTo(window) - y0;
  if (kPart == Part::Slab) {
    first = max(first, owned.from - y0);
    end = min(end, owned.to - y0);
  }
  if (x >= s.n) return;
#pragma unroll
  for (int j = 0; j < kChunk; ++j) {
    if (j >= first && j < end) u[(y0 + j) * pitch + x] = s.isWall(y0 + j) ? 0.0f : v[j];
  }
}

}  // namespace kernels

namespace {

// The launches of one device or slab.
class Launcher {
 public:
  Launcher(compute::Device& device, const AdiWindows& windows)
      : device_(device), windows_(windows), stream_(static_cast<cudaStream_t>(device.stream())) {}

  template <kernels::Part kPart>
  void alongX(const float* u, float* second, kernels::Rows rows) {
    if (rows.to <= rows.from) return;
    const std::size_t tiles = chunks() * kChunk * kernels::kPitch * sizeof(float);
    SIMSCOPE_CUDA_CHECK(cudaFuncSetAttribute(kernels::implicitAlongX<kPart>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(tiles)));
    const dim3 blocks(static_cast<unsigned>(windows_.count), groups(rows.to - rows.from));
    kernels::implicitAlongX<kPart><<<blocks, threads(), tiles, stream_>>>(u, second, windows_, rows);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device_.countLaunches();
  }
  template <kernels::Part kPart>
  void alongY(const float* second, float* u, int window, int window_end, kernels::Rows owned) {
    const dim3 blocks(groups(windows_.n), static_cast<unsigned>(window_end - window));
    kernels::implicitAlongY<kPart><<<blocks, threads(), 0, stream_>>>(second, u, windows_, window_end - 1, owned);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device_.countLaunches();
  }

 private:
  unsigned chunks() const { return static_cast<unsigned>(windows_.chunks); }
  dim3 threads() const { return dim3(kernels::kLines, chunks()); }
  static unsigned groups(int lines) { return static_cast<unsigned>((lines + kernels::kLines - 1) / kernels::kLines); }

  compute::Device& device_;
  const AdiWindows& windows_;
  cudaStream_t stream_;
};

}  // namespace

void adiStepsOnCuda(compute::Device& device, float* u, float* scratch, const AdiWindows& windows, int steps) {
  Launcher launcher(device, windows);
  const kernels::Rows all{0, windows.n};
  for (int step = 0; step < steps; ++step) {
    launcher.alongX<kernels::Part::Whole>(u, scratch, all);
    launcher.alongY<kernels::Part::Whole>(scratch, u, 0, windows.count, all);
  }
}

void adiStepOnCuda(compute::Device& device, float* u, float* scratch, const AdiWindows& windows,
                   const compute::Slab& slab, const std::function<void()>& arrived) {
  constexpr auto kSlab = kernels::Part::Slab;
  Launcher launcher(device, windows);
  const std::ptrdiff_t before = static_cast<std::ptrdiff_t>(slab.first - slab.halo) * slab.n;
  float* const row_0 = u - before;
  float* const second = scratch - before;
  const AdiSpan span = adiSpan(windows, slab.first, slab.end());
  // First the rows whose neighbours are own rows, then those beside and in the halo.
  launcher.alongX<kSlab>(row_0, second, {slab.first + 1, slab.end() - 1});
  arrived();
  launcher.alongX<kSlab>(row_0, second, {span.low, slab.first + 1});
  launcher.alongX<kSlab>(row_0, second, {slab.end() - 1, span.high});
  launcher.alongY<kSlab>(second, row_0, span.window, span.window_end, {slab.first, slab.end()});
}

}  // namespace simscope::heat

#endif  // SIMSCOPE_HAVE_CUDA
