// The bodies as device code sees them: arrays of one device, and the force between few of them in double precision.
#pragma once

#include <cmath>

#include "sims/compute/host_device.h"
#include "sims/nbody/field.h"

namespace simscope::nbody {

// The field at a body, and the potential of the others there (see field.h).
struct Pull {
  double x, y, z, potential;
};

// Σ over all sources of a few: x = places (3 each), strength = one each. Works on plain arrays of any memory.
SIMSCOPE_HD inline Pull pullOfFew(const double* x, const double* strength, int n, int i, double softening2) {
  Pull sum{0, 0, 0, 0};
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
    if (j != i) sum.potential -= share;
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
