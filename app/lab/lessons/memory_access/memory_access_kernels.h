// The kernels of the lesson of memory access. Include only in its source.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sims/compute/host_device.h"

namespace simscope::lab::memory_access {

// Orders in which each number of an array of 2^bits is read once.
struct Order {
  int bits;
  int stride_bits;  // neighbours read numbers 2^stride_bits apart; less than 0: at random

  SIMSCOPE_HD std::uint32_t placeOf(std::uint32_t i) const {
    const std::uint32_t all = (std::uint32_t{1} << bits) - 1;
    if (stride_bits >= 0) {
      const int columns = bits - stride_bits;
      return ((i << stride_bits) & all) | (i >> columns);
    }
    // Each of these maps different `bits`-bit numbers to different ones.
    i = (i ^ (i >> (bits / 2))) * 0x9e3779b1u & all;
    i = (i ^ (i >> (bits / 2))) * 0x85ebca6bu & all;
    return i ^ (i >> (bits / 2));
  }
};

struct Gather {
  const float* in;
  float* out;
  Order order;
  std::uint32_t first;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::uint32_t mine = first + static_cast<std::uint32_t>(i);
    out[mine] = in[order.placeOf(mine)];
  }
};

inline constexpr int kFields = 8;

// One of a particle's eight fields, stored as an array of structures or as a structure of arrays.
struct MoveAmongStructures {
  const float* particles;
  float* moved;
  SIMSCOPE_HD void operator()(std::size_t i) const { moved[i] = particles[i * kFields] + 1; }
};
struct MoveAmongArrays {
  const float* xs;
  float* moved;
  SIMSCOPE_HD void operator()(std::size_t i) const { moved[i] = xs[i] + 1; }
};

#if SIMSCOPE_HAVE_CUDA && defined(__CUDACC__)

inline constexpr int kThreads = 256, kUnrolled = 32, kRounds = 64, kLanes = 32;
inline constexpr int kTile = kLanes * kLanes + kUnrolled * kRounds;

SIMSCOPE_HD inline float tileNumber(int k) {
  return static_cast<float>(k % 7);
}

// A warp's threads read from shared memory, `stride` words apart: 32 banks deliver one word each at a time.
__global__ void __launch_bounds__(kThreads) readShared(int stride, float* out) {
  __shared__ float tile[kTile];
  for (int k = static_cast<int>(threadIdx.x); k < kTile; k += kThreads) tile[k] = tileNumber(k);
  __syncthreads();
  const float* from = tile + static_cast<int>(threadIdx.x) % kLanes * stride;
  float sum = 0;
  for (int round = 0; round < kRounds; ++round, from += kUnrolled) {
#pragma unroll
    for (int k = 0; k < kUnrolled; ++k) sum += from[k];
  }
  out[static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x] = sum;
}

#endif

}  // namespace simscope::lab::memory_access
