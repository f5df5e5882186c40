// Hits of many calls of Philox, compiled for the instruction sets of x86-64 and chosen at run time
// (sims/compute/lanes/instruction_sets.h): the counts of IndependentDarts::hitsOf and AntitheticDarts::hitsOf (dart.h)
// to the last dart. Where a dart's first 32 bits do not decide, a function of the caller does.
#pragma once

#include <cstdint>

#include "sims/compute/lanes/instruction_sets.h"

namespace simscope::monte_carlo_pi {

// The calls that the widest kernel takes at a time.
inline constexpr std::uint64_t kCallsAtATime = 16;

struct CallRange {
  const std::uint32_t* keys;             // RoundKeys::words
  std::uint32_t chain;                   // the counter's third word
  std::uint64_t first, count;            // calls; count: a multiple of kCallsAtATime, below 2^28
  std::uint32_t surely_hits, undecided;  // s < surely_hits hits; s - surely_hits < undecided goes to decide()
  // Hits among the darts of a word (one, or two where they are pairs) that the kernel did not decide.
  unsigned (*decide)(const void* context, std::uint64_t call, std::uint32_t lane, std::uint32_t word);
  const void* context;
};

struct HitKernels {
  std::uint64_t (*independent)(const CallRange&);  // null: there is none, and dart.h's functions count
  std::uint64_t (*antithetic)(const CallRange&);
  const char* name;
};

HitKernels wideHitKernels(compute::Avx2);
HitKernels wideHitKernels(compute::Avx512);

const compute::KernelList<HitKernels>& supportedHitKernels();

}  // namespace simscope::monte_carlo_pi
