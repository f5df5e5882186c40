// Sixteen calls at a time, each in 64 bits of a register: the low half of a lane holds a word, the product of two is
// the whole lane. What is left in a high half is never read.
#include <immintrin.h>

#include "sims/monte_carlo_pi/hit_kernels.h"

namespace simscope::monte_carlo_pi {
namespace {

using V = __m512i;

struct State {
  V c0, c1, c2, c3;
};
inline V three(V a, V b, V c) {
  return _mm512_ternarylogic_epi32(a, b, c, 0x96);  // exclusive or of all
}
inline State turned(const State& c, const std::uint32_t* keys) {
  const V a = _mm512_mul_epu32(c.c0, _mm512_set1_epi64(0xD2511F53));
  const V b = _mm512_mul_epu32(c.c2, _mm512_set1_epi64(0xCD9E8D57));
  const V k0 = _mm512_set1_epi32(static_cast<int>(keys[0])), k1 = _mm512_set1_epi32(static_cast<int>(keys[1]));
  return {three(_mm512_srli_epi64(b, 32), c.c1, k0), b, three(_mm512_srli_epi64(a, 32), c.c3, k1), a};
}
// The low words of a and of b, in turns.
inline V woven(V a, V b) {
  return _mm512_mask_shuffle_epi32(a, 0xAAAA, b, _MM_PERM_CCAA);
}
inline V reflected(V words) {
  return _mm512_xor_si512(_mm512_xor_si512(words, _mm512_srai_epi16(words, 15)), _mm512_set1_epi16(0x7FFF));
}

template <bool pairs>
std::uint64_t hits(const CallRange& range) {
  const V sure = _mm512_set1_epi32(static_cast<int>(range.surely_hits));
  const V open = _mm512_set1_epi32(static_cast<int>(range.undecided));
  const V steps = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  const V chain = _mm512_set1_epi64(range.chain), none = _mm512_setzero_si512();
  V counts = none;
  std::uint64_t decided = 0;
  const auto taken = [&](V words, std::uint64_t call, std::uint32_t lane) {
    const V t = _mm512_sub_epi32(_mm512_madd_epi16(words, words), sure);
    counts = _mm512_add_epi32(counts, _mm512_srli_epi32(t, 31));
    __mmask16 asked = _mm512_cmplt_epu32_mask(t, open);
    if (pairs) {
      const V other = reflected(words), s = _mm512_sub_epi32(_mm512_madd_epi16(other, other), sure);
      counts = _mm512_add_epi32(counts, _mm512_srli_epi32(s, 31));
      asked = static_cast<__mmask16>(asked | _mm512_cmplt_epu32_mask(s, open));
    }
    if (asked == 0) return;
    alignas(64) std::uint32_t all[16];
    _mm512_store_si512(all, words);
    for (std::uint32_t i = 0; i < 16; ++i) {
      if (asked >> i & 1) decided += range.decide(range.context, call + i / 2, lane + i % 2, all[i]);
    }
  };
  for (std::uint64_t call = range.first; call < range.first + range.count; call += 16) {
    const V low = _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(call)), steps);
    const V high = _mm512_add_epi64(low, _mm512_set1_epi64(8));
    State a{low, _mm512_srli_epi64(low, 32), chain, none}, b{high, _mm512_srli_epi64(high, 32), chain, none};
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      a = turned(a, range.keys + 2 * round);
      b = turned(b, range.keys + 2 * round);
    }
    taken(woven(a.c0, a.c1), call, 0);
    taken(woven(a.c2, a.c3), call, 2);
    taken(woven(b.c0, b.c1), call + 8, 0);
    taken(woven(b.c2, b.c3), call + 8, 2);
  }
  const V wide =
      _mm512_add_epi64(_mm512_srli_epi64(counts, 32), _mm512_and_si512(counts, _mm512_set1_epi64(0xFFFFFFFF)));
  return decided + static_cast<std::uint64_t>(_mm512_reduce_add_epi64(wide));
}

}  // namespace

HitKernels avx512HitKernels() {
  return {hits<false>, hits<true>, "AVX-512"};
}

}  // namespace simscope::monte_carlo_pi
