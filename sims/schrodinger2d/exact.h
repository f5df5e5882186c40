// Exact solutions: a Gaussian packet in free space, and in the oscillator ½ω²(x² + y²). Both are products X(x)·Y(y) of
//
//   X(x, t) = (2πσ²)^(-1/4) Q^(-1/2) exp(i[P/(2Q)·(x - x_t)² + p_t (x - x_t) + S_t + k₀x₀]),
//   Q = cos ωt + i sin(ωt)/(2σ²ω),  P = dQ/dt,  x_t and p_t the classical path from (x₀, k₀), S_t its action,
//
// which at ω = 0 is the spreading free packet, σ(t) = σ√(1 + (t/2σ²)²), and at ω = 1/(2σ²) the coherent state.
// Source: E. J. Heller, J. Chem. Phys. 62 (1975) 1544 (Gaussian wave packets in quadratic potentials).
// Host and device; no state.
#pragma once

#include <cmath>

#include "sims/schrodinger2d/physics.h"

namespace simscope::schrodinger2d {

// X of the formula at one time, seen on a periodic axis: the nearest image of the packet is taken.
struct GaussianLine {
  double centre = 0;       // x_t
  double momentum = 0;     // p_t
  double phase = 0;        // at the centre
  Complex<double> bend{};  // of the exponent: -1/(4σ²) at the start
  double amplitude = 0;    // |X| at the centre
  double length = 1;       // of the axis

  SIMSCOPE_HD Complex<double> at(double x) const {
    const double away = std::remainder(x - centre, length);
    const double magnitude = amplitude * std::exp(bend.re * away * away);
    const double angle = bend.im * away * away + momentum * away + phase;
    return {magnitude * std::cos(angle), magnitude * std::sin(angle)};
  }
  SIMSCOPE_HD double densityAt(double x) const {
    const double away = std::remainder(x - centre, length);
    return amplitude * amplitude * std::exp(2.0 * bend.re * away * away);
  }
  double width() const { return 0.5 / std::sqrt(-bend.re); }  // standard deviation of |X|²
};

// x₀, k₀, σ along one axis of length L; ω = 0 is free space.
GaussianLine gaussianLine(double x0, double k0, double sigma, double omega, double t, double length);

struct GaussianPacket {
  GaussianLine x, y;
};
// The packet a time t after its start: in the oscillator if `p` has it, else in free space.
GaussianPacket exactPacket(const Numbers& p, const Packet& start, double t);

// False for potentials without an exact solution (drawn walls are ignored), and from the time on when the packet (to
// five standard deviations) would reach |x| or |y| = open_half: an edge of the domain, or its absorbing layer.
bool exactHolds(const Numbers& p, const Packet& start, double t, double open_half);

// The density on a screen at x of the waves of wave number k from the slits in the wall at x = 0, illuminated by the
// packet: |Σ ∫ exp(-y'²/4σ²) (x/r) e^{ikr}/√r dy'|² over the openings, r the distance from (0, y') to (x, y). Up to a
// factor. Source: M. Born, E. Wolf, Principles of Optics, ch. 8.11 (Rayleigh and Sommerfeld, in two dimensions).
// Openings that overlap are one. The integral is right to 1e-8 of the largest density. x ≠ 0.
double slitDensity(const Numbers& p, const Packet& start, double x, double y);
// Whether the integral is short enough to follow the parameters live, a fifth of a second for the whole screen:
// openings of at most some 330 wavelengths together at 512 points, 80 at 2048.
bool slitTheoryIsShort(const Numbers& p, const Packet& start);

}  // namespace simscope::schrodinger2d
