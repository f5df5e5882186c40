// The packets that ψ starts with, one or two, and their exact motion in free space or in the oscillator alone: each is
// a Gaussian at all times,
//
//   G(x, t) = (2πσ²)^(-1/4) Q^(-1/2) exp(i[P/(2Q)·(x - x_t)² + p_t (x - x_t) + S_t + k₀x₀]),
//   Q = cos ωt + i sin(ωt)/(2σ²ω),  P = dQ/dt,  x_t and p_t the classical path from (x₀, k₀), S_t its action,
//
// and ψ is their superposition. Source: E. J. Heller, J. Chem. Phys. 62 (1975) 1544.
#pragma once

#include <cmath>
#include <optional>

#include "sims/tunneling/physics.h"

namespace simscope::tunneling {

// The parameters' packets with their coefficients: Σ c_i G_i has the norm 1 on the grid. Plain host function.
struct Packets {
  Packet each[2];
  Complex<double> weight[2];
  int count = 1;
};
Packets packetsOf(const Parameters& p);

// One of them at one time.
struct GaussianNow {
  double center = 0, momentum = 0;
  double phase = 0;             // at the centre
  Complex<double> bend{};       // of the exponent: -1/(4σ²) at the start
  Complex<double> amplitude{};  // at the centre, without that phase

  double width() const { return 0.5 / std::sqrt(-bend.re); }
};
GaussianNow gaussianAt(const Packet& packet, double omega, double time);

// ψ at one time, for kernels.
struct ExactWave {
  GaussianNow each[2];
  int count = 0;  // 0: no exact wave is known
  double length = 1;

  SIMSCOPE_HD Complex<double> at(double x) const {
    Complex<double> sum{0, 0};
    for (int i = 0; i < count; ++i) {
      const GaussianNow& g = each[i];
      const double away = std::remainder(x - g.center, length);
      const double magnitude = std::exp(g.bend.re * away * away);
      const double angle = g.bend.im * away * away + g.momentum * away + g.phase;
      sum = sum + g.amplitude * Complex<double>{magnitude * std::cos(angle), magnitude * std::sin(angle)};
    }
    return sum;
  }
};
// The wave a time `time` after the packets' start in this potential. None is known in other potentials, and from the
// time on when a packet, to five standard deviations, would reach the edges.
ExactWave exactWave(const Parameters& p, const Packets& packets, double time);

}  // namespace simscope::tunneling
