// The kernels of the lesson of reductions: the sum of numbers and the sum of their squares, in one pass over memory.
// Include only in its source. Blocks have kThreads threads; *partial results* are those of blocks.
#pragma once

#include <cstddef>

#include "app/lab/lessons/reductions/reductions_ways.h"
#include "sims/compute/host_device.h"
#include "sims/compute/loops/warp.h"

namespace simscope::lab::reductions {

template <class T>
struct SumsOf {  // of one number
  const float* x;
  SIMSCOPE_HD Sums<T> operator()(std::size_t i) const {
    const T value = x[i];
    return {value, value * value};
  }
};

struct Plus {
  template <class S>
  SIMSCOPE_HD S operator()(const S& a, const S& b) const {
    return a + b;
  }
};

#if SIMSCOPE_HAVE_CUDA && defined(__CUDACC__)

inline constexpr unsigned kThreads = 256;

// Every number is added to the result separately: all threads wait for the same address.
__global__ void __launch_bounds__(kThreads) addEach(std::size_t n, SumsOf<float> f, Sums<float>* result) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) {
    const Sums<float> each = f(i);
    atomicAdd(&result->sum, each.sum);
    atomicAdd(&result->squares, each.squares);
  }
}

// A thread's part of all numbers, added in order.
template <class T, class F>
__device__ Sums<T> sumsOfThread(std::size_t n, const F& f) {
  Sums<T> mine{0, 0};
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) {
    mine = mine + f(i);
  }
  return mine;
}

// Half of the block's results are added to the other half in shared memory, until one is left.
template <class T, class F>
__global__ void __launch_bounds__(kThreads) addInSharedMemory(std::size_t n, F f, Sums<T>* partials) {
  __shared__ Sums<T> values[kThreads];
  values[threadIdx.x] = sumsOfThread<T>(n, f);
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) values[threadIdx.x] = values[threadIdx.x] + values[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

// The threads of a warp read each other's registers; one value per warp goes through shared memory.
template <class T, class F>
__global__ void __launch_bounds__(kThreads) addByShuffles(std::size_t n, F f, Sums<T>* partials) {
  constexpr unsigned kWarp = compute::kWarpThreads, kWarps = kThreads / kWarp;
  __shared__ Sums<T> values[kWarps];
  Sums<T> mine = sumsOfThread<T>(n, f);
  mine = {compute::sumOfWarp(mine.sum), compute::sumOfWarp(mine.squares)};
  if (threadIdx.x % kWarp == 0) values[threadIdx.x / kWarp] = mine;
  __syncthreads();
  if (threadIdx.x >= kWarp) return;
  mine = threadIdx.x < kWarps ? values[threadIdx.x] : Sums<T>{0, 0};
  mine = {compute::sumOfWarp(mine.sum), compute::sumOfWarp(mine.squares)};
  if (threadIdx.x == 0) partials[blockIdx.x] = mine;
}

template <class T>
struct Partial {
  const Sums<T>* all;
  __device__ Sums<T> operator()(std::size_t i) const { return all[i]; }
};

#endif

}  // namespace simscope::lab::reductions
