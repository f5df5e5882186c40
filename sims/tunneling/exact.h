// Transmission of plane waves through piecewise constant potentials, and its average over a packet.
//
// Plain host functions, any thread. Source: transfer matrices as in D. J. Griffiths, Introduction to Quantum Mechanics,
// ch. 2, written for (ψ, ψ') so that they are real and hold at E = V too.
#pragma once

#include <span>

#include "sims/tunneling/parameters.h"

namespace simscope::tunneling {

struct Segment {
  double height;  // V
  double width;
};

// T(E) of a plane wave that comes from V = 0 at the left, crosses the segments, and leaves where V = `right_height`:
// the ratio of the currents. 0 where E cannot leave (E ≤ right_height), or for E ≤ 0.
double planeWaveTransmission(double energy, std::span<const Segment> segments, double right_height = 0);

// The same for the potential that the parameters describe, and a wave number k > 0 far away. `from_right`: the wave
// comes from the right (only the step differs: E = k²/2 + V₀ there). NaN for the oscillator.
double planeWaveTransmission(const Parameters& p, double k, bool from_right = false);

// The probability that ends right of the potential: T(k) averaged over the packet's momenta,
//   |φ(k)|² = σ√(2/π) exp(-2σ²(k-k₀)²).
// Momenta that lead away from the potential stay on their side. NaN for the oscillator, and for a packet centred inside
// the potential; 1 where there is no potential. Trapezoid rule over ±8 standard deviations.
double packetTransmission(const Parameters& p);

}  // namespace simscope::tunneling
