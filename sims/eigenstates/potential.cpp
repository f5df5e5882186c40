#include "sims/eigenstates/potential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sims/compute/elementary.h"
#include "sims/formula/cell_mean.h"
#include "sims/formula/formula.h"

namespace simscope::eigenstates {
namespace {

double limited(double v) {
  return std::clamp(v, -kHighest, kHighest);
}

// A jump between two points.
struct Edge {
  std::size_t from;  // the point before it
  double at;
  double rise;           // V right of it minus V left of it
  double before, after;  // V at the two points
};

struct Sampled {
  std::vector<double> v;  // means
  std::vector<Edge> edges;
  std::size_t unresolved = 0;
};

Sampled typedPotential(const Parameters& p, const Grid& grid) {
  const std::vector<std::string> names = {"x"};
  formula::requireSound(p.formula, names);
  formula::Formula reader(p.formula, names);
  const auto f = [&](double x) {
    const double value = reader.at({x});
    return std::isfinite(value) ? limited(value) : value;
  };
  std::vector<double> x;
  for (int i = 0; i < grid.points; ++i) x.push_back(grid.x(i));
  const formula::Bounds bounds(p.formula, names);
  formula::CellMeans means = formula::cellMeans(f, x, &bounds);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(means.values[i])) continue;
    throw UsageError(
        fmt::format("formula = {}: the value at x = {:g} is {}; expected a finite number at every point between the "
                    "walls (to soften a pole, write 1/sqrt(x^2 + 0.01))",
                    formula::shown(p.formula), x[i], means.values[i]));
  }
  Sampled sampled{std::move(means.values), {}, means.unresolved};
  for (const formula::Jump& jump : means.jumps) {
    sampled.edges.push_back({jump.from, jump.at, jump.after - jump.before, f(x[jump.from]), f(x[jump.from + 1])});
  }
  return sampled;
}

// The share of the cell of width h around x that lies between a and b.
double shareOf(double x, double h, double a, double b) {
  return std::clamp((std::min(x + h / 2, b) - std::max(x - h / 2, a)) / h, 0.0, 1.0);
}

void addEdge(Sampled& sampled, const Grid& grid, double at, double before, double after) {
  if (before == after) return;
  // A point on the jump belongs to its high side, on either side of a well.
  const bool rises = after > before;
  int points = 0;
  while (points < grid.points && (rises ? grid.x(points) < at : grid.x(points) <= at)) ++points;
  if (points == 0 || points == grid.points) return;
  sampled.edges.push_back({static_cast<std::size_t>(points - 1), at, after - before, before, after});
}

Sampled crystalPotential(const Parameters& p, const Grid& grid) {
  Sampled sampled;
  sampled.v.resize(static_cast<std::size_t>(grid.points));
  double from = grid.left;
  for (const Slab& slab : crystalOf(p)) {
    const double to = from + slab.width;
    if (slab.height > 0) {
      for (int i = 0; i < grid.points; ++i) {
        sampled.v[static_cast<std::size_t>(i)] += slab.height * shareOf(grid.x(i), grid.h, from, to);
      }
    }
    from = to;
  }
  return sampled;
}

Sampled wellPotential(const Parameters& p, const Grid& grid) {
  Sampled sampled;
  const double half = 0.5 * p.width;
  for (int i = 0; i < grid.points; ++i) {
    sampled.v.push_back(-p.depth * shareOf(grid.x(i), grid.h, -half, half));
  }
  addEdge(sampled, grid, -half, 0, -p.depth);
  addEdge(sampled, grid, half, -p.depth, 0);
  return sampled;
}

// V as three points have it: potential.h.
std::vector<double> fitted(const Sampled& sampled, const Grid& grid) {
  const std::vector<Edge>& edges = sampled.edges;
  const std::size_t points = sampled.v.size();
  std::vector<int> jumps(points + 1);  // jumps[i + 1]: between i and i + 1
  std::vector<char> averaged(points);
  for (const Edge& edge : edges) ++jumps[edge.from + 1];
  const auto isHigh = [](const Edge& edge, bool right) { return (edge.rise > 0) == right; };
  // A well that is narrower than a step has no points of its own.
  const auto isNarrow = [&](const Edge& edge) {
    const auto k = static_cast<std::size_t>(&edge - edges.data());
    if (isHigh(edge, false)) return k + 1 < edges.size() && edges[k + 1].at - edge.at < grid.h;
    return k > 0 && edge.at - edges[k - 1].at < grid.h;
  };
  const auto blurs = [&](const Edge& edge) {
    if (isNarrow(edge)) return true;
    const std::size_t beyond = isHigh(edge, true) ? edge.from + 2 : edge.from;
    return averaged[edge.from] || averaged[edge.from + 1] || jumps[beyond] > 0 || jumps[edge.from + 1] > 1;
  };
  for (bool more = true; more;) {
    more = false;
    for (const Edge& edge : edges) {
      if (!blurs(edge) || (averaged[edge.from] && averaged[edge.from + 1])) continue;
      averaged[edge.from] = averaged[edge.from + 1] = 1;
      more = true;
    }
  }
  std::vector<double> v = sampled.v;
  for (const Edge& edge : edges) {
    if (averaged[edge.from]) continue;
    v[edge.from] = edge.before, v[edge.from + 1] = edge.after;
  }
  const double square = grid.h * grid.h;
  for (const Edge& edge : edges) {
    if (averaged[edge.from]) continue;
    const std::size_t low = isHigh(edge, true) ? edge.from : edge.from + 1;
    const double height = std::fabs(edge.rise), c = 1 + height * square, decay = 1 / (c + std::sqrt(c * c - 1));
    const double reach = std::fabs(edge.at - grid.x(static_cast<double>(low))) + 1 / std::sqrt(2 * height);
    v[low] += (grid.h / reach - (1 - decay)) / (2 * square);
  }
  return v;
}

double smoothAt(const Parameters& p, double x) {
  switch (p.potential) {
    case Potential::Harmonic:
      return 0.5 * p.omega * p.omega * x * x;
    case Potential::DoubleWell: {
      const double u = 2 * x / p.width, bowl = u * u - 1;
      return p.depth * bowl * bowl;
    }
    case Potential::Morse: {
      const double rise = 1 - compute::exponential(-p.steepness * x);
      return p.depth * rise * rise;
    }
    case Potential::PoschlTeller: {
      const double secant = 1 / compute::hyperbolicCosine(p.steepness * x), square = secant * secant;
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

OnGrid potentialOn(const Parameters& p, const Grid& grid) {
  Sampled sampled;
  if (p.potential == Potential::Formula) {
    sampled = forParameter("formula", [&] { return typedPotential(p, grid); });
  } else if (p.potential == Potential::KronigPenney) {
    sampled = crystalPotential(p, grid);
  } else if (p.potential == Potential::FiniteWell) {
    sampled = wellPotential(p, grid);
  } else {
    for (int i = 0; i < grid.points; ++i) sampled.v.push_back(limited(smoothAt(p, grid.x(i))));
  }
  OnGrid on{sampled.v, p.usedBasis() == Basis::ThreePoint ? fitted(sampled, grid) : sampled.v};
  if (p.tilt != 0) {
    for (int i = 0; i < grid.points; ++i) {
      on.v[static_cast<std::size_t>(i)] += p.tilt * grid.x(i);
      on.diagonal[static_cast<std::size_t>(i)] += p.tilt * grid.x(i);
    }
  }
  return on;
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
