// What single precision takes from the norm of a wave by its Fourier transforms, measured once and made up for.
#pragma once

#include <cmath>

namespace simscope::compute {

// What the amplitude must be multiplied by in each step for the norm to stay. In single precision √½ and the other
// constants of the transforms round down, so that those of a step lose some 1e-7 of the norm, always the same way: it
// adds up to 1e-4 in 800 steps. Folded into the steps' factors, whose rounding is as good as random, the gain makes up
// for most of it.
//
// norm(): Σ|ψ|² at present, in double precision; it may wait. advance(steps): so many steps without potential or
// absorption, by factors that keep the norm. 1 where the norm changes by more than rounding does, or is NaN.
template <class Norm, class Advance>
double transformGain(int steps, const Norm& norm, const Advance& advance) {
  const double before = norm();
  advance(steps);
  const double gain = std::pow(norm() / before, -0.5 / steps);
  return std::fabs(gain - 1.0) < 1e-6 ? gain : 1.0;
}

}  // namespace simscope::compute
