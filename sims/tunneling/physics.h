// The physics of the tunneling simulation, formula by formula: grid, potential, packet, absorbing layer.
//
// iħ ∂ψ/∂t = [-ħ²/2m ∂²/∂x² + V(x)] ψ with ħ = m = 1 on a periodic domain of length L. Host and device; no state.
// Sources: M. D. Feit, J. A. Fleck, A. Steiger, J. Comput. Phys. 47 (1982) 412 (the split-operator method);
// D. J. Griffiths, Introduction to Quantum Mechanics, ch. 2 (Gaussian packets, barriers, coherent states).
#pragma once

#include <cmath>
#include <cstddef>

#include "sims/compute/complex.h"
#include "sims/compute/host_device.h"
#include "sims/tunneling/parameters.h"

namespace simscope::tunneling {

using compute::Complex;

inline constexpr double kPi = 3.14159265358979323846;

// N samples x_i = -L/2 + i·dx. Index j in the Fourier domain (FFT order) belongs to the wave number k_j.
struct Grid {
  int points;
  double length;
  double dx;

  SIMSCOPE_HD double x(int i) const { return -0.5 * length + i * dx; }
  SIMSCOPE_HD double k(int j) const { return 2.0 * kPi / length * (j < points / 2 ? j : j - points); }
  SIMSCOPE_HD double nyquist() const { return kPi / dx; }  // the largest |k|
  // The sample nearest to x; the domain is periodic.
  std::size_t nearest(double x) const {
    const double i = std::floor((x + 0.5 * length) / dx + 0.5);
    const double wrapped = i - points * std::floor(i / points);
    return static_cast<std::size_t>(std::fmin(std::fmax(wrapped, 0.0), points - 1.0));
  }
};

SIMSCOPE_HD inline Grid gridOf(const Parameters& p) {
  return {p.grid_points, p.domain_length, p.domain_length / p.grid_points};
}

// The oscillator frequency whose coherent states have the packet's width: σ² = ħ/(2mω).
SIMSCOPE_HD inline double oscillatorFrequency(const Parameters& p) {
  return 0.5 / (p.packet_width * p.packet_width);
}

// How much of the cell of width dx around x lies between `low` and `high`.
SIMSCOPE_HD inline double shareOfCell(double x, double dx, double low, double high) {
  const double within = std::fmin(high, x + 0.5 * dx) - std::fmax(low, x - 0.5 * dx);
  return std::fmin(std::fmax(within / dx, 0.0), 1.0);
}

// The mean of V(x) over a sample's cell: where V jumps, the cell has its share of the barrier, so that results converge
// at second order wherever the jump lies. Barrier and well fill |x| < a/2; a double barrier fills gap/2 < |x| < gap/2 +
// a; the step rises at x = 0. The oscillator is smooth: its value in the middle of the cell. A typed potential is a
// table: typed_potential.h.
inline double potentialAt(const Parameters& p, double x) {
  const double dx = p.domain_length / p.grid_points, inner = 0.5 * p.barrier_gap, outer = inner + p.barrier_width;
  switch (p.potential) {
    case Potential::Barrier:
      return p.barrier_height * shareOfCell(x, dx, -0.5 * p.barrier_width, 0.5 * p.barrier_width);
    case Potential::Well:
      return -p.barrier_height * shareOfCell(x, dx, -0.5 * p.barrier_width, 0.5 * p.barrier_width);
    case Potential::DoubleBarrier:
      return p.barrier_height * (shareOfCell(x, dx, -outer, -inner) + shareOfCell(x, dx, inner, outer));
    case Potential::Step:
      return p.barrier_height * shareOfCell(x, dx, 0.0, p.domain_length);
    case Potential::Harmonic: {
      const double omega = oscillatorFrequency(p);
      return 0.5 * omega * omega * x * x;
    }
    case Potential::None:
    case Potential::Formula:
      break;
  }
  return 0.0;
}

// Where the potential begins and ends: reflection is counted left of `left`, transmission right of `right`. Step,
// oscillator, and no potential have both at 0, and no inside; for a typed potential see typed_potential.h.
struct Edges {
  double left;
  double right;

  enum Region { Left, Inside, Right };
  SIMSCOPE_HD Region region(double x) const {
    if (x > left && x < right) return Inside;
    return x < 0.5 * (left + right) ? Left : Right;
  }
};

SIMSCOPE_HD inline Edges edgesOf(const Parameters& p) {
  double half = 0.0;
  if (p.potential == Potential::Barrier || p.potential == Potential::Well) half = 0.5 * p.barrier_width;
  if (p.potential == Potential::DoubleBarrier) half = 0.5 * p.barrier_gap + p.barrier_width;
  return {-half, half};
}

// exp(-(x-x₀)²/4σ² + i k₀ x), not yet normalised. The envelope is the nearest periodic image's, so a packet centred
// beyond an edge enters from the other side instead of vanishing. `nearest` is the distance at which the magnitude is
// 1: with that of the sample next to x₀, a packet far narrower than dx does not underflow to 0.
struct Packet {
  double center = 0, width = 1, momentum = 0;  // x₀, σ, k₀

  double distance(double x, double length) const { return std::remainder(x - center, length); }
  Complex<double> at(double x, double length, double nearest) const {
    const double away = distance(x, length);
    const double envelope = std::exp((nearest * nearest - away * away) / (4.0 * width * width));
    const double phase = momentum * (center + away);
    return {envelope * std::cos(phase), envelope * std::sin(phase)};
  }
  // The momentum distribution |φ(k)|² is a Gaussian around k₀ with this standard deviation.
  double momentumWidth() const { return 0.5 / width; }
  // k₀²/2 + 1/(8σ²): kinetic, at the start.
  double energy() const { return 0.5 * (momentum * momentum + momentumWidth() * momentumWidth()); }
};
inline Packet packetOf(const Parameters& p, const PacketKeys& which) {
  return {p.*which.center, p.*which.width, p.*which.momentum};
}

inline double momentumWidth(const Parameters& p) {
  return packetOf(p, kFirstPacket).momentumWidth();
}

// The kinetic energy at the start; of two packets that lie apart.
inline double packetEnergy(const Parameters& p) {
  const double first = packetOf(p, kFirstPacket).energy();
  if (!p.second_packet) return first;
  const double share = p.second_amplitude * p.second_amplitude;
  return (first + share * packetOf(p, kSecondPacket).energy()) / (1.0 + share);
}

// Absorbing edges are the outer eighth of the domain on either side: absorption.h.
inline constexpr double kAbsorbingShare = 0.125;  // the edge rows of absorbed.h

// The |x| up to which waves are undisturbed: where the absorbing layers begin, or the domain ends.
SIMSCOPE_HD inline double openReach(const Parameters& p) {
  return (0.5 - (p.absorbing_edges ? kAbsorbingShare : 0.0)) * p.domain_length;
}

// A kick: ψ gains the phase θ(x) with θ' = Δk·cos²(π(x-x_c)/2r) within the radius r of the centre x_c: |ψ|² is
// unchanged, and the momentum rises by Δk at the centre, falling smoothly to 0 at the radius.
struct Kick {
  double center;
  double radius;
  double momentum;  // Δk

  SIMSCOPE_HD double phaseAt(double x) const {
    double d = x - center;
    d = d < -radius ? -radius : (d > radius ? radius : d);
    return momentum * (0.5 * d + radius / (2.0 * kPi) * std::sin(kPi * d / radius));
  }
};

}  // namespace simscope::tunneling
