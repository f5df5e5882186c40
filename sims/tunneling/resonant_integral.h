// Integrals along the real axis of functions with poles close to it: what crosses a potential, over momenta with sharp
// resonances.
//
// f is smooth but for a denominator D(s) that is analytic and has no sharp features of its own. A resonance is a zero
// of D beside the axis: 1/|D|² is as narrow as the zero is near, D is not. D is read at Chebyshev's points of panels,
// which are divided until its series converges. The series is then developed about the middles of ever shorter parts,
// D = Σ b_j ((s - middle)/r)^j, r half the part's length. Where |b_0| outweighs Σ_{j>0} |b_j| 2^j, D has no zero within
// 2r of the middle (Rouché), and Gauss's rule of 12 points integrates f over the part to some 1e-12. So parts become as
// short as the next zero is near, and none can be missed. A common factor exp(λs), which has no zeros, is first divided
// out.
//
// The absolute error that rounding leaves is some 1e-15 of the greatest f, however sharp the resonance: a zero whose
// distance from the axis is lost in the rounding of D belongs to a peak of no more area.
//
// Plain host functions, any thread. Sources: L. N. Trefethen, Approximation Theory and Approximation Practice, ch. 3
// and 19; P. Henrici, Applied and Computational Complex Analysis 1, §6.4 (exclusion of zeros).
#pragma once

#include <complex>
#include <cstdint>
#include <functional>

namespace simscope::tunneling {

struct Crossed {
  std::complex<double> under;  // D
  std::complex<double> back;   // another function as smooth as D, read with it
  double scale = 0;            // both are to be multiplied by exp(scale)
};

struct ResonantIntegrand {
  std::function<Crossed(double s)> crossed;  // takes long; finite
  std::function<double(double s, const Crossed&)> value;
  double panel;           // the width of the first panels: D turns by a few radians from one to the next
  double smooth;          // what f has besides D changes little over this distance
  double noise = 0;       // the relative rounding error of D
  std::int64_t most = 0;  // calls of crossed(); without limit for 0
};

struct ResonantIntegral {
  double value = 0;
  bool whole = true;  // false: the calls did not suffice, and the value has no meaning
};

ResonantIntegral integrate(const ResonantIntegrand& f, double from, double to);

}  // namespace simscope::tunneling
