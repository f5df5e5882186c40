// The CPU's part of sample.h: batches of groups side by side in loops that compilers turn into vectors, for the widest
// instructions that the processor has.
#include <algorithm>
#include <vector>

#include "sims/compute/lanes/instruction_sets.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/compute/loops/unroll.h"
#include "sims/maxwell_boltzmann/sample.h"

// What is called from these functions is compiled within them: nothing that uses the instructions gets a name of its
// own.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define SIMSCOPE_DRAW_WIDE 1
#define SIMSCOPE_DRAW_INLINE inline __attribute__((always_inline))
#else
#define SIMSCOPE_DRAW_WIDE 0
#define SIMSCOPE_DRAW_INLINE inline
#endif

namespace simscope::maxwell_boltzmann {
namespace {

constexpr int kBatch = 64;                      // groups
constexpr std::uint64_t kTaskGroups = 1 << 14;  // that a thread takes at a time, at the fewest

// A thread's own counts, twice over: neighbours in the same bin need not wait for each other.
struct Tally {
  std::uint32_t counts[2][kHistograms * kPlaces] = {};
  Sums sums;
};

SIMSCOPE_DRAW_INLINE void addBatch(const Draw& draw, std::uint64_t first, std::uint64_t molecules, Tally& tally) {
  alignas(64) float z[3 * kInGroup][kBatch];
  alignas(64) std::int32_t places[kHistograms * kInGroup][kBatch];
  alignas(64) float speed[kInGroup][kBatch], square[kInGroup][kBatch];
  for (int call = 0; call < 3; ++call) {
    float(*const out)[kBatch] = z + 4 * call;
    SIMSCOPE_INDEPENDENT
    for (int g = 0; g < kBatch; ++g) {
      const compute::NormalSingle4 drawn =
          draw.normals(first + static_cast<std::uint64_t>(g), static_cast<std::uint32_t>(call));
      out[0][g] = drawn.z[0];
      out[1][g] = drawn.z[1];
      out[2][g] = drawn.z[2];
      out[3][g] = drawn.z[3];
    }
  }
  const Bins bins = draw.bins;
  for (int m = 0; m < kInGroup; ++m) {
    SIMSCOPE_INDEPENDENT
    for (int g = 0; g < kBatch; ++g) {
      const float x = z[3 * m][g], y = z[3 * m + 1][g], w = z[3 * m + 2][g];
      const float u2 = speedSquared(x, y, w), u = compute::detail::rootOf(u2);
      square[m][g] = u2;
      speed[m][g] = u;
      places[4 * m][g] = placeIn(compute::detail::fused(x, bins.per_component, bins.middle), bins.bins);
      places[4 * m + 1][g] = placeIn(compute::detail::fused(y, bins.per_component, bins.middle), bins.bins);
      places[4 * m + 2][g] = placeIn(compute::detail::fused(w, bins.per_component, bins.middle), bins.bins);
      places[4 * m + 3][g] = placeIn(compute::detail::fused(u, bins.per_speed, 1.0f), bins.bins);
    }
  }
  const int groups = static_cast<int>(std::min<std::uint64_t>(kBatch, (molecules + kInGroup - 1) / kInGroup));
  // The last group may lack some.
  for (std::uint64_t at = molecules; at < static_cast<std::uint64_t>(groups) * kInGroup; ++at) {
    speed[at % kInGroup][at / kInGroup] = square[at % kInGroup][at / kInGroup] = 0;
  }
  std::uint64_t speeds = 0, squares = 0;
  for (int g = 0; g < groups; ++g) {
    speeds += partsOf((speed[0][g] + speed[1][g]) + (speed[2][g] + speed[3][g]));
    squares += partsOf((square[0][g] + square[1][g]) + (square[2][g] + square[3][g]));
  }
  tally.sums.speed += speeds;
  tally.sums.square += squares;
  for (int m = 0; m < kInGroup; ++m) {
    // Groups that have a molecule m.
    const int there = static_cast<int>(
        std::min<std::uint64_t>(kBatch, (molecules + kInGroup - 1 - static_cast<std::uint64_t>(m)) / kInGroup));
    std::uint32_t* const own = tally.counts[m % 2];
    for (int g = 0; g < there; ++g) {
      ++own[places[4 * m][g]];
      ++own[kPlaces + places[4 * m + 1][g]];
      ++own[2 * kPlaces + places[4 * m + 2][g]];
      ++own[3 * kPlaces + places[4 * m + 3][g]];
    }
  }
}

SIMSCOPE_DRAW_INLINE void addGroups(const Draw& draw, std::uint64_t from, std::uint64_t to, Tally& tally) {
  const std::uint64_t end = std::min(draw.molecules, to * kInGroup);
  for (std::uint64_t first = from; first < to; first += kBatch) {
    const std::uint64_t left = end - first * kInGroup;
    addBatch(draw, first, std::min<std::uint64_t>(left, std::uint64_t{kBatch} * kInGroup), tally);
  }
}

void addPortable(const Draw& draw, std::uint64_t from, std::uint64_t to, Tally& tally) {
  addGroups(draw, from, to, tally);
}
#if SIMSCOPE_DRAW_WIDE
__attribute__((target("avx2,fma"), flatten)) void addAvx2(const Draw& draw, std::uint64_t from, std::uint64_t to,
                                                          Tally& tally) {
  addGroups(draw, from, to, tally);
}
__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma,prefer-vector-width=512"), flatten)) void addAvx512(
    const Draw& draw, std::uint64_t from, std::uint64_t to, Tally& tally) {
  addGroups(draw, from, to, tally);
}
#endif

struct Chosen {
  void (*add)(const Draw&, std::uint64_t, std::uint64_t, Tally&);
  const char* name;
};
Chosen chosen() {
#if SIMSCOPE_DRAW_WIDE
  if (compute::hasAvx512()) return {addAvx512, "AVX-512"};
  if (compute::hasAvx2()) return {addAvx2, "AVX2"};
#endif
  return {addPortable, "portable"};
}

struct Work {
  Draw draw;
  std::uint64_t each;  // groups of a task
  Tally* tallies;
  Chosen with;
  static void run(const void* context, std::size_t task) {
    const Work& self = *static_cast<const Work*>(context);
    const std::uint64_t from = task * self.each;
    self.with.add(self.draw, from, std::min(self.draw.groups(), from + self.each), self.tallies[task]);
  }
};

}  // namespace

