#include "sims/projectiles/evaluation.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "sims/compute/lanes/instruction_sets.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/warp.h"

namespace simscope::projectiles {
namespace {

constexpr std::uint32_t kInTheAir = 0xffffffffu;  // not a number of units, which end at 2^31

struct Outcome {
  std::uint32_t range, duration;  // in units; kInTheAir
  float highest;
};

template <bool raised>
SIMSCOPE_HD inline Outcome outcomeOf(const Question& q, const Launch& launch) {
  const float duration = q.flight.duration(launch, raised);
  const float range = launch.vx > 0.0f ? launch.vx * duration : 0.0f;
  // Extent has room for every flight: both fit.
  const auto range_units = static_cast<std::uint32_t>(static_cast<std::int32_t>(range * q.range_units));
  const auto duration_units = static_cast<std::uint32_t>(static_cast<std::int32_t>(duration * q.duration_units));
  return {duration <= q.time ? range_units : kInTheAir, duration_units, q.flight.highestUntil(launch, q.time)};
}

template <class Word>
void addTo(Word& to, Word value) {
  std::atomic_ref(to).fetch_add(value, std::memory_order_relaxed);
}
inline void raiseTo(std::uint32_t& to, std::uint32_t value) {
  std::atomic_ref most(to);
  std::uint32_t before = most.load(std::memory_order_relaxed);
  while (before < value && !most.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
  }
}

// On the CPU: groups of draws are evaluated side by side, then counted one after the other. Each draw gives two
// launches, whose results are in the first and the second half.
constexpr std::size_t kGroup = 128, kChunk = 8192;
struct Group {
  std::uint32_t range[2][kGroup], duration[2][kGroup];
  float highest[2][kGroup];

  void put(std::size_t half, std::size_t i, const Outcome& outcome) {
    range[half][i] = outcome.range;
    duration[half][i] = outcome.duration;
    highest[half][i] = outcome.highest;
  }
};

template <bool raised>
SIMSCOPE_WIDEST void fly(const Question& question, std::uint64_t first_draw, Group& group) {
  const Question q = question;
  SIMSCOPE_INDEPENDENT
  for (std::size_t i = 0; i < kGroup; ++i) {
    const compute::Uniform4f draw = compute::uniform4f(q.law.seed, 0, first_draw + i);
    group.put(0, i, outcomeOf<raised>(q, q.law.from(draw.u[0], draw.u[1], 0.0f)));
    group.put(1, i, outcomeOf<raised>(q, q.law.from(draw.u[2], draw.u[3], 1.0f)));
  }
}

struct CountChunk {
  Question q;
  std::uint32_t* words;
  std::uint32_t bins;

  void operator()(std::size_t chunk) const {
    std::uint32_t counts[kMostBins] = {};
    Tally own;
    float highest = 0;
    const std::uint64_t begin = chunk * kChunk, end = std::min<std::uint64_t>(q.launches, begin + kChunk);
    for (std::uint64_t first = begin; first < end; first += 2 * kGroup) {
      Group group;
      if (q.raised) {
        fly<true>(q, first / 2, group);
      } else {
        fly<false>(q, first / 2, group);
      }
      for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t count = std::min<std::uint64_t>(kGroup, (end - first + 1 - half) / 2);
        for (std::size_t i = 0; i < count; ++i) {
          highest = std::max(highest, group.highest[half][i]);
          const std::uint32_t range = group.range[half][i];
          if (range == kInTheAir) continue;
          ++own.landed;
          own.range += range;
          own.duration += group.duration[half][i];
          own.most_range = std::max(own.most_range, range);
          const std::uint32_t bin = binOf(range, bins);
          if (bin < bins) ++counts[bin];
        }
      }
    }
    Tally& all = *reinterpret_cast<Tally*>(words);
    addTo(all.landed, own.landed);
    addTo(all.range, own.range);
    addTo(all.duration, own.duration);
    raiseTo(all.most_range, own.most_range);
    raiseTo(all.highest_bits, std::bit_cast<std::uint32_t>(highest));
    for (std::uint32_t bin = 0; bin < bins; ++bin) {
      if (counts[bin] != 0) addTo(words[kTallyWords + bin], counts[bin]);
    }
  }
};

#if SIMSCOPE_HAVE_CUDA

constexpr unsigned kThreads = 256, kBlocksPerProcessor = 6;

// Each thread draws and flies two launches at a time; a block counts in its shared memory.
template <bool raised>
__global__ void __launch_bounds__(kThreads) evaluateLaunches(Question q, std::uint32_t* words, unsigned bins) {
  extern __shared__ unsigned counts[];
  __shared__ unsigned long long block_landed, block_range, block_duration;
  __shared__ unsigned block_most_range, block_highest;
  for (unsigned bin = threadIdx.x; bin < bins; bin += kThreads) counts[bin] = 0;
  if (threadIdx.x == 0) {
    block_landed = block_range = block_duration = 0;
    block_most_range = block_highest = 0;
  }
  __syncthreads();

  unsigned long long landed = 0, range = 0, duration = 0;
  unsigned most_range = 0;
  float highest = 0;
  const auto count = [&](const Outcome& each) {
    highest = fmaxf(highest, each.highest);
    if (each.range == kInTheAir) return;
    ++landed;
    range += each.range;
    duration += each.duration;
    most_range = max(most_range, each.range);
    const unsigned bin = binOf(each.range, bins);
    if (bin < bins) atomicAdd(&counts[bin], 1u);
  };
  const std::uint64_t draws = (q.launches + 1) / 2, stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < draws; i += stride) {
    const compute::Uniform4f draw = compute::uniform4f(q.law.seed, 0, i);
    count(outcomeOf<raised>(q, q.law.from(draw.u[0], draw.u[1], 0.0f)));
    if (2 * i + 1 < q.launches) count(outcomeOf<raised>(q, q.law.from(draw.u[2], draw.u[3], 1.0f)));
  }

