// The measured values of a state of ψ: sums over the grid, and the diagnostics from them. One run and many side by side
// (batch.cu) are measured by the same functors, so that they give the same numbers. For device sources.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "sims/tunneling/absorbed.h"
#include "sims/tunneling/exact.h"
#include "sims/tunneling/packets.h"
#include "sims/tunneling/physics.h"
#include "sims/tunneling/simulation.h"
#include "sims/tunneling/spectrum.h"
#include "sims/tunneling/typed_potential.h"

namespace simscope::tunneling {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t kTallies = 4;  // as in absorbed.h
// Probability within this share of the domain at either end counts as being at an edge.
inline constexpr double kEdgeShare = 0.02;
// The energy is compared with that of the start until the edges have taken this much, because it is the energy of the
// rest.
inline constexpr double kWhole = 1e-4;
inline constexpr int kGainSteps = 16;  // used to measure the transforms' gain (sims/compute/fourier/transform_gain.h)

// Sums over x of |ψ|² times something, in double; one pass over ψ. Also the probability that the edges have taken on
// either side.
struct PositionSums {
  double norm = 0, left = 0, inside = 0, right = 0, x = 0, xx = 0, v = 0, edge = 0;
  double error = 0, exact = 0;  // Σ|ψ - exact|², Σ|exact|²; zeros where no exact wave is known
  double taken_left = 0, taken_right = 0;
};
template <class T>
struct PositionSumsAt {
  const Complex<T>* psi;
  const T* tallies;
  const double* potential;  // V at the samples
  Grid grid;
  Edges edges;
  ExactWave wave;

  SIMSCOPE_HD PositionSums operator()(std::size_t i) const {
    const double x = grid.x(static_cast<int>(i));
    const double re = psi[i].re, im = psi[i].im;
    const double density = re * re + im * im;
    const Edges::Region region = edges.region(x);
    PositionSums s;
    s.norm = density;
    s.left = region == Edges::Left ? density : 0.0;
    s.inside = region == Edges::Inside ? density : 0.0;
    s.right = region == Edges::Right ? density : 0.0;
    s.x = density * x;
    s.xx = density * x * x;
    s.v = density * potential[i];
    s.edge = std::fabs(x) > (0.5 - kEdgeShare) * grid.length ? density : 0.0;
    if (wave.count > 0) {
      const Complex<double> exact = wave.at(x);
      s.error = norm2(Complex<double>{re, im} - exact);
      s.exact = norm2(exact);
    }
    const int columns = grid.points / kRows, column = static_cast<int>(i);
    if (column < columns) {
      const Tally<T> left = tallyOf(tallies, columns, column, false), right = tallyOf(tallies, columns, column, true);
      s.taken_left = static_cast<double>(left.sum) - left.lost;
      s.taken_right = static_cast<double>(right.sum) - right.lost;
    }
    return s;
  }
};

// The same over k of |φ|², φ the Fourier transform of ψ.
struct MomentumSums {
  double norm = 0, k = 0, kk = 0;
  double next_to_nyquist = 0;  // beyond that share of π/dx
};
template <class T>
struct MomentumSumsAt {
  const Complex<T>* phi;
  Grid grid;

  SIMSCOPE_HD MomentumSums operator()(std::size_t j) const {
    const double k = grid.k(static_cast<int>(j));
    const double re = phi[j].re, im = phi[j].im;
    const double density = re * re + im * im;
    return {density, density * k, density * k * k, std::fabs(k) > kNextToNyquist * grid.nyquist() ? density : 0.0};
  }
};

template <class T>
struct NotFiniteAt {
  const Complex<T>* psi;
  SIMSCOPE_HD int operator()(std::size_t i) const {
    const T zero = (psi[i].re - psi[i].re) + (psi[i].im - psi[i].im);  // NaN unless both parts are finite
    return zero == T(0) ? 0 : 1;
  }
};

struct Measured {
  PositionSums position;
  MomentumSums momentum;
  double energy = 0;  // per probability
};

inline double energyOf(const PositionSums& position, const MomentumSums& momentum) {
  return 0.5 * momentum.kk / momentum.norm + position.v / position.norm;
}

// One value per description().diagnostics. `first_energy`: that of the start, while it is known.
inline void fillDiagnostics(const Measured& m, const Grid& grid, double transmission_exact,
                            std::optional<double> first_energy, std::span<double> values) {
  const PositionSums& s = m.position;
  const double mean = s.x / s.norm, dx = grid.dx, taken = (s.taken_left + s.taken_right) * dx;
  values[kNorm] = s.norm * dx;
  values[kEnergy] = m.energy;
  values[kReflection] = (s.left + s.taken_left) * dx;
  values[kTransmission] = (s.right + s.taken_right) * dx;
  values[kInside] = s.inside * dx;
  values[kMeanPosition] = mean;
  values[kMeanMomentum] = m.momentum.k / m.momentum.norm;
  values[kSpread] = std::sqrt(std::fmax(0.0, s.xx / s.norm - mean * mean));
  values[kTransmissionExact] = transmission_exact;
  values[kNormDrift] = values[kNorm] + taken - 1.0;
  values[kAbsorbed] = taken;
  values[kError] = s.exact > 0.0 ? std::sqrt(s.error / s.exact) : kNaN;
  values[kEnergyDrift] = first_energy && taken <= kWhole ? m.energy - *first_energy : kNaN;
}

// typedOf(), with its errors as ParameterError.
inline std::shared_ptr<const TypedPotential> readTyped(const Parameters& p,
                                                       std::shared_ptr<const TypedPotential> former) {
  return forParameter("formula", [&] { return typedOf(p, std::move(former)); });
}

// Without a potential there is nothing to transmit.
inline PacketTransmission exactOf(const Parameters& p, const TypedPotential* typed) {
  return p.potential == Potential::None ? PacketTransmission{} : transmissionOf(p, typed);
}

// The parameters for measuring the transforms' gain: only the transforms act on the packet.
inline Parameters freeOf(Parameters p) {
  p.potential = Potential::None;
  p.absorbing_edges = false;
  p.time_step = Parameters{}.time_step;
  return p;
}

}  // namespace simscope::tunneling
