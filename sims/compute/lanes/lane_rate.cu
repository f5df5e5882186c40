#include "sims/compute/lanes/lane_rate.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/lanes/detail/lane_chains.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::compute {
namespace functors {

// Eight chains hide the latency of an instruction even where few threads share a scheduler.
template <class T>
struct FusedChains {
  static constexpr int kChains = 8;
  static constexpr int kRounds = 2048;
  T slope, offset;
  T* out;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    T x[kChains];
    for (int c = 0; c < kChains; ++c) x[c] = static_cast<T>(c);
    for (int round = 0; round < kRounds; ++round) {
      for (int c = 0; c < kChains; ++c) x[c] = x[c] * slope + offset;
    }
    T sum = 0;
    for (int c = 0; c < kChains; ++c) sum += x[c];
    out[i] = sum;
  }
};

}  // namespace functors

namespace {

constexpr int kTrials = 5;

// Runs `work`, of `operations` operations, several times.
template <class Work>
double bestRate(Device& device, double operations, const Work& work) {
  work();  // loads the kernel, wakes the threads, raises the clocks
  double best_ms = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < kTrials; ++trial) best_ms = std::min(best_ms, device.timed(work));
  return operations / (best_ms * 1e-3);
}

template <class T>
struct ChainBlock {
  detail::LaneChains<T> chains;
  std::int64_t rounds;
  T* out;

  static void run(const void* context, std::size_t block) {
    const ChainBlock& self = *static_cast<const ChainBlock*>(context);
    self.out[block] = self.chains.run(self.rounds);
  }
};

// A GPU may have a sixty-fourth of its units for double precision: `waves` of threads.
template <class T>
LaneRate rateOf(Device& device, std::size_t waves) {
  if (device.isCuda()) {
    // Several waves of all the threads that the multiprocessors can hold.
    const std::size_t threads = std::size_t{2048} * waves * static_cast<std::size_t>(device.info().threads);
    using Chains = functors::FusedChains<T>;
    Buffer<T> out(device.shared_from_this(), threads);
    const Chains chains{static_cast<T>(0.999), static_cast<T>(0.001), out.data()};
    const double operations = static_cast<double>(threads) * Chains::kChains * Chains::kRounds;
    return {bestRate(device, operations, [&] { parallelFor(device, threads, chains); }), "CUDA FMA"};
  }
  // Blocks of a fraction of a millisecond, so that other threads take the share of a delayed one.
  constexpr std::int64_t kRounds = 1 << 16;
  const std::size_t blocks = std::size_t{16} * static_cast<std::size_t>(device.info().threads);
  std::vector<T> out(blocks);
  const ChainBlock<T> block{detail::laneChains<T>(), kRounds, out.data()};
  const double operations = static_cast<double>(blocks) * kRounds * block.chains.operations_per_round;
  return {bestRate(device, operations, [&] { detail::runBlocks(device, blocks, &ChainBlock<T>::run, &block); }),
          block.chains.instructions, std::string_view(block.chains.instructions) == "portable" ? 1.0 : 2.0};
}

}  // namespace

LaneRate laneRate(Device& device) {
  return rateOf<float>(device, 8);
}

LaneRate doubleLaneRate(Device& device) {
  return rateOf<double>(device, 2);
}

}  // namespace simscope::compute
