// The executors behind parallelFor2d and reduce2d; include sims/compute/loops/parallel.h.
//
// CPU: rows, or pieces of long ones, on the device's threads. CUDA: blocks of threads side by side, a warp along a row
// where the plane is wide enough. Neither divides an index for every element.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "sims/compute/loops/detail/parallel_impl.h"

namespace simscope::compute {

namespace detail {

// f(x, y), or f(x, y, i) with the place i of that element in the plane.
template <class F>
SIMSCOPE_HD auto callAt(const F& f, int x, int y, std::size_t width) {
  if constexpr (std::is_invocable_v<const F&, int, int, std::size_t>) {
    return f(x, y, static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x));
  } else {
    return f(x, y);
  }
}

template <class F>
struct PlaneBlocks {
  F f;
  std::size_t width, height;
  std::size_t columns, rows;  // of a block

  static void run(const void* context, std::size_t block) {
    const PlaneBlocks& self = *static_cast<const PlaneBlocks*>(context);
    const F f = self.f;  // a private copy: its members stay in registers
    const std::size_t width = self.width, across = self.across();
    const std::size_t left = block % across * self.columns, top = block / across * self.rows;
    const int x0 = static_cast<int>(left), x1 = static_cast<int>(std::min(width, left + self.columns));
    const int y1 = static_cast<int>(std::min(self.height, top + self.rows));
    for (int y = static_cast<int>(top); y < y1; ++y) {
      SIMSCOPE_INDEPENDENT
      for (int x = x0; x < x1; ++x) callAt(f, x, y, width);
    }
  }
  std::size_t across() const { return (width - 1) / columns + 1; }
  std::size_t blocks() const { return across() * ((height - 1) / rows + 1); }
};

template <class T, class F, class Combine>
struct RowPartials {
  static constexpr int kLanes = 4;  // independent results, so that one need not wait for the other

  F f;
  Combine combine;
  T identity;
  int width;
  T* partials;

  void operator()(std::size_t row) const {
    T lanes[kLanes] = {identity, identity, identity, identity};
    const int y = static_cast<int>(row);
    int x = 0;
    for (; x <= width - kLanes; x += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) {
        lanes[lane] = combine(lanes[lane], callAt(f, x + lane, y, static_cast<std::size_t>(width)));
      }
    }
    for (; x < width; ++x) lanes[0] = combine(lanes[0], callAt(f, x, y, static_cast<std::size_t>(width)));
    partials[row] = combine(combine(lanes[0], lanes[1]), combine(lanes[2], lanes[3]));
  }
};

#if SIMSCOPE_HAVE_CUDA

namespace kernels {

template <class F>
__global__ void __launch_bounds__(kThreads) forEachInPlane(unsigned width, unsigned height, F f) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
    callAt(f, static_cast<int>(x), static_cast<int>(y), width);
  }
}

// Takes the elements as reduceBlocks does, so that the bits are those of a reduction over the flat index.
template <class T, class F, class Combine>
__global__ void __launch_bounds__(kThreads)
    reducePlane(std::size_t width, std::size_t n, T identity, F f, Combine combine, T* partials) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kThreads;
  const std::size_t right = stride % width, down = stride / width;
  std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x, x = i % width, y = i / width;
  T mine = identity;
  for (; i < n; i += stride) {
    mine = combine(mine, callAt(f, static_cast<int>(x), static_cast<int>(y), width));
    x += right;
    y += down;
    if (x >= width) {
      x -= width;
      ++y;
    }
  }
  mine = combineBlock(mine, combine);
  if (threadIdx.x == 0) partials[blockIdx.x] = mine;
}

}  // namespace kernels

template <class F>
void forEachInPlaneOnCuda(Device& device, unsigned width, unsigned height, const F& f) {
  constexpr unsigned kRows = 8, kMostDown = 65535;  // blocks that a grid can have along y
  // 32 × 8 threads; in a small plane fewer rows and more columns, or the reverse.
  unsigned rows = std::min(kRows, std::bit_ceil(height));
  const unsigned columns = std::min(kThreads / rows, std::bit_ceil(width));
  rows = std::min(kThreads / columns, std::bit_ceil(height));
  // Enough blocks to fill the device several times; the stride covers the rest.
  const unsigned most = static_cast<unsigned>(device.info().threads) * 32;
  const unsigned across = (width - 1) / columns + 1;
  const unsigned down = std::min({(height - 1) / rows + 1, std::max(most / across, 1u), kMostDown});
  const auto stream = static_cast<cudaStream_t>(device.stream());
  kernels::forEachInPlane<<<dim3(across, down), dim3(columns, rows), 0, stream>>>(width, height, f);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

#endif  // SIMSCOPE_HAVE_CUDA

}  // namespace detail

template <class F>
void parallelFor2d(Device& device, int width, int height, const F& f, std::size_t grain = kParallelGrain) {
  if (width <= 0 || height <= 0) return;
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    detail::forEachInPlaneOnCuda(device, static_cast<unsigned>(width), static_cast<unsigned>(height), f);
    return;
  }
#endif
  using Blocks = detail::PlaneBlocks<F>;
  const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
  grain = std::max<std::size_t>(grain, 1);
  const Blocks loop{f, columns, rows, std::min(columns, grain), std::max<std::size_t>(grain / columns, 1)};
  device.countLaunches();
  if (loop.blocks() == 1) {
    Blocks::run(&loop, 0);
  } else {
    detail::runBlocks(device, loop.blocks(), &Blocks::run, &loop);
  }
}

template <class T, class F, class Combine>
T reduce2d(Device& device, int width, int height, T identity, const F& f, const Combine& combine) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (width <= 0 || height <= 0) return identity;
  const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    const std::size_t n = columns * rows;
    return detail::waitedOnCuda<T>(device, [&](T* result) {
      detail::reduceIntoOnCuda(device, n, identity, combine, result,
                               [&](unsigned blocks, cudaStream_t stream, T* partials) {
                                 detail::kernels::reducePlane<<<blocks, detail::kThreads, 0, stream>>>(
                                     columns, n, identity, f, combine, partials);
                               });
    });
  }
#endif
  std::vector<T> partials(rows, identity);
  const std::size_t grain = kParallelGrain / columns + 1;
  const detail::RowPartials<T, F, Combine> each{f, combine, identity, width, partials.data()};
  detail::forEachOnCpu(device, rows, each, grain);
  T result = identity;
  for (const T& partial : partials) result = combine(result, partial);
  return result;
}

template <class F>
void parallelFor2d(const DevicePtr& device, int width, int height, const F& f, std::size_t grain = kParallelGrain) {
  parallelFor2d(*device, width, height, f, grain);
}

template <class T, class F, class Combine>
T reduce2d(const DevicePtr& device, int width, int height, T identity, const F& f, const Combine& combine) {
  return reduce2d(*device, width, height, identity, f, combine);
}

}  // namespace simscope::compute
