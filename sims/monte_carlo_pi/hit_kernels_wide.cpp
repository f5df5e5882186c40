// A call in each 64 bits of a register: the low half of a lane holds a word, the product of two is the whole lane. What
// is left in a high half is never read.
#include "sims/compute/lanes/wide.h"
#include "sims/monte_carlo_pi/hit_kernels.h"

namespace simscope::monte_carlo_pi {
namespace {

using V = compute::Words;
constexpr int kLanes = compute::kDoubles, kWords = 2 * kLanes;

struct State {
  V c0, c1, c2, c3;
};
inline V exclusiveOr(V a, V b, std::uint32_t each) {
  const V c = SIMSCOPE_WIDE(set1_epi32)(static_cast<int>(each));
#if defined(__AVX512F__)
  return _mm512_ternarylogic_epi32(a, b, c, 0x96);
#else
  return a ^ b ^ c;
#endif
}
inline State turned(const State& c, const std::uint32_t* keys) {
  const V a = SIMSCOPE_WIDE(mul_epu32)(c.c0, V{} + 0xD2511F53), b = SIMSCOPE_WIDE(mul_epu32)(c.c2, V{} + 0xCD9E8D57);
  const V high_a = SIMSCOPE_WIDE(srli_epi64)(a, 32), high_b = SIMSCOPE_WIDE(srli_epi64)(b, 32);
  return {exclusiveOr(high_b, c.c1, keys[0]), b, exclusiveOr(high_a, c.c3, keys[1]), a};
}
inline V reflected(V words) {
  return exclusiveOr(words, SIMSCOPE_WIDE(srai_epi16)(words, 15), 0x7FFF7FFF);
}
#if defined(__AVX512F__)
// The low words of a and of b, in turns.
inline V woven(V a, V b) {
  return _mm512_mask_shuffle_epi32(a, 0xAAAA, b, _MM_PERM_CCAA);
}
// A bit for each word that is below its bound, without signs.
inline unsigned below(V words, V bound) {
  return _mm512_cmplt_epu32_mask(words, bound);
}
#else
inline V woven(V a, V b) {
  return _mm256_blend_epi32(a, _mm256_slli_epi64(b, 32), 0xAA);
}
inline unsigned below(V words, V bound) {
  const __m256i not_below = _mm256_cmpeq_epi32(_mm256_max_epu32(words, bound), words);
  return ~static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(not_below))) & 0xFF;
}
#endif

template <bool pairs>
std::uint64_t hits(const CallRange& range) {
  const V sure = SIMSCOPE_WIDE(set1_epi32)(static_cast<int>(range.surely_hits)), none{};
  const V open = SIMSCOPE_WIDE(set1_epi32)(static_cast<int>(range.undecided));
  V steps, counts{};
  for (int i = 0; i < kLanes; ++i) steps[i] = i;
  std::uint64_t decided = 0;
  const auto taken = [&](V words, std::uint64_t call, std::uint32_t lane) {
    const auto undecided = [&](V each) {
      const V t = SIMSCOPE_WIDE(sub_epi32)(SIMSCOPE_WIDE(madd_epi16)(each, each), sure);
      counts = SIMSCOPE_WIDE(add_epi32)(counts, SIMSCOPE_WIDE(srli_epi32)(t, 31));
      return below(t, open);
    };
    unsigned asked = undecided(words);
    if (pairs) asked |= undecided(reflected(words));
    if (asked == 0) return;
    std::uint32_t all[kWords];
    __builtin_memcpy(all, &words, sizeof all);
    for (std::uint32_t i = 0; i < kWords; ++i) {
      if (asked >> i & 1) decided += range.decide(range.context, call + i / 2, lane + i % 2, all[i]);
    }
  };
  for (std::uint64_t call = range.first; call < range.first + range.count; call += 2 * kLanes) {
    const V low = steps + static_cast<long long>(call), high = low + kLanes, chain = none + range.chain;
    State a{low, SIMSCOPE_WIDE(srli_epi64)(low, 32), chain, none};
    State b{high, SIMSCOPE_WIDE(srli_epi64)(high, 32), chain, none};
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      a = turned(a, range.keys + 2 * round);
      b = turned(b, range.keys + 2 * round);
    }
    taken(woven(a.c0, a.c1), call, 0);
    taken(woven(a.c2, a.c3), call, 2);
    taken(woven(b.c0, b.c1), call + kLanes, 0);
    taken(woven(b.c2, b.c3), call + kLanes, 2);
  }
  std::uint32_t all[kWords];
  __builtin_memcpy(all, &counts, sizeof all);
  for (const std::uint32_t each : all) decided += each;
  return decided;
}

}  // namespace

HitKernels wideHitKernels(compute::ThisSet set) {
  return {hits<false>, hits<true>, set.kName};
}

}  // namespace simscope::monte_carlo_pi
