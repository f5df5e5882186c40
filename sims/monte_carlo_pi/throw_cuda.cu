// The darts on CUDA. A team of threads takes a slice of one chain's calls: a block if there are many, a warp or a
// single thread if there are many chains with few darts.
#include <algorithm>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/loops/warp.h"
#include "sims/monte_carlo_pi/throw.h"

namespace simscope::monte_carlo_pi {
namespace {

constexpr unsigned kThreads = 256, kWarp = 32;

struct Part {
  std::uint64_t from, until;          // darts
  std::uint64_t first, end;           // whole calls within them
  std::uint64_t slices, slice_calls;  // of a chain
  std::uint64_t teams;                // chains · slices
};

// Threads of a block that one team leaves over take part in the next team. All loops of a team have the same bounds for
// all of its threads, and the block's sums are read before they are computed again.
template <unsigned team, class Darts>
__global__ void __launch_bounds__(kThreads) countHits(const Darts darts, const Part part, unsigned long long* hits) {
  __shared__ unsigned long long block_sum;
  const unsigned member = threadIdx.x % team;
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * (kThreads / team);
  std::uint64_t at = static_cast<std::uint64_t>(blockIdx.x) * (kThreads / team) + threadIdx.x / team;
  for (; at < part.teams; at += stride) {
    const auto number = static_cast<unsigned>(at / part.slices);
    const std::uint64_t slice = at % part.slices;
    const auto chain = darts.chain(number);
    const std::uint64_t begin = part.first + slice * part.slice_calls;
    const std::uint64_t end = min(begin + part.slice_calls, part.end);
    unsigned count = 0;  // launch() ensures fewer than 2^32 darts
    // The high word of the calls is constant in the inner loop, so that the parts of Philox's first rounds that depend
    // only on it are computed once.
    for (std::uint64_t base = begin; base < end;) {
      const std::uint64_t stop = min(end, (base | 0xFFFFFFFFu) + 1);
      const auto high = static_cast<unsigned>(base >> 32), low = static_cast<unsigned>(base);
      const auto length = static_cast<unsigned>(stop - base);
      for (unsigned k = member; k < length; k += team) {
        count += darts.hitsOf(chain, static_cast<std::uint64_t>(high) << 32 | (low + k));
      }
      base = stop;
    }
    if (slice == 0) {  // darts of incomplete calls
      const std::uint64_t tail = max(part.end * Darts::kEach, part.from);
      const std::uint64_t head_end = min(part.first * Darts::kEach, part.until);
      const auto one = [&](std::uint64_t i) { return monte_carlo_pi::hits(darts.dart(chain, i)) ? 1u : 0u; };
      for (std::uint64_t i = part.from + member; i < head_end; i += team) count += one(i);
      for (std::uint64_t i = tail + member; i < part.until; i += team) count += one(i);
    }
    if constexpr (team == 1) {
      if (part.slices == 1) {
        hits[number] += count;
      } else {
        atomicAdd(&hits[number], count);
      }
    } else {
      const unsigned sum = compute::sumOfWarp(count);
      if constexpr (team == kWarp) {
        if (member == 0) atomicAdd(&hits[number], sum);
      } else {
        if (threadIdx.x == 0) block_sum = 0;
        __syncthreads();
        if (threadIdx.x % kWarp == 0) atomicAdd(&block_sum, sum);
        __syncthreads();
        if (threadIdx.x == 0) atomicAdd(&hits[number], block_sum);
      }
    }
  }
}

template <unsigned team, class Darts>
void launch(compute::Device& device, const Darts& darts, Part part, std::uint64_t* hits, std::size_t chains) {
  // Four waves of full multiprocessors, unless a thread of a slice would have fewer than 8 calls.
  const std::uint64_t wave = static_cast<std::uint64_t>(device.info().threads) * (2048 / kThreads);
  const std::uint64_t calls = part.end - part.first, wanted = 4 * wave * (kThreads / team) / chains + 1;
  part.slices = std::clamp<std::uint64_t>(calls / (8 * team), 1, wanted);
  part.slices = std::max(part.slices, calls >> 26);  // a thread's count fits 32 bits
  part.slice_calls = calls / part.slices + 1;
  part.teams = part.slices * chains;
  const std::uint64_t blocks = std::min<std::uint64_t>((part.teams - 1) / (kThreads / team) + 1, 1u << 30);
  const auto stream = static_cast<cudaStream_t>(device.stream());
  countHits<team><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(darts, part,
                                                                          reinterpret_cast<unsigned long long*>(hits));
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

}  // namespace

void throwOnCuda(compute::Device& device, const Throw& range, std::uint64_t* hits, std::size_t chains) {
  if (chains == 0 || range.until <= range.from) return;
  withDarts(range.method, range.seed, [&]<class Darts>(const Darts& darts) {
    constexpr std::uint64_t kEach = Darts::kEach;
    Part part{range.from, range.until, (range.from + kEach - 1) / kEach, 0, 0, 0, 0};
    part.end = std::max(range.until / kEach, part.first);
    const std::uint64_t calls = part.end - part.first;
    if (calls >= 8 * kThreads) {
      launch<kThreads>(device, darts, part, hits, chains);
    } else if (calls >= 4 * kWarp) {
      launch<kWarp>(device, darts, part, hits, chains);
    } else {
      launch<1>(device, darts, part, hits, chains);
    }
  });
}

}  // namespace simscope::monte_carlo_pi