const char* drawInstructions() {
  return chosen().name;
}

void detail::addDrawOnCpu(compute::Device& device, const Draw& draw, std::uint64_t* counts, Sums& sums) {
  // Several tasks a thread even out who is late; a task's counts are of 32 bits.
  constexpr std::uint64_t kMostGroups = std::uint64_t{1} << 29;
  const std::uint64_t groups = draw.groups(), most = 8 * static_cast<std::uint64_t>(device.info().threads);
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>((groups - 1) / kTaskGroups + 1, groups / kMostGroups + 1, most);
  const std::uint64_t each = ((groups - 1) / wanted / kBatch + 1) * kBatch, tasks = (groups - 1) / each + 1;
  std::vector<Tally> tallies(tasks);
  const Work work{draw, each, tallies.data(), chosen()};
  device.countLaunches();
  if (tasks == 1) {
    Work::run(&work, 0);
  } else {
    compute::detail::runBlocks(device, tasks, &Work::run, &work);
  }
  for (const Tally& tally : tallies) {
    for (const auto& own : tally.counts) {
      for (int i = 0; i < kHistograms * kPlaces; ++i) counts[i] += own[i];
    }
    sums.speed += tally.sums.speed;
    sums.square += tally.sums.square;
  }
}

}  // namespace simscope::maxwell_boltzmann
