// Levels and states in closed form, of the parameters' potential without the domain's walls.
// Sources: L. D. Landau and E. M. Lifshitz, Quantum Mechanics, §§ 22-24, 36; S. Flügge, Practical Quantum Mechanics,
// problems 18, 25, 29, 39, 67, 70; R. de L. Kronig, W. G. Penney, Proc. R. Soc. A 130 (1931) 499.
#pragma once

#include <cmath>
#include <vector>

#include "sims/compute/host_device.h"
#include "sims/eigenstates/parameters.h"

namespace simscope::eigenstates {

// The levels from the lowest on, at most `most`; fewer where the potential binds fewer, none where no closed form is
// known (a tilt, some potentials). Any thread.
std::vector<double> exactLevels(const Parameters& parameters, int most);

// Whether exactShape() also has the states.
bool exactStatesKnown(const Parameters& parameters);

// One state: its potential, its number, and its formula's constants. By value to kernels.
struct ExactState {
  Potential potential = Potential::Box;
  int n = 0;            // nodes
  double a = 0;         // box: left end; others: √ω, a, α, Z/(n + l + 1)
  double b = 0;         // box: length; Morse: 2λ;  Pöschl and Teller: λ - n; hydrogen: l; finite well: width
  double c = 0, d = 0;  // Morse: λ - n - ½;  finite well: k, κ
};
ExactState exactState(const Parameters& parameters, int n, double level);

// Laguerre's L_n^α(x) and Gegenbauer's C_n^ν(t), by their recurrences.
SIMSCOPE_HD inline double laguerre(int n, double alpha, double x) {
  double before = 0, now = 1;
  for (int j = 0; j < n; ++j) {
    const double next = ((2 * j + 1 + alpha - x) * now - (j + alpha) * before) / (j + 1);
    before = now;
    now = next;
  }
  return now;
}
SIMSCOPE_HD inline double gegenbauer(int n, double nu, double t) {
  double before = 0, now = 1;
  for (int j = 0; j < n; ++j) {
    const double next = (2 * (j + nu) * t * now - (j + 2 * nu - 1) * before) / (j + 1);
    before = now;
    now = next;
  }
  return now;
}

// φ_n(x) up to a factor.
SIMSCOPE_HD inline double exactShape(const ExactState& s, double x) {
  switch (s.potential) {
    case Potential::Box:
      return std::sin((s.n + 1) * 3.14159265358979323846 * ((x - s.a) / s.b));
    case Potential::Harmonic: {
      // Hermite functions, normalised in each step so that nothing overflows.
      const double y = s.a * x;
      double before = 0, now = std::exp(-0.5 * y * y);
      for (int j = 0; j < s.n; ++j) {
        const double next = std::sqrt(2.0 / (j + 1)) * y * now - std::sqrt(j / (j + 1.0)) * before;
        before = now;
        now = next;
      }
      return now;
    }
    case Potential::Hydrogen: {
      const double rho = 2 * s.a * x;
      return std::exp((s.b + 1) * std::log(rho) - 0.5 * rho) * laguerre(s.n, 2 * s.b + 1, rho);
    }
    case Potential::Morse: {
      // Scaled by its largest value, at z = 2s, in logarithms.
      const double z = s.b * std::exp(-s.a * x), peak = s.c * std::log(2 * s.c) - s.c;
      const double envelope = s.c * (std::log(s.b) - s.a * x) - 0.5 * z - peak;
      return envelope < -700 ? 0 : std::exp(envelope) * laguerre(s.n, 2 * s.c, z);
    }
    case Potential::PoschlTeller:
      return std::pow(1 / std::cosh(s.a * x), s.b) * gegenbauer(s.n, s.b + 0.5, std::tanh(s.a * x));
    case Potential::FiniteWell: {
      const bool even = s.n % 2 == 0;
      const double edge = s.b / 2, outside = std::fabs(x) - edge;
      if (outside <= 0) return even ? std::cos(s.c * x) : std::sin(s.c * x);
      const double matched = (even ? std::cos(s.c * edge) : std::sin(s.c * edge)) * std::exp(-s.d * outside);
      return even || x > 0 ? matched : -matched;
    }
    default:
      return 0;
  }
}

}  // namespace simscope::eigenstates
