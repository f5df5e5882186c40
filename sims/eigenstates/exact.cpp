#include "sims/eigenstates/exact.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "sims/eigenstates/potential.h"

namespace simscope::eigenstates {
namespace {

constexpr double kPi = std::numbers::pi;

// Where `rises`, which is false and then true, turns true between low and high.
double turn(double low, double high, const std::function<bool(double)>& rises) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (rises(middle) ? high : low) = middle;
  }
  return high;
}

// k of state n: between nπ/a and (n+1)π/a the phase k a/2 - nπ/2 rises and arctan κ/k falls, and they meet once.
std::vector<double> finiteWellLevels(const Parameters& p, int most) {
  std::vector<double> levels;
  const double k_most = std::sqrt(2 * p.depth);
  for (int n = 0; n < most && n * kPi / p.width < k_most; ++n) {
    const double high = std::min((n + 1) * kPi / p.width, k_most);
    const double k = turn(n * kPi / p.width, high, [&](double at) {
      const double kappa = std::sqrt(std::max(0.0, k_most * k_most - at * at));
      return 0.5 * (at * p.width - n * kPi) >= std::atan2(kappa, at);
    });
    levels.push_back(0.5 * k * k - p.depth);
  }
  return levels;
}

// How many nodes a solution that starts with 0 at the left wall has up to the right one: as many levels lie below its
// energy. In each slab it is known exactly, and scaled, for only its direction counts.
int nodesBelow(const std::vector<Slab>& slabs, double energy) {
  double y = 0, slope = 1;
  int nodes = 0;
  for (const Slab& slab : slabs) {
    const double square = 2 * (energy - slab.height), k = std::sqrt(std::fabs(square));
    if (square > 0) {
      double phase = std::atan2(k * y, slope);  // y ∝ sin, y' ∝ k cos
      if (phase < 0) phase += kPi;              // its sign does not count
      if (phase >= kPi) phase -= kPi;
      const double end = phase + k * slab.width;
      nodes += static_cast<int>(std::floor(end / kPi));
      y = std::sin(end);
      slope = k * std::cos(end);
    } else {
      const double fade = std::exp(-2 * k * slab.width), both = 0.5 * (1 + fade);
      const double odd = k > 0 ? 0.5 * (1 - fade) / k : slab.width;
      const double before = y;
      y = before * both + slope * odd;
      slope = before * k * 0.5 * (1 - fade) + slope * both;
      if (before != 0 && before * y < 0) ++nodes;
    }
    const double size = std::hypot(y, slope);
    y /= size;
    slope /= size;
  }
  return nodes;
}

std::vector<double> crystalLevels(const Parameters& p, int most) {
  const std::vector<Slab> slabs = crystalOf(p);
  std::vector<double> levels;
  for (int n = 0; n < most; ++n) {
    const double above = 0.5 * std::pow((n + 1) * kPi / p.length, 2) + p.depth;  // V is nowhere higher than V₀
    levels.push_back(turn(0, above, [&](double energy) { return nodesBelow(slabs, energy) > n; }));
  }
  return levels;
}

}  // namespace

std::vector<double> exactLevels(const Parameters& p, int most) {
  if (p.tilt != 0) return {};
  std::vector<double> levels;
  const double a = p.steepness;
  switch (p.potential) {
    case Potential::Box:
      for (int n = 1; n <= most; ++n) levels.push_back(0.5 * std::pow(n * kPi / p.length, 2));
      break;
    case Potential::Harmonic:
      for (int n = 0; n < most; ++n) levels.push_back(p.omega * (n + 0.5));
      break;
    case Potential::FiniteWell:
      return finiteWellLevels(p, most);
    case Potential::Morse: {
      const double lambda = std::sqrt(2 * p.depth) / a;
      for (int n = 0; n < most && n + 0.5 < lambda; ++n) {
        levels.push_back(p.depth - 0.5 * a * a * std::pow(lambda - n - 0.5, 2));
      }
      break;
    }
    case Potential::PoschlTeller:
      for (int n = 0; n < most && n < p.lambda; ++n) levels.push_back(-0.5 * a * a * std::pow(p.lambda - n, 2));
      break;
    case Potential::Hydrogen:
      for (int n = 0; n < most; ++n) levels.push_back(-0.5 * std::pow(p.charge / (n + p.angular_momentum + 1), 2));
      break;
    case Potential::KronigPenney:
      return crystalLevels(p, most);
    default:
      break;
  }
  return levels;
}

bool exactStatesKnown(const Parameters& p) {
  return p.tilt == 0 && p.potential != Potential::KronigPenney && p.potential != Potential::DoubleWell &&
         p.potential != Potential::Formula && p.potential != Potential::Blank;
}

ExactState exactState(const Parameters& p, int n, double level) {
  const double a = p.steepness;
  switch (p.potential) {
    case Potential::Box:
      return {p.potential, n, gridOf(p).left, p.length};
    case Potential::Harmonic:
      return {p.potential, n, std::sqrt(p.omega)};
    case Potential::Hydrogen:
      return {p.potential, n, p.charge / (n + p.angular_momentum + 1), 1.0 * p.angular_momentum};
    case Potential::Morse: {
      const double lambda = std::sqrt(2 * p.depth) / a;
      return {p.potential, n, a, 2 * lambda, lambda - n - 0.5};
    }
    case Potential::PoschlTeller:
      return {p.potential, n, a, p.lambda - n};
    case Potential::FiniteWell:
      return {p.potential, n, 0, p.width, std::sqrt(2 * (level + p.depth)), std::sqrt(-2 * level)};
    default:
      return {p.potential, n};
  }
}

}  // namespace simscope::eigenstates
