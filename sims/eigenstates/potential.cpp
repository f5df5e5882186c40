#include "sims/eigenstates/potential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sims/formula/formula.h"

namespace simscope::eigenstates {
namespace {

double limited(double v) {
  return std::clamp(v, -kHighest, kHighest);
}

std::vector<double> typedPotential(const Parameters& p, const Grid& grid) {
  const std::vector<std::string> names = {"x"};
  formula::requireSound(p.formula, names);
  formula::Formula reader(p.formula, names);
  std::vector<double> v;
  for (int i = 0; i < grid.points; ++i) {
    const double x = grid.x(i), value = reader.at({x});
    if (!std::isfinite(value)) {
      throw UsageError(
          fmt::format("formula = {}: the value at x = {:g} is {}; expected a finite number at every point between the "
                      "walls (to soften a pole, write 1/sqrt(x^2 + 0.01))",
                      formula::shown(p.formula), x, value));
    }
    v.push_back(limited(value));
  }
  return v;
}

// The share of the cell of width h around x that lies between a and b.
double shareOf(double x, double h, double a, double b) {
  return std::clamp((std::min(x + h / 2, b) - std::max(x - h / 2, a)) / h, 0.0, 1.0);
}

std::vector<double> crystalPotential(const Parameters& p, const Grid& grid) {
  std::vector<double> v(static_cast<std::size_t>(grid.points));
  double from = grid.left;
  for (const Slab& slab : crystalOf(p)) {
    const double to = from + slab.width;
    if (slab.height > 0) {
      for (int i = 0; i < grid.points; ++i) {
        v[static_cast<std::size_t>(i)] += slab.height * shareOf(grid.x(i), grid.h, from, to);
      }
    }
    from = to;
  }
  return v;
}

double smoothAt(const Parameters& p, const Grid& grid, double x) {
  switch (p.potential) {
    case Potential::Harmonic:
      return 0.5 * p.omega * p.omega * x * x;
    case Potential::FiniteWell:
      return -p.depth * shareOf(x, grid.h, -p.width / 2, p.width / 2);
    case Potential::DoubleWell: {
      const double u = 2 * x / p.width, bowl = u * u - 1;
      return p.depth * bowl * bowl;
    }
    case Potential::Morse: {
      const double rise = 1 - std::exp(-p.steepness * x);
      return p.depth * rise * rise;
    }
    case Potential::PoschlTeller: {
      const double secant = 1 / std::cosh(p.steepness * x), square = secant * secant;
      return -0.5 * p.steepness * p.steepness * p.lambda * (p.lambda + 1) * square;
    }
    case Potential::Hydrogen: {
      const double l = p.angular_momentum;
      return -p.charge / x + l * (l + 1) / (2 * x * x);
    }
    default:
      return 0;
  }
}

}  // namespace

std::vector<Slab> crystalOf(const Parameters& p) {
  const double period = p.length / p.wells, barrier = std::min(p.barrier, 0.9 * period);
  std::vector<Slab> slabs = {{barrier / 2, p.depth}};
  for (int i = 0; i < p.wells; ++i) {
    slabs.push_back({period - barrier, 0});
    slabs.push_back({i + 1 < p.wells ? barrier : barrier / 2, p.depth});
  }
  return slabs;
}

std::vector<double> potentialOn(const Parameters& p, const Grid& grid) {
  std::vector<double> v;
  if (p.potential == Potential::Formula) {
    v = forParameter("formula", [&] { return typedPotential(p, grid); });
  } else if (p.potential == Potential::KronigPenney) {
    v = crystalPotential(p, grid);
  } else {
    for (int i = 0; i < grid.points; ++i) v.push_back(limited(smoothAt(p, grid, grid.x(i))));
  }
  if (p.tilt != 0) {
    for (int i = 0; i < grid.points; ++i) v[static_cast<std::size_t>(i)] += p.tilt * grid.x(i);
  }
  return v;
}

double continuumOf(const Parameters& p) {
  if (p.tilt != 0) return std::numeric_limits<double>::infinity();
  switch (p.potential) {
    case Potential::FiniteWell:
    case Potential::PoschlTeller:
    case Potential::Hydrogen:
      return 0;
    case Potential::Morse:
      return p.depth;
    default:
      return std::numeric_limits<double>::infinity();
  }
}

}  // namespace simscope::eigenstates
