// Counter-based random numbers (Random123, Philox 4x32-10): the same on both backends and for any thread count.
// Source: J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11.
//
// A draw is a pure function of (seed, stream, index): there is no state to keep or to share between threads.
#pragma once

#include <Random123/philox.h>

#include <cmath>
#include <cstdint>

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

struct Normal4 {
  double z[4];  // independent, mean 0, variance 1
};

// Box and Muller's transform of two pairs of uniform numbers.
SIMSCOPE_HD inline Normal4 normal4(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  const Uniform4 u = uniform4(seed, stream, index);
  constexpr double kTwoPi = 6.283185307179586476925286766559;
  Normal4 out;
  for (int pair = 0; pair < 2; ++pair) {
    const double radius = std::sqrt(-2.0 * std::log(u.u[2 * pair]));
    out.z[2 * pair] = radius * std::cos(kTwoPi * u.u[2 * pair + 1]);
    out.z[2 * pair + 1] = radius * std::sin(kTwoPi * u.u[2 * pair + 1]);
  }
  return out;
}

}  // namespace simscope::compute
