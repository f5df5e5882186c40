// Normally distributed numbers in single precision, for sampling by the million: four from one draw of Philox, some 35
// operations each, and the same bits on both backends.
//
// Box and Muller's transform, with a logarithm and a sine of its own: those of libraries differ by a few ulps between
// processors, and the counts in bins would differ, too. Every product that is added is fused explicitly; compile with
// -ffp-contract=off, so that the host's compiler fuses nothing else. On the CPU a fused multiply-add is an instruction
// where the caller is compiled for one, else a slow call with the same result.
// Numbers reach 6.55 standard deviations (one in 10^10 would be beyond), in steps of 2^-30 of probability. Each is
// within 2e-6 of the value of exact functions for the same draw; within 2e-4 where its pair's radius is below 0.03 (one
// of 2000), where single precision has few numbers below 1. Polynomials: S. L. Moshier's Cephes library (logf, sinf,
// cosf). Any thread.
#pragma once

#include <Random123/philox.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "sims/compute/host_device.h"

namespace simscope::compute {

namespace detail {

SIMSCOPE_HD inline float fused(float a, float b, float c) {  // a b + c, rounded once
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
SIMSCOPE_HD inline float product(float a, float b) {  // never fused with a sum
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}
SIMSCOPE_HD inline float rootOf(float a) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(a);
#else
  return __builtin_sqrtf(a);
#endif
}

// -2 ln(k / 2^31) of an odd k below 2^31: k = m 2^e with m within 1/√2 and √2.
SIMSCOPE_HD inline float minusTwoLog(std::int32_t k) {
  constexpr std::int32_t kRootOfHalf = 0x3f3504f3;
  const std::int32_t bits = std::bit_cast<std::int32_t>(static_cast<float>(k));
  const std::int32_t e = (bits - kRootOfHalf) >> 23;
  const float f = std::bit_cast<float>(bits - e * (1 << 23)) - 1.0f, f2 = product(f, f);
  float p = fused(7.0376836292e-2f, f, -1.1514610310e-1f);
  p = fused(p, f, 1.1676998740e-1f);
  p = fused(p, f, -1.2420140846e-1f);
  p = fused(p, f, 1.4249322787e-1f);
  p = fused(p, f, -1.6668057665e-1f);
  p = fused(p, f, 2.0000714765e-1f);
  p = fused(p, f, -2.4999993993e-1f);
  p = fused(p, f, 3.3333331174e-1f);
  const float log_m = f + fused(p, product(f, f2), product(-0.5f, f2));
  constexpr float kTwoLogTwo = 1.38629436f;
  return fused(static_cast<float>(31 - e), kTwoLogTwo, product(-2.0f, log_m));
}

struct SineCosine {
  float sine, cosine;
};
// Sine and cosine of 2π turn / 2^32, from the remainder to the nearest quarter of a turn; the quarter says how they are
// exchanged and signed.
SIMSCOPE_HD inline SineCosine sineCosine(std::uint32_t turn) {
  constexpr float kHalfPiOver32Bits = 3.65729494e-10f;
  const std::uint32_t quarter = (turn + (1u << 29)) >> 30;
  const float x = product(static_cast<float>(static_cast<std::int32_t>(turn << 2)), kHalfPiOver32Bits);
  const float x2 = product(x, x);
  const float s = fused(fused(x2, -1.9515295891e-4f, 8.3321608736e-3f), x2, -1.6666654611e-1f);
  const float c = fused(fused(x2, 2.443315711809948e-5f, -1.388731625493765e-3f), x2, 4.166664568298827e-2f);
  const float sine = fused(s, product(x2, x), x), cosine = fused(c, product(x2, x2), fused(x2, -0.5f, 1.0f));
  const bool swapped = (quarter & 1u) != 0;
  const auto withSign = [](float value, std::uint32_t negative) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ ((negative & 2u) << 30));
  };
  return {withSign(swapped ? cosine : sine, quarter), withSign(swapped ? sine : cosine, quarter + 1u)};
}

}  // namespace detail

struct NormalSingle4 {
  float z[4];  // independent, mean 0, variance 1
};

// From Philox's four words at this place, in order: two radii and two angles.
SIMSCOPE_HD inline NormalSingle4 normalSingle4(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  r123::Philox4x32 generator;
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), stream, 0u}};
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const r123::Philox4x32::ctr_type r = generator(counter, key);
  const float first = detail::rootOf(detail::minusTwoLog(static_cast<std::int32_t>((r.v[0] >> 1) | 1u)));
  const float second = detail::rootOf(detail::minusTwoLog(static_cast<std::int32_t>((r.v[2] >> 1) | 1u)));
  const detail::SineCosine a = detail::sineCosine(r.v[1]), b = detail::sineCosine(r.v[3]);
  return {{detail::product(first, a.cosine), detail::product(first, a.sine), detail::product(second, b.cosine),
           detail::product(second, b.sine)}};
}

}  // namespace simscope::compute
