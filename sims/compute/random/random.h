// Counter-based random numbers (Random123, Philox 4x32-10): the same on both backends and for any thread count.
// Source: J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11.
//
// A draw is a pure function of (seed, stream, index): there is no state to keep or to share between threads.
#pragma once

#include <Random123/philox.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "sims/compute/elementary.h"
#include "sims/compute/host_device.h"

namespace simscope::compute {

struct Uniform4 {
  double u[4];  // each in (0, 1)
};

SIMSCOPE_HD inline Uniform4 uniform4(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  r123::Philox4x32 generator;
  r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), stream, 0u}};
  r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const r123::Philox4x32::ctr_type r = generator(counter, key);
  Uniform4 out;
  for (int i = 0; i < 4; ++i) out.u[i] = (static_cast<double>(r.v[i]) + 0.5) * (1.0 / 4294967296.0);
  return out;
}

namespace detail {

struct PhiloxWords {
  std::uint32_t a, b, c, d;
};
struct PhiloxKey {
  std::uint32_t first, second;
};
// Both halves of a product; on a GPU from one instruction, which compilers do not generate by themselves.
SIMSCOPE_HD inline void wideProduct(std::uint32_t a, std::uint32_t b, std::uint32_t& high, std::uint32_t& low) {
#if defined(__CUDA_ARCH__)
  asm("{ .reg .u64 wide; mul.wide.u32 wide, %2, %3; mov.b64 {%1, %0}, wide; }"
      : "=r"(high), "=r"(low)
      : "r"(a), "r"(b));
#else
  const std::uint64_t wide = std::uint64_t{a} * b;
  high = static_cast<std::uint32_t>(wide >> 32);
  low = static_cast<std::uint32_t>(wide);
#endif
}
// Written out by recursion: compilers vectorise a loop over draws only if it contains no other loop.
template <int rounds>
SIMSCOPE_HD inline void philoxRounds(PhiloxWords& w, PhiloxKey key) {
  if constexpr (rounds > 0) {
    std::uint32_t p_high, p_low, q_high, q_low;
    wideProduct(0xd2511f53u, w.a, p_high, p_low);
    wideProduct(0xcd9e8d57u, w.c, q_high, q_low);
    w = {q_high ^ w.b ^ key.first, q_low, p_high ^ w.d ^ key.second, p_low};
    philoxRounds<rounds - 1>(w, {key.first + 0x9e3779b9u, key.second + 0xbb67ae85u});
  }
}

}  // namespace detail

struct Uniform4f {
  float u[4];  // each in (0, 1)
};

// The same draw in single precision: its words' first 23 bits plus a half, so that every number is exact and neither
// end occurs. Philox's rounds are unrolled in plain words: processors then draw for several indices at once, and a GPU
// gets both halves of a product from one instruction. No integer is converted, which would cost a GPU more.
SIMSCOPE_HD inline Uniform4f uniform4f(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  detail::PhiloxWords w{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), stream, 0};
  detail::PhiloxKey key{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  detail::philoxRounds<10>(w, key);
  // As the fraction of a number from 1 to 2; then 1 less half a unit is subtracted, exactly.
  const auto fraction = [](std::uint32_t word) {
    return std::bit_cast<float>((word >> 9) | 0x3f800000u) - 0x1.fffffep-1f;
  };
  return {{fraction(w.a), fraction(w.b), fraction(w.c), fraction(w.d)}};
}

struct Normal4 {
  double z[4];  // independent, mean 0, variance 1
};

// Box and Muller's transform of two pairs of uniform numbers.
SIMSCOPE_HD inline Normal4 normal4(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  const Uniform4 u = uniform4(seed, stream, index);
  Normal4 out;
  for (int pair = 0; pair < 2; ++pair) {
    const double radius = std::sqrt(-2.0 * logarithm(u.u[2 * pair]));
    out.z[2 * pair] = radius * cosineOfTurns(u.u[2 * pair + 1]);
    out.z[2 * pair + 1] = radius * sineOfTurns(u.u[2 * pair + 1]);
  }
  return out;
}

}  // namespace simscope::compute
