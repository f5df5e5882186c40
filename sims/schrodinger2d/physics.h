// The physics of a wave packet in the plane, formula by formula: grid, potentials, packet.
//
// iħ ∂ψ/∂t = [-ħ²/2m ∇² + V(x, y)] ψ with ħ = m = 1 on a periodic square of edge L. Host and device; no state.
// Sources: M. D. Feit, J. A. Fleck, A. Steiger, J. Comput. Phys. 47 (1982) 412 (the split-operator method).
#pragma once

#include <cmath>
#include <limits>

#include "sims/compute/complex.h"
#include "sims/compute/host_device.h"
#include "sims/schrodinger2d/parameters.h"

namespace simscope::schrodinger2d {

using compute::Complex;

inline constexpr double kPi = 3.14159265358979323846;

// N × N samples at x_i = -L/2 + i·dx, and y_j likewise; point (i, j) lies at j·N + i. Index j in the Fourier domain
// (FFT order) belongs to the wave number k_j.
struct Grid {
  int points;
  double length;
  double dx;

  SIMSCOPE_HD double x(int i) const { return -0.5 * length + i * dx; }
  SIMSCOPE_HD double k(int j) const { return 2.0 * kPi / length * (j < points / 2 ? j : j - points); }
  SIMSCOPE_HD double nyquist() const { return kPi / dx; }  // the largest |k| along an axis
  // The sample nearest to a coordinate, within the grid.
  SIMSCOPE_HD int nearest(double at) const {
    const double i = std::floor((at + 0.5 * length) / dx + 0.5);
    return i > 0.0 ? (i < points - 1 ? static_cast<int>(i) : points - 1) : 0;
  }
  SIMSCOPE_HD int column(std::size_t at) const { return static_cast<int>(at & static_cast<std::size_t>(points - 1)); }
  SIMSCOPE_HD int row(std::size_t at) const { return static_cast<int>(at / static_cast<std::size_t>(points)); }
  std::size_t size() const { return static_cast<std::size_t>(points) * static_cast<std::size_t>(points); }
};

SIMSCOPE_HD inline Grid gridOf(const Numbers& p) {
  return {p.grid_points, p.domain_length, p.domain_length / p.grid_points};
}

// How much of the cell of width dx around x lies between `low` and `high`: 0 to 1. It resolves edges of potentials to a
// small part of dx; a jump on a sample has half the height there.
SIMSCOPE_HD inline double covered(double x, double dx, double low, double high) {
  const double from = std::fmax(x - 0.5 * dx, low), to = std::fmin(x + 0.5 * dx, high);
  return to > from ? (to - from) / dx : 0.0;
}

// V(x, y) of the potentials that are formulas; 0 for those that are tables (Image, Formula) or only drawn walls.
SIMSCOPE_HD inline double potentialAt(const Numbers& p, double x, double y) {
  const double dx = p.domain_length / p.grid_points;
  const double half_width = 0.5 * p.barrier_width, half_slit = 0.5 * p.slit_width, off = 0.5 * p.slit_separation;
  switch (p.potential) {
    case Potential::Barrier:
      return p.barrier_height * covered(x, dx, -half_width, half_width);
    case Potential::SingleSlit:
      return p.barrier_height * covered(x, dx, -half_width, half_width) * (1.0 - covered(y, dx, -half_slit, half_slit));
    case Potential::DoubleSlit: {
      const double open = off < half_slit ? covered(y, dx, -off - half_slit, off + half_slit)
                                          : covered(y, dx, off - half_slit, off + half_slit) +
                                                covered(y, dx, -off - half_slit, half_slit - off);
      return p.barrier_height * covered(x, dx, -half_width, half_width) * (1.0 - open);
    }
    case Potential::Step:
      return p.barrier_height * covered(x, dx, 0.0, p.domain_length);
    case Potential::CircularWell: {
      const double r = std::sqrt(x * x + y * y);
      return -p.barrier_height * std::fmin(std::fmax((p.well_radius - r) / dx + 0.5, 0.0), 1.0);
    }
    case Potential::Harmonic:
      return 0.5 * p.omega * p.omega * (x * x + y * y);
    case Potential::DoubleWell: {
      const double u = 2.0 * x / p.well_separation, hump = u * u - 1.0;
      return p.barrier_height * hump * hump + 0.5 * p.omega * p.omega * y * y;
    }
    case Potential::Coulomb:
      return -p.charge / std::sqrt(x * x + y * y + p.softening * p.softening);
    case Potential::None:
    case Potential::Image:
    case Potential::Drawn:
    case Potential::Formula:
      break;
  }
  return 0.0;
}

inline bool hasJumps(const Numbers& p) {
  switch (p.potential) {
    case Potential::Barrier:
    case Potential::SingleSlit:
    case Potential::DoubleSlit:
    case Potential::Step:
    case Potential::CircularWell:
      return p.barrier_height > 0.0;
    default:
      return false;
  }
}
inline bool hasSlits(const Numbers& p) {
  return p.potential == Potential::SingleSlit || p.potential == Potential::DoubleSlit;
}

// Where the potential begins and ends along x; both 0 where it has no such edges. Probability beyond the far one counts
// as transmitted.
struct Edges {
  double left;
  double right;
};

SIMSCOPE_HD inline Edges edgesOf(const Numbers& p) {
  double half = 0.0;
  if (p.potential == Potential::Barrier || p.potential == Potential::SingleSlit ||
      p.potential == Potential::DoubleSlit) {
    half = 0.5 * p.barrier_width;
  }
  if (p.potential == Potential::CircularWell) half = p.well_radius;
  return {-half, half};
}

// A packet at its start: ψ = exp(-|r - r₀|²/4σ² + i k₀·r), normalised.
struct Packet {
  double x, y;
  double kx, ky;
  double width;  // σ

  double momentum() const { return std::hypot(kx, ky); }
  // The momenta along x, and along y, are a Gaussian around k₀ with this standard deviation.
  double momentumWidth() const { return 0.5 / width; }
  // Includes the spread of its momenta.
  double kineticEnergy() const { return 0.5 * momentum() * momentum() + momentumWidth() * momentumWidth(); }
  // |ψ|² at its centre.
  double peak() const { return 1.0 / (2.0 * kPi * width * width); }
  bool operator==(const Packet&) const = default;
};

inline Packet packetOf(const Numbers& p, const PacketKeys& which) {
  return {p.*which.x, p.*which.y, p.*which.momentum_x, p.*which.momentum_y, p.*which.width};
}
inline Packet packetOf(const Numbers& p) {
  return packetOf(p, kFirstPacket);
}

}  // namespace simscope::schrodinger2d
