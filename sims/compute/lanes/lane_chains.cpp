#include "sims/compute/lanes/detail/lane_chains.h"

#include "sims/compute/lanes/instruction_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace simscope::compute::detail {
namespace {

// x = kSlope·x + kOffset approaches 1: neither infinite nor denormal, whatever the number of rounds.
constexpr float kSlope = 0.999f, kOffset = 0.001f;
// More than two units with a latency of five cycles can hold; with two constants they fit sixteen registers.
constexpr int kChains = 12;

// Four lanes are what every 64-bit processor has; without fused instructions a round is a product and a sum.
float portable(std::int64_t rounds) {
  using Lanes = float __attribute__((vector_size(16)));
  Lanes x[kChains];
  for (int c = 0; c < kChains; ++c) x[c] = Lanes{} + static_cast<float>(c);
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (int c = 0; c < kChains; ++c) x[c] = x[c] * kSlope + kOffset;
  }
  Lanes sum{};
  for (int c = 0; c < kChains; ++c) sum += x[c];
  return sum[0] + sum[3];
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) float avx2(std::int64_t rounds) {
  const __m256 slope = _mm256_set1_ps(kSlope), offset = _mm256_set1_ps(kOffset);
  __m256 x[kChains];
  for (int c = 0; c < kChains; ++c) x[c] = _mm256_set1_ps(static_cast<float>(c));
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (int c = 0; c < kChains; ++c) x[c] = _mm256_fmadd_ps(x[c], slope, offset);
  }
  __m256 sum = x[0];
  for (int c = 1; c < kChains; ++c) sum = _mm256_add_ps(sum, x[c]);
  return sum[0] + sum[7];
}

__attribute__((target("avx512f"))) float avx512(std::int64_t rounds) {
  const __m512 slope = _mm512_set1_ps(kSlope), offset = _mm512_set1_ps(kOffset);
  __m512 x[kChains];
  for (int c = 0; c < kChains; ++c) x[c] = _mm512_set1_ps(static_cast<float>(c));
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (int c = 0; c < kChains; ++c) x[c] = _mm512_fmadd_ps(x[c], slope, offset);
  }
  __m512 sum = x[0];
  for (int c = 1; c < kChains; ++c) sum = _mm512_add_ps(sum, x[c]);
  return sum[0] + sum[15];
}

#endif

}  // namespace

LaneChains laneChains() {
#if defined(__x86_64__)
  if (hasAvx512()) return {avx512, kChains * 16.0, "AVX-512 FMA"};
  if (hasAvx2()) return {avx2, kChains * 8.0, "AVX2 FMA"};
#endif
  return {portable, kChains * 4.0 * 2, "portable"};
}

}  // namespace simscope::compute::detail
