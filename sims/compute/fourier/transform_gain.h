// The loss of norm of a wave by single-precision Fourier transforms, measured once and compensated.
#pragma once

#include <cmath>

namespace simscope::compute {

// The factor of the amplitude in each step that conserves the norm. In single precision √½ and the other constants of
// the transforms round down, so that the transforms of a step lose some 1e-7 of the norm, always with the same sign:
// 1e-4 in 800 steps. The gain is multiplied into the steps' factors, whose rounding is nearly random, and compensates
// most of the loss.
//
// norm(): Σ|ψ|² at present, in double precision; it may wait. advance(steps): makes steps without potential or
// absorption, by factors that conserve the norm. Returns 1 where the norm changes by more than rounding, or is NaN.
template <class Norm, class Advance>
double transformGain(int steps, const Norm& norm, const Advance& advance) {
  const double before = norm();
  advance(steps);
  const double gain = std::pow(norm() / before, -0.5 / steps);
  return std::fabs(gain - 1.0) < 1e-6 ? gain : 1.0;
}

}  // namespace simscope::compute
