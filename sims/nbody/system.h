// The bodies as device code sees them: arrays of one device, and the force between few of them in double precision.
#pragma once

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sims/compute/host_device.h"
#include "sims/nbody/field.h"

namespace simscope::nbody {

// The field at a body, and the potential of the others there (see field.h).
struct Pull {
  double x, y, z, potential;
  double nearest = 0;  // the largest |strength|/r³ of another body; of a few only
};

// The step that is longest beside what happens in it, of all that were made: dt over the time τ of the closest
// encounter there. Kept as one whole number, (dt/τ)⁴ in single precision above the step's number counted downwards, so
// that the largest is the same in any order, and the first of equal ones.
struct LongestStep {
  std::uint64_t* kept;  // on the device; 0: none yet
  std::int64_t step;    // the number of the one that begins
  double scale;         // what to multiply with

  SIMSCOPE_HD static std::uint64_t packed(double fourth, std::int64_t step) {
    constexpr double kMost = 3e38;
    const auto ratio = static_cast<float>(fourth < kMost ? fourth : kMost);
    const std::int64_t number = step < 0xffffffff ? step : 0xffffffff;
    // Ten binary digits: what rounding makes of equal encounters stays equal.
    return std::uint64_t{std::bit_cast<std::uint32_t>(ratio) & ~0x1fffu} << 32 |
           static_cast<std::uint64_t>(0xffffffff - number);
  }
  SIMSCOPE_HD static void keep(std::uint64_t* kept, std::uint64_t packed) {
#if defined(__CUDA_ARCH__)
    auto* const held = reinterpret_cast<unsigned long long*>(kept);
    if (packed > *static_cast<volatile unsigned long long*>(held)) atomicMax(held, packed);
#else
    std::atomic_ref held(*kept);
    std::uint64_t seen = held.load(std::memory_order_relaxed);
    while (packed > seen && !held.compare_exchange_weak(seen, packed, std::memory_order_relaxed)) {
    }
#endif
  }
};

// Σ over all sources of a few: x = places (3 each), strength = one each. Works on plain arrays of any memory.
SIMSCOPE_HD inline Pull pullOfFew(const double* x, const double* strength, int n, int i, double softening2) {
  Pull sum{0, 0, 0, 0, 0};
  for (int j = 0; j < n; ++j) {
    const double dx = x[3 * j] - x[3 * i], dy = x[3 * j + 1] - x[3 * i + 1], dz = x[3 * j + 2] - x[3 * i + 2];
#if defined(__CUDA_ARCH__)
    const double inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening2);
#else
    const double inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening2);
#endif
    const double share = strength[j] * inverse;
    const double pull = share * inverse * inverse;
    sum.x += pull * dx;
    sum.y += pull * dy;
    sum.z += pull * dz;
    if (j != i) {
      const double size = std::fabs(pull);
      sum.potential -= share;
      if (size > sum.nearest && (dx != 0 || dy != 0 || dz != 0)) sum.nearest = size;
    }
  }
  return sum;
}

// Owner: the simulation; this is a set of views.
struct System {
  double *x, *v;         // 3 n each
  const double* mass;    // n
  const double* charge;  // n, or null: then the masses are the strengths
  const int* group;      // n
  const Vec4* field;     // n, at the present places, or null: then pulls are summed on request
  int n;
  double coupling;    // Parameters::coupling
  double softening2;  // ε²

  SIMSCOPE_HD const double* strength() const { return charge ? charge : mass; }
  SIMSCOPE_HD Pull pull(int i) const {
    if (!field) return pullOfFew(x, strength(), n, i, softening2);
    const Vec4 f = field[i];
    return {static_cast<double>(f.x), static_cast<double>(f.y), static_cast<double>(f.z), static_cast<double>(f.w)};
  }
  // Acceleration per field strength.
  SIMSCOPE_HD double response(int i) const { return charge ? coupling * charge[i] / mass[i] : coupling; }
};

}  // namespace simscope::nbody
