// The kernels of the lesson of moving averages and stencils. Include only in its source.
//
// Moving averages: out[i] is the mean of in[i] … in[i + width − 1]; `in` has width − 1 elements more than `out`.
// Five-point steps: of the diffusion on nx × ny points, row by row; the boundary points of `out` are unchanged.
#pragma once

#include <cstddef>

#include "sims/compute/host_device.h"

namespace simscope::lab::windows {

inline constexpr float kDiffusion = 0.2f;
inline constexpr int kWidest = 1024;

SIMSCOPE_HD inline float diffused(float here, float left, float right, float below, float above) {
  return here + kDiffusion * (left + right + below + above - 4 * here);
}

// Each average is computed separately.
struct Average {
  const float* in;
  float* out;
  int width;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += in[i + static_cast<std::size_t>(k)];
    out[i] = sum / static_cast<float>(width);
  }
};

// A run of averages, each from the previous one: the entering number is added, the leaving one subtracted. In double
// precision, because the rounding errors of a run accumulate.
struct SlidingAverage {
  static constexpr std::size_t kStretch = 2048;
  const float* in;
  float* out;
  int width;
  std::size_t n;
  SIMSCOPE_HD void operator()(std::size_t stretch) const {
    const std::size_t from = stretch * kStretch, end = from + kStretch < n ? from + kStretch : n;
    const auto wide = static_cast<std::size_t>(width);
    double sum = 0;
    for (std::size_t k = 0; k + 1 < wide; ++k) sum += static_cast<double>(in[from + k]);
    for (std::size_t i = from; i < end; ++i) {
      sum += static_cast<double>(in[i + wide - 1]);
      out[i] = static_cast<float>(sum / width);
      sum -= static_cast<double>(in[i]);
    }
  }
};

struct FivePoints {
  const float* in;
  float* out;
  int nx, ny;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) return;
    const auto row = static_cast<std::size_t>(nx);
    out[i] = diffused(in[i], in[i - 1], in[i + 1], in[i - row], in[i + row]);
  }
};

#if SIMSCOPE_HAVE_CUDA && defined(__CUDACC__)

inline constexpr int kThreads = 256;

// The block's part of `in` is read once into shared memory, from which the averages are computed.
__global__ void __launch_bounds__(kThreads) averageInSharedMemory(Average a, std::size_t n) {
  __shared__ float tile[kThreads + kWidest];
  const std::size_t from = static_cast<std::size_t>(blockIdx.x) * kThreads;
  const int outputs = n - from < kThreads ? static_cast<int>(n - from) : kThreads;
  for (int k = static_cast<int>(threadIdx.x); k < outputs + a.width - 1; k += kThreads) {
    tile[k] = a.in[from + static_cast<std::size_t>(k)];
  }
  __syncthreads();
  const int mine = static_cast<int>(threadIdx.x);
  if (mine >= outputs) return;
  float sum = 0;
  for (int k = 0; k < a.width; ++k) sum += tile[mine + k];
  a.out[from + threadIdx.x] = sum / static_cast<float>(a.width);
}

// A thread computes kEach adjacent averages and keeps their sums in registers: each number is read once from shared
// memory for all its averages. Indices are shifted by one every 32, so that threads whose numbers lie kEach apart read
// from different banks.
inline constexpr int kEach = 8, kRegisterTile = kThreads * kEach;

__device__ inline int bankedPlace(int k) {
  return k + k / 32;
}

__global__ void __launch_bounds__(kThreads) averageInRegisters(Average a, std::size_t n) {
  __shared__ float tile[kRegisterTile + kWidest + (kRegisterTile + kWidest) / 32 + 1];
  const std::size_t from = static_cast<std::size_t>(blockIdx.x) * kRegisterTile;
  const int outputs = n - from < kRegisterTile ? static_cast<int>(n - from) : kRegisterTile;
  const int inputs = outputs + a.width - 1;
  const int most = kRegisterTile + a.width - 1;
  for (int k = static_cast<int>(threadIdx.x); k < most; k += kThreads) {
    tile[bankedPlace(k)] = k < inputs ? a.in[from + static_cast<std::size_t>(k)] : 0.0f;
  }
  __syncthreads();
  const int first = static_cast<int>(threadIdx.x) * kEach;
  // First the numbers common to all kEach windows, then the rest of each; narrow windows are summed one by one.
  float sums[kEach];
  if (a.width < kEach) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      sums[j] = 0;
      for (int k = 0; k < a.width; ++k) sums[j] += tile[bankedPlace(first + j + k)];
    }
  } else {
    float common = 0;
    for (int k = kEach - 1; k < a.width; ++k) common += tile[bankedPlace(first + k)];
#pragma unroll
    for (int j = 0; j < kEach; ++j) sums[j] = common;
    float before = 0, after = 0;
#pragma unroll
    for (int j = 1; j < kEach; ++j) {
      before += tile[bankedPlace(first + kEach - 1 - j)];
      sums[kEach - 1 - j] += before;
      after += tile[bankedPlace(first + a.width - 1 + j)];
      sums[j] += after;
    }
  }
  __syncthreads();
  // Through shared memory again, so that neighbouring threads write neighbouring numbers.
