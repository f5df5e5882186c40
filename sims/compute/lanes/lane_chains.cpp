#include "sims/compute/lanes/detail/lane_chains.h"

#include "sims/compute/lanes/instruction_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace simscope::compute::detail {
namespace {

// x = kSlope·x + kOffset approaches 1: neither infinite nor denormal, whatever the number of rounds.
constexpr double kSlope = 0.999, kOffset = 0.001;
// More than two units with a latency of five cycles can hold; with two constants they fit sixteen registers.
constexpr int kChains = 12;

// Sixteen bytes are what every 64-bit processor has; without fused instructions a round is a product and a sum.
template <class T>
T portable(std::int64_t rounds) {
  typedef T Lanes __attribute__((vector_size(16)));  // g++ drops the attribute of an alias that depends on T
  constexpr T kFactor = static_cast<T>(kSlope), kTerm = static_cast<T>(kOffset);
  Lanes x[kChains];
  for (int c = 0; c < kChains; ++c) x[c] = Lanes{} + static_cast<T>(c);
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (int c = 0; c < kChains; ++c) x[c] = x[c] * kFactor + kTerm;
  }
  Lanes sum{};
  for (int c = 0; c < kChains; ++c) sum += x[c];
  return sum[0] + sum[16 / sizeof(T) - 1];
}

#if defined(__x86_64__)

#define SIMSCOPE_CHAINS(name, sets, type, lanes, bits, suffix)                                  \
  __attribute__((target(sets))) type name(std::int64_t rounds) {                                \
    const lanes slope = _mm##bits##_set1_##suffix(static_cast<type>(kSlope)),                   \
                offset = _mm##bits##_set1_##suffix(static_cast<type>(kOffset));                 \
    lanes x[kChains];                                                                           \
    for (int c = 0; c < kChains; ++c) x[c] = _mm##bits##_set1_##suffix(static_cast<type>(c));   \
    for (std::int64_t i = 0; i < rounds; ++i) {                                                 \
      for (int c = 0; c < kChains; ++c) x[c] = _mm##bits##_fmadd_##suffix(x[c], slope, offset); \
    }                                                                                           \
    lanes sum = x[0];                                                                           \
    for (int c = 1; c < kChains; ++c) sum = _mm##bits##_add_##suffix(sum, x[c]);                \
    return sum[0] + sum[sizeof(lanes) / sizeof(type) - 1];                                      \
  }
SIMSCOPE_CHAINS(singleAvx2, "avx2,fma", float, __m256, 256, ps)
SIMSCOPE_CHAINS(doubleAvx2, "avx2,fma", double, __m256d, 256, pd)
SIMSCOPE_CHAINS(singleAvx512, "avx512f", float, __m512, 512, ps)
SIMSCOPE_CHAINS(doubleAvx512, "avx512f", double, __m512d, 512, pd)
#undef SIMSCOPE_CHAINS

#endif

}  // namespace

template <>
LaneChains<float> laneChains<float>() {
#if defined(__x86_64__)
  if (hasAvx512()) return {singleAvx512, kChains * 16.0, "AVX-512 FMA"};
  if (hasAvx2()) return {singleAvx2, kChains * 8.0, "AVX2 FMA"};
#endif
  return {portable<float>, kChains * 4.0 * 2, "portable"};
}

template <>
LaneChains<double> laneChains<double>() {
#if defined(__x86_64__)
  if (hasAvx512()) return {doubleAvx512, kChains * 8.0, "AVX-512 FMA"};
  if (hasAvx2()) return {doubleAvx2, kChains * 4.0, "AVX2 FMA"};
#endif
  return {portable<double>, kChains * 2.0 * 2, "portable"};
}

}  // namespace simscope::compute::detail
