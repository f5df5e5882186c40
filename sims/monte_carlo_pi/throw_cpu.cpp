#include <algorithm>
#include <atomic>
#include <type_traits>
#include <utility>

#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/monte_carlo_pi/throw.h"

namespace simscope::monte_carlo_pi {
namespace {

unsigned decideOne(const void* context, std::uint64_t call, std::uint32_t lane, std::uint32_t word) {
  const auto& [darts, chain] = *static_cast<const std::pair<IndependentDarts, IndependentDarts::Chain>*>(context);
  return darts.decided(chain, call, lane, word);
}
// The kernel has counted those of the pair that are sure.
unsigned decidePair(const void* context, std::uint64_t call, std::uint32_t lane, std::uint32_t word) {
  const auto& [darts, chain] = *static_cast<const std::pair<AntitheticDarts, AntitheticDarts::Chain>*>(context);
  const auto sure = [](std::uint32_t w) { return squaredDistance(w) < kSurelyHits ? 1u : 0u; };
  return darts.hitsOfPair(chain, call, lane, word) - sure(word) - sure(reflected(word));
}

// Calls [first, first + count), as far as the kernel takes them; how many those are goes to `taken`.
template <class Darts>
std::uint64_t hitsByKernel(const Darts& darts, const typename Darts::Chain& chain, std::uint64_t first,
                           std::uint64_t count, const HitKernels& kernels, std::uint64_t& taken) {
  taken = 0;
  if constexpr (std::is_same_v<Darts, IndependentDarts> || std::is_same_v<Darts, AntitheticDarts>) {
    constexpr bool kPairs = std::is_same_v<Darts, AntitheticDarts>;
    const auto kernel = kPairs ? kernels.antithetic : kernels.independent;
    if (!kernel) return 0;
    const std::pair context(darts, chain);
    CallRange range{};
    if constexpr (kPairs) {
      range.keys = darts.independent.keys.words;
    } else {
      range.keys = darts.keys.words;
    }
    range.chain = chain.number;
    range.first = first;
    range.count = taken = count / kCallsAtATime * kCallsAtATime;
    range.surely_hits = kSurelyHits, range.undecided = kUndecided;
    range.decide = kPairs ? decidePair : decideOne;
    range.context = &context;
    return kernel(range);
  } else {
    return 0;
  }
}

template <class Darts>
std::uint64_t hitsOfRange(const Darts& darts, std::uint32_t number, std::uint64_t from, std::uint64_t until,
                          const HitKernels& kernels) {
  constexpr std::uint64_t kEach = Darts::kEach;
  const auto chain = darts.chain(number);
  std::uint64_t count = 0;
  for (; from < until && from % kEach != 0; ++from) count += hits(darts.dart(chain, from));
  std::uint64_t call = from / kEach, taken = 0;
  const std::uint64_t end = std::max(until / kEach, call);
  count += hitsByKernel(darts, chain, call, end - call, kernels, taken);
  for (call += taken; call < end; ++call) count += darts.hitsOf(chain, call);
  for (from = std::max(from, end * kEach); from < until; ++from) count += hits(darts.dart(chain, from));
  return count;
}

// A block of work: a slice of one chain's darts, or all of several chains'.
template <class Darts>
struct Slices {
  Darts darts;
  Throw range;
  std::uint64_t each;  // darts of a slice
  std::size_t slices;  // of a chain
  std::size_t group;   // chains of a block
  std::size_t chains;
  std::uint64_t* hits;
  const HitKernels* kernels;

  std::size_t blocks() const { return slices * ((chains - 1) / group + 1); }
  static void run(const void* context, std::size_t block) {
    const Slices& self = *static_cast<const Slices*>(context);
    const std::size_t first = block / self.slices * self.group, last = std::min(first + self.group, self.chains);
    const std::uint64_t from = self.range.from + block % self.slices * self.each;
    const std::uint64_t until = std::min(from + self.each, self.range.until);
    for (std::size_t chain = first; chain < last; ++chain) {
      const std::uint64_t count =
          hitsOfRange(self.darts, static_cast<std::uint32_t>(chain), from, until, *self.kernels);
      std::atomic_ref(self.hits[chain]).fetch_add(count, std::memory_order_relaxed);
    }
  }
};

}  // namespace

void throwOnCpu(compute::Device& device, const Throw& darts, std::uint64_t* hits, std::size_t chains,
                const HitKernels& kernels) {
  if (chains == 0 || darts.until <= darts.from) return;
  const bool quick = darts.method == Method::Independent || darts.method == Method::Antithetic;
  const std::uint64_t grain = quick ? 1u << 18 : 1u << 13, length = darts.until - darts.from;
  withDarts(darts.method, darts.seed, [&]<class Darts>(const Darts& kind) {
    const auto slices = static_cast<std::size_t>((length - 1) / grain + 1);
    const auto group = static_cast<std::size_t>(std::max<std::uint64_t>(grain / length, 1));
    const Slices<Darts> work{kind, darts, grain, slices, group, chains, hits, &kernels};
    device.countLaunches();
    if (work.blocks() == 1) {
      Slices<Darts>::run(&work, 0);
    } else {
      compute::detail::runBlocks(device, work.blocks(), &Slices<Darts>::run, &work);
    }
  });
}

void throwDarts(const Throw& darts, compute::Buffer<std::uint64_t>& hits) {
  compute::Device& device = *hits.device();
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) return throwOnCuda(device, darts, hits.data(), hits.size());
#endif
  throwOnCpu(device, darts, hits.data(), hits.size(), supportedHitKernels().widest());
}

}  // namespace simscope::monte_carlo_pi
