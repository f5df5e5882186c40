// The vectors of the instruction set that a source is compiled for, AVX2 or AVX-512, and what the compiler's own
// operators on them (+ - * / & | ^ < ?:) do not say. Only for sources of simscope_wide_sources: each set has functions
// of its own.
#pragma once

#include <immintrin.h>

#include "sims/compute/lanes/instruction_sets.h"

// The intrinsic of this set's width: SIMSCOPE_WIDE(fmadd_ps) is _mm256_fmadd_ps or _mm512_fmadd_ps.
#if defined(__AVX512F__)
#define SIMSCOPE_WIDE(name) _mm512_##name
#else
#define SIMSCOPE_WIDE(name) _mm256_##name
#endif

namespace simscope::compute {
#if defined(__AVX512F__)
inline namespace wide_avx512 {
using ThisSet = Avx512;
using Floats = __m512;
using Doubles = __m512d;
using Words = __m512i;  // of 64 bits, where an operator asks
#else
inline namespace wide_avx2 {
using ThisSet = Avx2;
using Floats = __m256;
using Doubles = __m256d;
using Words = __m256i;
#endif
inline constexpr int kFloats = sizeof(Floats) / sizeof(float), kDoubles = sizeof(Doubles) / sizeof(double);
typedef int Ints __attribute__((vector_size(sizeof(Floats))));  // a Floats' bits, or what a comparison of them gives

inline Floats all(float x) {
  return SIMSCOPE_WIDE(set1_ps)(x);
}

// a·b + c, rounded once.
inline Floats fused(Floats a, Floats b, Floats c) {
  return SIMSCOPE_WIDE(fmadd_ps)(a, b, c);
}

// The processor's estimate of 1/√x: 12 bits by AVX2, 14 by AVX-512.
inline Floats inverseRootEstimate(Floats x) {
#if defined(__AVX512F__)
  return _mm512_rsqrt14_ps(x);
#else
  return _mm256_rsqrt_ps(x);
#endif
}

// A bit for each lane, the first one lowest: kCompare, such as _CMP_LT_OQ, of a and b.
template <int kCompare>
unsigned compare(Floats a, Floats b) {
#if defined(__AVX512F__)
  return _mm512_cmp_ps_mask(a, b, kCompare);
#else
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, kCompare)));
#endif
}
template <int kCompare>
unsigned compare(Doubles a, Doubles b) {
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask(a, b, kCompare);
#else
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, kCompare)));
#endif
}

}  // namespace wide_avx2 or wide_avx512
}  // namespace simscope::compute
