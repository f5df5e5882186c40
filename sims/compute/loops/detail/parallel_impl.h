// The executors behind sims/compute/loops/parallel.h; include that one.
//
// CPU: blocks of fixed size on the device's threads; work that fits one block runs on the caller and wakes no thread.
// CUDA: grid-stride kernels on the device's stream. A reduction's blocks depend on n alone on either backend.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "sims/compute/device.h"
#include "sims/compute/host_device.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/compute/loops/unroll.h"
#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/loops/detail/reduce_scratch.h"
#endif

namespace simscope::compute {

// Elements that one CPU thread takes at a time. Waking threads costs about as much as this many cheap calls.
inline constexpr std::size_t kParallelGrain = 16384;

namespace detail {

inline constexpr std::size_t kReduceBlock = 4096;

template <class F>
struct ForBlocks {
  F f;
  std::size_t n;
  std::size_t grain;

  static void run(const void* context, std::size_t block) {
    const ForBlocks& self = *static_cast<const ForBlocks*>(context);
    const F f = self.f;  // a private copy: its members stay in registers
    const std::size_t end = std::min(self.n, (block + 1) * self.grain);
    SIMSCOPE_INDEPENDENT
    for (std::size_t i = block * self.grain; i < end; ++i) f(i);
  }
};

template <class F>
void forEachOnCpu(Device& device, std::size_t n, const F& f, std::size_t grain) {
  const ForBlocks<F> loop{f, n, std::max<std::size_t>(grain, 1)};
  const std::size_t blocks = (n - 1) / loop.grain + 1;
  device.countLaunches();
  if (blocks == 1) {
    ForBlocks<F>::run(&loop, 0);
  } else {
    runBlocks(device, blocks, &ForBlocks<F>::run, &loop);
  }
}

template <class T, class F, class Combine>
struct ReduceBlocks {
  // Independent partial results let the processor overlap or vectorise them; which element goes to which depends on
  // its index alone.
  static constexpr std::size_t kLanes = sizeof(T) <= 16 ? 8 : 2;

  F f;
  Combine combine;
  T identity;
  std::size_t n;
  T* partials;

  static void run(const void* context, std::size_t block) {
    const ReduceBlocks& self = *static_cast<const ReduceBlocks*>(context);
    const F f = self.f;
    const Combine combine = self.combine;
    T lanes[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = self.identity;
    std::size_t i = block * kReduceBlock;
    const std::size_t end = std::min(self.n, i + kReduceBlock);
    for (; i + kLanes <= end; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = combine(lanes[lane], f(i + lane));
    }
    for (std::size_t lane = 0; i < end; ++i, ++lane) lanes[lane] = combine(lanes[lane], f(i));
    T result = lanes[0];
    for (std::size_t lane = 1; lane < kLanes; ++lane) result = combine(result, lanes[lane]);
    self.partials[block] = result;
  }
};

#if SIMSCOPE_HAVE_CUDA

inline constexpr unsigned kThreads = 256;  // a block's, in every kernel of this file

namespace kernels {

template <class F>
__global__ void __launch_bounds__(kThreads) forEach(std::size_t n, F f) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) f(i);
}

// The value of `mine` over the block's threads, valid in thread 0; pairs are combined in a fixed order.
template <class T, class Combine>
__device__ T combineBlock(T mine, Combine combine) {
  __shared__ alignas(alignof(T)) unsigned char memory[kThreads * sizeof(T)];
  T* const values = reinterpret_cast<T*>(memory);
  values[threadIdx.x] = mine;
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) values[threadIdx.x] = combine(values[threadIdx.x], values[threadIdx.x + half]);
  }
  return values[0];
}

template <class T, class F, class Combine>
__device__ void reduceBlock(std::size_t n, T identity, const F& f, Combine combine, T* partial) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kThreads;
  T mine = identity;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) {
    mine = combine(mine, f(i));
  }
  mine = combineBlock(mine, combine);
  if (threadIdx.x == 0) *partial = mine;
}

template <class T, class F, class Combine>
__global__ void __launch_bounds__(kThreads) reduceBlocks(std::size_t n, T identity, F f, Combine combine, T* partials) {
  reduceBlock(n, identity, f, combine, partials + blockIdx.x);
}

// The reduction blockIdx.y of many.
template <class T, class F, class Combine>
__global__ void __launch_bounds__(kThreads)
    reduceBlocksOfEach(std::size_t n, T identity, const F* fs, Combine combine, T* partials) {
  const F f = fs[blockIdx.y];
  reduceBlock(n, identity, f, combine, partials + blockIdx.y * gridDim.x + blockIdx.x);
}

template <class T, class Combine>
__global__ void __launch_bounds__(kThreads)
    reducePartials(unsigned count, T identity, Combine combine, const T* partials, T* results) {
  const T* const own = partials + static_cast<std::size_t>(blockIdx.x) * count;
  T mine = identity;
  for (unsigned i = threadIdx.x; i < count; i += kThreads) mine = combine(mine, own[i]);
  mine = combineBlock(mine, combine);
  if (threadIdx.x == 0) results[blockIdx.x] = mine;
}

}  // namespace kernels

