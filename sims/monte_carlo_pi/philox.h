// Philox 4x32-10 with precomputed round keys, for loops over many counters: the same words as Random123's (a test
// compares them). Source: J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11. Plain data, passed
// to kernels by value; any thread.
#pragma once

#include <cstdint>

#include "sims/compute/host_device.h"
#include "sims/compute/loops/unroll.h"

namespace simscope::monte_carlo_pi {

inline constexpr int kRounds = 10;
inline constexpr std::uint32_t kMultiplier0 = 0xD2511F53u, kMultiplier1 = 0xCD9E8D57u;

struct RoundKeys {
  std::uint32_t words[2 * kRounds];  // two a round
};
inline RoundKeys roundKeysOf(std::uint64_t seed) {
  RoundKeys keys{};
  std::uint32_t first = static_cast<std::uint32_t>(seed), second = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < kRounds; ++round) {
    keys.words[2 * round] = first;
    keys.words[2 * round + 1] = second;
    first += 0x9E3779B9u;
    second += 0xBB67AE85u;
  }
  return keys;
}

struct Words {
  std::uint32_t w0, w1, w2, w3;
};
// The words of the counter (index, third, fourth).
SIMSCOPE_HD inline Words philox(const RoundKeys& keys, std::uint64_t index, std::uint32_t third, std::uint32_t fourth) {
  Words c{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), third, fourth};
  SIMSCOPE_UNROLL
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t a = std::uint64_t{kMultiplier0} * c.w0, b = std::uint64_t{kMultiplier1} * c.w2;
    c = {static_cast<std::uint32_t>(b >> 32) ^ c.w1 ^ keys.words[2 * round], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c.w3 ^ keys.words[2 * round + 1], static_cast<std::uint32_t>(a)};
  }
  return c;
}

}  // namespace simscope::monte_carlo_pi
