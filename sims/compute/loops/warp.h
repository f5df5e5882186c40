// Reductions over the 32 threads of a warp, by shuffles: they exist on every card that simscope supports; reductions by
// one instruction require Ampere. All threads of the warp call together; the result is valid in its first thread. Sums
// of floating-point numbers have a fixed order. Device code only.
#pragma once

#if SIMSCOPE_HAVE_CUDA && defined(__CUDACC__)

namespace simscope::compute {

inline constexpr unsigned kWarpThreads = 32, kWholeWarp = 0xffffffffu;

template <class T>
__device__ T sumOfWarp(T value) {
  for (unsigned away = kWarpThreads / 2; away > 0; away /= 2) value += __shfl_down_sync(kWholeWarp, value, away);
  return value;
}

template <class T>
__device__ T mostOfWarp(T value) {
  for (unsigned away = kWarpThreads / 2; away > 0; away /= 2) {
    const T other = __shfl_down_sync(kWholeWarp, value, away);
    value = value < other ? other : value;
  }
  return value;
}

}  // namespace simscope::compute

#endif
