// Transmission of plane waves through piecewise constant potentials, and its average over a packet.
//
// Plain host functions, any thread. Source: transfer matrices as in D. J. Griffiths, Introduction to Quantum Mechanics,
// ch. 2, written for (ψ, ψ') so that they are real and hold at E = V too; for pieces with a slope Magnus's series, S.
// Blanes et al., Phys. Rep. 470 (2009) 151.
#pragma once

#include <limits>
#include <span>

#include "sims/tunneling/parameters.h"

namespace simscope::tunneling {

struct TypedPotential;  // typed_potential.h

struct Segment {
  double height;  // V, or its mean over a piece with a slope
  double width;
  double lean = 0;  // √3/6·width²·(V(x₁) - V(x₂)), x₁ and x₂ the two places of Gauss's rule: of fourth order in width
};

// T(E) of a plane wave that comes from V = 0 at the left, crosses the segments, and leaves where V = `right_height`:
// the ratio of the currents. 0 where E cannot leave (E ≤ right_height), or for E ≤ 0.
double planeWaveTransmission(double energy, std::span<const Segment> segments, double right_height = 0);

// The same for the potential that the parameters describe, and a wave number k > 0 far away. `from_right`: the wave
// comes from the right (E = k²/2 + V there). NaN for the oscillator, and for a typed potential that is not flat at its
// ends. For other typed potentials the pieces have the slope of V, with an error that falls as the fourth power of
// their width: under 1e-6 where the tests compare with closed forms. `typed`: of these parameters, or null.
double planeWaveTransmission(const Parameters& p, double k, bool from_right = false,
                             const TypedPotential* typed = nullptr);

// The probability that ends right of the potential: T(k) averaged over the packet's momenta,
//   |φ(k)|² = σ√(2/π) exp(-2σ²(k-k₀)²).
// Momenta that lead away from the potential stay on their side. NaN as above, and for a packet centred inside the
// potential; 1 where there is no potential. The integral over ±8 standard deviations follows every resonance
// (resonant_integral.h), to 1e-9 of its value or 1e-12; of a typed potential with slopes, to the error of its pieces.
// For two packets the amplitudes that leave to the right are added, because they may interfere there.
struct PacketTransmission {
  double value = std::numeric_limits<double>::quiet_NaN();
  // Above 1, the integral would take that many times too long, and has no value: a wide typed potential of many pieces,
  // and a packet of many momenta.
  double excess = 0;
};
PacketTransmission transmissionOf(const Parameters& p, const TypedPotential* typed = nullptr);
inline double packetTransmission(const Parameters& p, const TypedPotential* typed = nullptr) {
  return transmissionOf(p, typed).value;
}

}  // namespace simscope::tunneling
