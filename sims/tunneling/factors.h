// The phase factors of one split-operator step, tabulated on the host in double and rounded once to T, so that both
// backends multiply by the same bits. Plain host functions, any thread.
//
//   half    exp(-(iV + W) Δt/2) - 1      natural order
//   kinetic exp(-i k² Δt/2)·gain - 1     FFT order
//
// A factor f is kept as f - 1, and multiplies as z + z·(f - 1). Most turns of a step are small: a number next to 1 that
// is rounded to single precision is wrong by up to 3e-8, always by the same amount, and a wave of few momenta, or one
// that stays where V is constant, would gain or lose norm with every step. Rounded, f - 1 is wrong by as small a share
// of the turn. 1/N, a power of two, undoes the unnormalised pair of transforms; it multiplies z before the kinetic
// factor, without rounding.
#pragma once

#include <span>
#include <vector>

#include "sims/tunneling/absorption.h"
#include "sims/tunneling/packets.h"
#include "sims/tunneling/physics.h"
#include "sims/tunneling/typed_potential.h"

namespace simscope::tunneling {

template <class T>
struct Factors {
  std::vector<Complex<T>> half, kinetic;
  bool absorbing = false;  // whether edges absorb
};

// The factors of many runs of N points each: a table is either one for all runs, or one after the other for each.
template <class T>
struct FactorsOfRuns {
  std::span<const Complex<T>> half;
  std::span<const Complex<double>> turns;  // kineticTurns()
  std::span<const double> gain;            // each run's factor of its turns
  bool absorbing = false;
};

// The factor of this length and turn, less 1, in the precision of ψ; fused, so that every compiler gives the same bits.
template <class T>
SIMSCOPE_HD Complex<T> factorLess1(double length, Complex<double> turn) {
  return {static_cast<T>(std::fma(length, turn.re, -1.0)), static_cast<T>(length * turn.im)};
}
inline Complex<double> turnBy(double phase) {
  return {std::cos(phase), std::sin(phase)};
}

// `potential`: V at the samples (potentialTable). `half`: a value for each.
template <class T>
void makeHalf(const Parameters& p, std::span<const double> potential, std::span<Complex<T>> half) {
  const Grid grid = gridOf(p);
  const absorbing::Layer layer = layerOf(p, [&](double x) { return potential[grid.nearest(x)]; });
  for (int i = 0; i < grid.points; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double w = absorptionAt(p, layer, grid.x(i));
    half[at] = factorLess1<T>(std::exp(-0.5 * w * p.time_step), turnBy(-0.5 * potential[at] * p.time_step));
  }
}

// exp(-ik²Δt/2) for each k.
inline std::vector<Complex<double>> kineticTurns(const Parameters& p) {
  const Grid grid = gridOf(p);
  std::vector<Complex<double>> turns;
  turns.reserve(static_cast<std::size_t>(grid.points));
  for (int i = 0; i < grid.points; ++i) {
    const double k = grid.k(i);
    turns.push_back(turnBy(-0.5 * k * k * p.time_step));
  }
  return turns;
}

// As makeHalf().
template <class T>
Factors<T> makeFactors(const Parameters& p, std::span<const double> potential, double gain = 1) {
  Factors<T> f;
  f.absorbing = p.absorbing_edges;
  f.half.resize(potential.size());
  makeHalf<T>(p, potential, f.half);
  f.kinetic.reserve(potential.size());
  for (const Complex<double>& turn : kineticTurns(p)) {
    f.kinetic.push_back(factorLess1<T>(gain, turn));
  }
  return f;
}
// For a potential that is not typed.
template <class T>
Factors<T> makeFactors(const Parameters& p) {
  return makeFactors<T>(p, potentialTable(p, nullptr));
}

// A packet with Σ|ψ|² dx = 1.
inline std::vector<Complex<double>> gaussianOn(const Grid& grid, const Packet& packet) {
  double nearest = grid.length;
  for (int i = 0; i < grid.points; ++i) {
    nearest = std::fmin(nearest, std::fabs(packet.distance(grid.x(i), grid.length)));
  }
  std::vector<Complex<double>> psi;
  psi.reserve(static_cast<std::size_t>(grid.points));
  double sum = 0.0;
  for (int i = 0; i < grid.points; ++i) {
    psi.push_back(packet.at(grid.x(i), grid.length, nearest));
    sum += norm2(psi.back());
  }
  const double scale = 1.0 / std::sqrt(sum * grid.dx);
  for (Complex<double>& z : psi) z = scale * z;
  return psi;
}

// ψ(x, 0), normalised so that Σ|ψ|² dx = 1 in double.
template <class T>
std::vector<Complex<T>> makePacket(const Parameters& p) {
  const Grid grid = gridOf(p);
  std::vector<Complex<double>> packet = gaussianOn(grid, packetOf(p, kFirstPacket));
  if (p.second_packet) {
    const Packets packets = packetsOf(p);
    const std::vector<Complex<double>> second = gaussianOn(grid, packets.each[1]);
    for (std::size_t i = 0; i < packet.size(); ++i) {
      packet[i] = packets.weight[0] * packet[i] + packets.weight[1] * second[i];
    }
  }
  std::vector<Complex<T>> psi;
  psi.reserve(packet.size());
  for (const Complex<double>& z : packet) psi.push_back({static_cast<T>(z.re), static_cast<T>(z.im)});
  return psi;
}

}  // namespace simscope::tunneling