#pragma unroll
  for (int j = 0; j < kEach; ++j) tile[bankedPlace(first + j)] = sums[j] / static_cast<float>(a.width);
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < outputs; k += kThreads) {
    a.out[from + static_cast<std::size_t>(k)] = tile[bankedPlace(k)];
  }
}

inline constexpr int kTileX = 32, kTileY = 8, kRows = 32;

__global__ void __launch_bounds__(kTileX* kTileY) fivePointsInGlobalMemory(FivePoints f) {
  const int x = static_cast<int>(blockIdx.x) * kTileX + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * kTileY + static_cast<int>(threadIdx.y);
  if (x < f.nx && y < f.ny) f(x, y, static_cast<std::size_t>(y) * static_cast<std::size_t>(f.nx) + x);
}

__global__ void __launch_bounds__(kTileX* kTileY) fivePointsInSharedMemory(FivePoints f) {
  __shared__ float tile[kTileY + 2][kTileX + 2];
  const int x0 = static_cast<int>(blockIdx.x) * kTileX - 1, y0 = static_cast<int>(blockIdx.y) * kTileY - 1;
  const int me = static_cast<int>(threadIdx.y) * kTileX + static_cast<int>(threadIdx.x);
  for (int k = me; k < (kTileX + 2) * (kTileY + 2); k += kTileX * kTileY) {
    const int x = x0 + k % (kTileX + 2), y = y0 + k / (kTileX + 2);
    const bool inside = x >= 0 && y >= 0 && x < f.nx && y < f.ny;
    tile[k / (kTileX + 2)][k % (kTileX + 2)] =
        inside ? f.in[static_cast<std::size_t>(y) * static_cast<std::size_t>(f.nx) + static_cast<std::size_t>(x)] : 0;
  }
  __syncthreads();
  const int tx = static_cast<int>(threadIdx.x) + 1, ty = static_cast<int>(threadIdx.y) + 1;
  const int x = x0 + tx, y = y0 + ty;
  if (x < 1 || y < 1 || x >= f.nx - 1 || y >= f.ny - 1) return;
  f.out[static_cast<std::size_t>(y) * static_cast<std::size_t>(f.nx) + static_cast<std::size_t>(x)] =
      diffused(tile[ty][tx], tile[ty][tx - 1], tile[ty][tx + 1], tile[ty - 1][tx], tile[ty + 1][tx]);
}

// A thread goes kRows up its column with three of its points in registers; its neighbours' points are read from their
// registers, and from memory at the ends of a warp.
__global__ void __launch_bounds__(kTileX* kTileY) fivePointsInRegisters(FivePoints f) {
  constexpr unsigned kAll = 0xffffffffu;
  const int lane = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kTileX + lane;
  const int first = (static_cast<int>(blockIdx.y) * kTileY + static_cast<int>(threadIdx.y)) * kRows;
  const auto at = [&](int px, int py) {
    const bool inside = px >= 0 && py >= 0 && px < f.nx && py < f.ny;
    return inside ? f.in[static_cast<std::size_t>(py) * static_cast<std::size_t>(f.nx) + static_cast<std::size_t>(px)]
                  : 0.0f;
  };
  float below = at(x, first - 1), here = at(x, first);
  for (int y = first; y < first + kRows && y < f.ny; ++y) {  // the same for a whole warp
    const float above = at(x, y + 1);
    float left = __shfl_up_sync(kAll, here, 1), right = __shfl_down_sync(kAll, here, 1);
    if (lane == 0) left = at(x - 1, y);
    if (lane == kTileX - 1) right = at(x + 1, y);
    if (x > 0 && x < f.nx - 1 && y > 0 && y < f.ny - 1) {
      f.out[static_cast<std::size_t>(y) * static_cast<std::size_t>(f.nx) + static_cast<std::size_t>(x)] =
          diffused(here, left, right, below, above);
    }
    below = here;
    here = above;
  }
}

#endif

}  // namespace simscope::lab::windows