  landed = compute::sumOfWarp(landed);
  range = compute::sumOfWarp(range);
  duration = compute::sumOfWarp(duration);
  most_range = compute::mostOfWarp(most_range);
  // Heights are not negative, so that their bits have the same order.
  const unsigned highest_bits = compute::mostOfWarp(__float_as_uint(highest));
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&block_landed, landed);
    atomicAdd(&block_range, range);
    atomicAdd(&block_duration, duration);
    atomicMax(&block_most_range, most_range);
    atomicMax(&block_highest, highest_bits);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins; bin += kThreads) {
    if (counts[bin] != 0) atomicAdd(&words[kTallyWords + bin], counts[bin]);
  }
  if (threadIdx.x != 0) return;
  Tally& all = *reinterpret_cast<Tally*>(words);
  const auto wide = [](std::uint64_t& to) { return reinterpret_cast<unsigned long long*>(&to); };
  atomicAdd(wide(all.landed), block_landed);
  atomicAdd(wide(all.range), block_range);
  atomicAdd(wide(all.duration), block_duration);
  atomicMax(&all.most_range, block_most_range);
  atomicMax(&all.highest_bits, block_highest);
}

template <bool raised>
void evaluateOnCuda(compute::Device& device, const Question& q, Landings& landings) {
  const auto bins = static_cast<unsigned>(landings.bins());
  const auto processors = static_cast<unsigned>(device.info().threads);
  // A block with fewer launches than bins would write more than it counts.
  const std::uint64_t each = std::max(2 * kThreads, 2 * bins);
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>((q.launches - 1) / each + 1, std::uint64_t{processors} * kBlocksPerProcessor));
  const auto stream = static_cast<cudaStream_t>(device.stream());
  evaluateLaunches<raised><<<blocks, kThreads, bins * sizeof(unsigned), stream>>>(q, landings.words(), bins);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

#endif  // SIMSCOPE_HAVE_CUDA

}  // namespace

Tally Landings::tally() const {
  std::uint32_t words[kTallyWords];
  words_.device()->download(words, words_.data(), sizeof words);
  Tally tally;
  std::memcpy(&tally, words, sizeof tally);
  return tally;
}

std::vector<int> Landings::histogram() const {
  std::vector<int> counts(static_cast<std::size_t>(bins_));
  words_.device()->download(counts.data(), words_.data() + kTallyWords, counts.size() * sizeof(int));
  return counts;
}

Question question(const Parameters& p, std::uint64_t seed, double time, const Extent& extent) {
  return {launchLaw(p, seed),
          freeFlight(p),
          static_cast<float>(time),
          static_cast<float>(Extent::kUnits / extent.range),
          static_cast<float>(Extent::kUnits / extent.duration),
          static_cast<std::uint64_t>(p.launches),
          p.height > 0};
}

void evaluate(compute::Device& device, const Question& q, Landings& landings) {
  landings.zero();
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    if (q.raised) {
      evaluateOnCuda<true>(device, q, landings);
    } else {
      evaluateOnCuda<false>(device, q, landings);
    }
    return;
  }
#endif
  const auto bins = static_cast<std::uint32_t>(landings.bins());
  compute::detail::forEachOnCpu(device, (q.launches - 1) / kChunk + 1, CountChunk{q, landings.words(), bins}, 1);
}

}  // namespace simscope::projectiles