template <class F>
void forEachOnCuda(Device& device, std::size_t n, const F& f) {
  // Enough blocks to fill the device several times; the stride covers the rest.
  const std::size_t most = static_cast<std::size_t>(device.info().threads) * 32;
  const std::size_t blocks = std::min(most, (n + kThreads - 1) / kThreads);
  const auto stream = static_cast<cudaStream_t>(device.stream());
  kernels::forEach<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(n, f);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

// Of the first pass over n elements.
inline unsigned reduceBlocksFor(std::size_t n) {
  constexpr std::size_t kPerBlock = kThreads * 4;
  return static_cast<unsigned>(std::min(kReducePartials, (n + kPerBlock - 1) / kPerBlock));
}

// first(blocks, stream, partials) launches the pass that leaves one partial result a block; the blocks depend on n
// alone. The scratch memory serves one reduction after the other, in stream order. `count`: reductions side by side, of
// the same n; they share the scratch memory.
template <class T, class Combine, class First>
void reduceIntoOnCuda(Device& device, std::size_t n, T identity, const Combine& combine, T* result, const First& first,
                      std::size_t count = 1) {
  static_assert(sizeof(T) <= kReduceLargest && kThreads * sizeof(T) <= 48 * 1024, "reduce: T is too large");
  const unsigned blocks = reduceBlocksFor(n);
  T* const partials = static_cast<T*>(reduceScratch(device).partials);
  const auto stream = static_cast<cudaStream_t>(device.stream());
  if (blocks > 0) {
    first(blocks, stream, partials);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device.countLaunches();
  }
  kernels::reducePartials<<<static_cast<unsigned>(count), kThreads, 0, stream>>>(
      blocks, identity, combine, static_cast<const T*>(partials), result);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

// The value that reduction(result) writes to `result`, which both the device and the host can address; waits.
template <class T, class Reduction>
T waitedOnCuda(Device& device, const Reduction& reduction) {
  T* const result = static_cast<T*>(reduceScratch(device).result);
  reduction(result);
  device.synchronize();
  countReduceResult(device, sizeof(T));
  return *result;
}

#endif  // SIMSCOPE_HAVE_CUDA

}  // namespace detail

// grain: elements that a CPU thread takes at a time. Choose a smaller one where a single f(i) is costly (a body that
// meets all the others, a row of a picture); CUDA ignores it.
template <class F>
void parallelFor(Device& device, std::size_t n, const F& f, std::size_t grain = kParallelGrain) {
  if (n == 0) return;
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    detail::forEachOnCuda(device, n, f);
    return;
  }
#endif
  detail::forEachOnCpu(device, n, f, grain);
}

// identity: combine(identity, x) == x. combine: commutative and associative up to rounding. n of 0 gives identity.
// T may be a struct of several sums, so that one pass over the data finds them all (at most 128 bytes).
template <class T, class F, class Combine>
void reduceInto(Device& device, std::size_t n, T identity, const F& f, const Combine& combine, T* result) {
  static_assert(std::is_trivially_copyable_v<T>);
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    detail::reduceIntoOnCuda(
        device, n, identity, combine, result, [&](unsigned blocks, cudaStream_t stream, T* partials) {
          detail::kernels::reduceBlocks<<<blocks, detail::kThreads, 0, stream>>>(n, identity, f, combine, partials);
        });
    return;
  }
#endif
  if (n == 0) {
    *result = identity;
    return;
  }
  using Blocks = detail::ReduceBlocks<T, F, Combine>;
  const std::size_t blocks = (n - 1) / detail::kReduceBlock + 1;
  std::vector<T> partials(blocks, identity);
  const Blocks loop{f, combine, identity, n, partials.data()};
  device.countLaunches();
  if (n <= kParallelGrain) {
    for (std::size_t block = 0; block < blocks; ++block) Blocks::run(&loop, block);
  } else {
    detail::runBlocks(device, blocks, &Blocks::run, &loop);
  }
  T all = partials[0];
  for (std::size_t block = 1; block < blocks; ++block) all = combine(all, partials[block]);
  *result = all;
}

// fs: `count` functors in device memory. results: as many, likewise; neither the functors nor combine may read them.
template <class T, class F, class Combine>
void reduceEachInto(Device& device, std::size_t count, std::size_t n, T identity, const F* fs, const Combine& combine,
                    T* results) {
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    // As many at a time as the scratch memory has room for.
    const std::size_t most = detail::kReducePartials / std::max(detail::reduceBlocksFor(n), 1u);
    for (std::size_t begin = 0; begin < count; begin += most) {
      const std::size_t now = std::min(most, count - begin);
      detail::reduceIntoOnCuda(
          device, n, identity, combine, results + begin,
          [&](unsigned blocks, cudaStream_t stream, T* partials) {
            const dim3 grid(blocks, static_cast<unsigned>(now));
            detail::kernels::reduceBlocksOfEach<<<grid, detail::kThreads, 0, stream>>>(n, identity, fs + begin, combine,
                                                                                       partials);
          },
          now);
    }
    return;
  }
#endif
  for (std::size_t i = 0; i < count; ++i) reduceInto(device, n, identity, fs[i], combine, results + i);
}

template <class T, class F, class Combine>
T reduce(Device& device, std::size_t n, T identity, const F& f, const Combine& combine) {
  if (n == 0) return identity;
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    return detail::waitedOnCuda<T>(device, [&](T* result) { reduceInto(device, n, identity, f, combine, result); });
  }
#endif
  T result = identity;
  reduceInto(device, n, identity, f, combine, &result);
  return result;
}

template <class F>
void parallelFor(const DevicePtr& device, std::size_t n, const F& f, std::size_t grain = kParallelGrain) {
  parallelFor(*device, n, f, grain);
}

template <class T, class F, class Combine>
void reduceInto(const DevicePtr& device, std::size_t n, T identity, const F& f, const Combine& combine, T* result) {
  reduceInto(*device, n, identity, f, combine, result);
}

template <class T, class F, class Combine>
T reduce(const DevicePtr& device, std::size_t n, T identity, const F& f, const Combine& combine) {
  return reduce(*device, n, identity, f, combine);
}

}  // namespace simscope::compute
