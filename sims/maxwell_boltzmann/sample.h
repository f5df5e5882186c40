// Molecules of an ideal gas in equilibrium: each component of a velocity is a normal number times σ_v. They are drawn,
// counted, and summed in registers, and are not written to memory.
//
// Draw `draw` of a seed always gives the same molecules: 4 of them from 3 calls of normalSingle4, at 3 g + 0, 1, 2 of
// group g in the lower half of the index and the draw in the upper one. Counts and sums are whole numbers, so that they
// are the same on both backends, for any number of threads and any vector width.
#pragma once

#include <cstdint>

#include "sims/compute/random/normal_single.h"
#include "sims/maxwell_boltzmann/counts.h"

namespace simscope::maxwell_boltzmann {

inline constexpr std::uint32_t kVelocityStream = 0, kPlaceStream = 1;  // of Philox
inline constexpr int kInGroup = 4;                                     // molecules

struct Draw {
  std::uint64_t seed = 0, draw = 0;
  std::uint64_t molecules = 0;
  Bins bins = {};
  std::uint64_t first_group = 0;  // the molecules are those from this group on

  SIMSCOPE_HD std::uint64_t groups() const { return (molecules + kInGroup - 1) / kInGroup; }
  SIMSCOPE_HD compute::NormalSingle4 normals(std::uint64_t group, std::uint32_t call) const {
    return compute::normalSingle4(seed, kVelocityStream, draw << 32 | (3 * (first_group + group) + call));
  }
};

SIMSCOPE_HD inline int placeIn(float at, int bins) {
  const float top = static_cast<float>(bins + 1);
  return static_cast<int>(at < 0.0f ? 0.0f : at > top ? top : at);
}
SIMSCOPE_HD inline float speedSquared(float x, float y, float z) {
  return compute::detail::fused(z, z, compute::detail::fused(y, y, compute::detail::product(x, x)));
}

// Σ u and Σ u² over molecules, u = v/σ_v, in parts of 1/kParts; each group's four are added in single precision and
// rounded to the nearest part. 64 bits hold those of kMostSummed molecules.
inline constexpr double kParts = 1024;
inline constexpr double kMostSummed = 4503599627370496.0;  // 2^52
struct Sums {
  std::uint64_t speed = 0, square = 0;
};
SIMSCOPE_HD inline std::uint32_t partsOf(float sum) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(compute::detail::fused(sum, 1024.0f, 0.5f)));
}

// Adds a draw to the present counts and sums. `counts` and `sums` are in device memory. Enqueued; on the CPU done when
// it returns.
void addDraw(compute::Device& device, const Draw& draw, std::uint64_t* counts, Sums* sums);
// The CPU's vector instructions that addDraw uses: "AVX-512", "AVX2", "portable".
const char* drawInstructions();

namespace detail {
void addDrawOnCpu(compute::Device& device, const Draw& draw, std::uint64_t* counts, Sums& sums);
}

}  // namespace simscope::maxwell_boltzmann
