// Eight calls at a time, each in 64 bits of a register: the low half of a lane holds a word, the product of two is the
// whole lane. What is left in a high half is never read.
#include <immintrin.h>

#include "sims/monte_carlo_pi/hit_kernels.h"

namespace simscope::monte_carlo_pi {
namespace {

using V = __m256i;

struct State {
  V c0, c1, c2, c3;
};
inline V three(V a, V b, V c) {
  return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
}
inline State turned(const State& c, const std::uint32_t* keys) {
  const V a = _mm256_mul_epu32(c.c0, _mm256_set1_epi64x(0xD2511F53));
  const V b = _mm256_mul_epu32(c.c2, _mm256_set1_epi64x(0xCD9E8D57));
  const V k0 = _mm256_set1_epi32(static_cast<int>(keys[0])), k1 = _mm256_set1_epi32(static_cast<int>(keys[1]));
  return {three(_mm256_srli_epi64(b, 32), c.c1, k0), b, three(_mm256_srli_epi64(a, 32), c.c3, k1), a};
}
// The low words of a and of b, in turns.
inline V woven(V a, V b) {
  return _mm256_blend_epi32(a, _mm256_slli_epi64(b, 32), 0xAA);
}
inline V reflected(V words) {
  return _mm256_xor_si256(_mm256_xor_si256(words, _mm256_srai_epi16(words, 15)), _mm256_set1_epi16(0x7FFF));
}
// All bits of the elements that are below `bound`, without a sign.
inline V below(V values, V bound_less_one) {
  return _mm256_cmpeq_epi32(_mm256_min_epu32(values, bound_less_one), values);
}

template <bool pairs>
std::uint64_t hits(const CallRange& range) {
  const V sure = _mm256_set1_epi32(static_cast<int>(range.surely_hits));
  const V open = _mm256_set1_epi32(static_cast<int>(range.undecided - 1));
  const V steps = _mm256_setr_epi64x(0, 1, 2, 3);
  const V chain = _mm256_set1_epi64x(range.chain), none = _mm256_setzero_si256();
  V counts = none;
  std::uint64_t decided = 0;
  const auto taken = [&](V words, std::uint64_t call, std::uint32_t lane) {
    const V t = _mm256_sub_epi32(_mm256_madd_epi16(words, words), sure);
    counts = _mm256_add_epi32(counts, _mm256_srli_epi32(t, 31));
    V open_here = below(t, open);
    if (pairs) {
      const V other = reflected(words), s = _mm256_sub_epi32(_mm256_madd_epi16(other, other), sure);
      counts = _mm256_add_epi32(counts, _mm256_srli_epi32(s, 31));
      open_here = _mm256_or_si256(open_here, below(s, open));
    }
    if (_mm256_testz_si256(open_here, open_here)) return;
    const int asked = _mm256_movemask_ps(_mm256_castsi256_ps(open_here));
    alignas(32) std::uint32_t all[8];
    _mm256_store_si256(reinterpret_cast<V*>(all), words);
    for (std::uint32_t i = 0; i < 8; ++i) {
      if (asked >> i & 1) decided += range.decide(range.context, call + i / 2, lane + i % 2, all[i]);
    }
  };
  for (std::uint64_t call = range.first; call < range.first + range.count; call += 8) {
    const V low = _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(call)), steps);
    const V high = _mm256_add_epi64(low, _mm256_set1_epi64x(4));
    State a{low, _mm256_srli_epi64(low, 32), chain, none}, b{high, _mm256_srli_epi64(high, 32), chain, none};
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      a = turned(a, range.keys + 2 * round);
      b = turned(b, range.keys + 2 * round);
    }
    taken(woven(a.c0, a.c1), call, 0);
    taken(woven(a.c2, a.c3), call, 2);
    taken(woven(b.c0, b.c1), call + 4, 0);
    taken(woven(b.c2, b.c3), call + 4, 2);
  }
  alignas(32) std::uint32_t all[8];
  _mm256_store_si256(reinterpret_cast<V*>(all), counts);
  for (const std::uint32_t each : all) decided += each;
  return decided;
}

}  // namespace

HitKernels avx2HitKernels() {
  return {hits<false>, hits<true>, "AVX2"};
}

}  // namespace simscope::monte_carlo_pi
