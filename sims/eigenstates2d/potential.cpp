#include "sims/eigenstates2d/potential.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sims/formula/formula.h"

namespace simscope::eigenstates2d {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kHighest = 1e9;  // limit of |V|

Base typedPlane(const Parameters& p, const Grid& grid) {
  const std::vector<std::string> names = {"x", "y"};
  formula::requireSound(p.formula, names);
  const auto n = static_cast<std::size_t>(grid.points);
  std::vector<double> places;
  for (int i = 0; i < grid.points; ++i) places.push_back(grid.x(i));
  constexpr std::size_t kRows = 32;  // that are worth a reader
  const formula::Bounds bounds(p.formula, names);
  const formula::Suspects suspects(bounds, places, places);
  std::vector<formula::CellMeans> parts((n + kRows - 1) / kRows);
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    formula::Formula reader(p.formula, names);
    const auto f = [&](double x, double y) {
      const double value = reader.at({x, y});
      return std::isfinite(value) ? std::clamp(value, -kHighest, kHighest) : value;
    };
    parts[part] = formula::cellMeans(f, places, places, part * kRows, std::min(kRows, n - part * kRows), &suspects);
  });
  Base base;
  base.v.reserve(grid.size());
  for (formula::CellMeans& part : parts) {
    for (formula::Jump& jump : part.jumps) {
      jump.from += base.v.size();
      base.jumps.push_back(jump);
    }
    base.thin = std::max(base.thin, part.thin_share * grid.h);
    for (const auto& [at, sample] : part.replaced) base.replaced.push_back({base.v.size() + at, sample});
    base.v.insert(base.v.end(), part.values.begin(), part.values.end());
  }
  const auto fault = std::find_if_not(base.v.begin(), base.v.end(), [](double v) { return std::isfinite(v); });
  if (fault == base.v.end()) return base;
  const auto at = static_cast<std::size_t>(fault - base.v.begin());
  throw UsageError(fmt::format(
      "formula = {}: the value at x = {:g}, y = {:g} is {}; expected a finite number at every point between "
      "the walls (to soften a pole, write 1/sqrt(x^2 + y^2 + 0.01))",
      formula::shown(p.formula), places[at % n], places[at / n], *fault));
}

double valueAt(const Parameters& p, double x, double y) {
  switch (p.potential) {
    case Potential::Harmonic:
      return 0.5 * (p.omega_x * p.omega_x * (x * x) + p.omega_y * p.omega_y * (y * y));
    case Potential::HenonHeiles:
      return 0.5 * (x * x + y * y) + p.coupling * (x * x * y - y * y * y / 3);
    case Potential::DoubleWell: {
      const double u = 2 * x / p.width, bowl = u * u - 1;
      return p.depth * bowl * bowl + 0.5 * p.omega_y * p.omega_y * y * y;
    }
    case Potential::Hydrogen:
      return -p.charge / std::sqrt(x * x + y * y + p.softening * p.softening);
    default:
      return 0;
  }
}

// Atoms are added one by one, each where it is felt.
std::vector<double> corralOn(const Parameters& p, const Grid& grid) {
  std::vector<double> v(grid.size());
  const double radius = radiusOf(p), reach = 8 * p.atom_width;
  for (int atom = 0; atom < p.atoms; ++atom) {
    const double angle = 2 * kPi * atom / p.atoms, ax = radius * std::cos(angle), ay = radius * std::sin(angle);
    const auto first = [&](double at) {
      return std::clamp(static_cast<int>((at + 0.5 * grid.length) / grid.h) - 1, 0, grid.points);
    };
    for (int j = first(ay - reach); j < first(ay + reach + 2 * grid.h); ++j) {
      for (int i = first(ax - reach); i < first(ax + reach + 2 * grid.h); ++i) {
        const double dx = grid.x(i) - ax, dy = grid.x(j) - ay;
        v[static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.points) + static_cast<std::size_t>(i)] +=
            p.depth * std::exp(-(dx * dx + dy * dy) / (2 * p.atom_width * p.atom_width));
      }
    }
  }
  return v;
}

// How far a line from (x, y), which is inside, may go along (dx, dy) before the billiard's wall, in those steps; `most`
// where it meets none before that.
double stepsToWall(const Parameters& p, double x, double y, double dx, double dy, double most) {
  constexpr int kLooks = 16;
  double inside = 0, outside = most;
  for (int look = 1; look <= kLooks; ++look) {
    const double at = most * look / kLooks;
    if (!insideOf(p, x + at * dx, y + at * dy)) {
      outside = at;
      break;
    }
    inside = at;
  }
  if (inside >= most) return most;
  for (int i = 0; i < 48; ++i) {
    const double middle = 0.5 * (inside + outside);
    (insideOf(p, x + middle * dx, y + middle * dy) ? inside : outside) = middle;
  }
  return outside;
}

// Which points count, and 2h² times what H has of the kinetic energy on its diagonal.
void fitToWalls(const Parameters& p, const Grid& grid, std::vector<char>& counts, std::vector<double>& kinetic) {
  const int n = grid.points;
  const auto at = [n](int i, int j) {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(n) + static_cast<std::size_t>(i);
  };
  constexpr int kAcross[] = {1, -1, 0, 0}, kDown[] = {0, 0, 1, -1};
  std::vector<char> inside(grid.size());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) inside[at(i, j)] = insideOf(p, grid.x(i), grid.x(j));
  }
  const auto among = [n](int i, int j) { return i >= 0 && j >= 0 && i < n && j < n; };
  counts = inside;
  const auto forNeighbours = [&](const auto& visit) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        for (int side = 0; side < 4; ++side) visit(i, j, i + kAcross[side], j + kDown[side], side);
      }
    }
  };
  forNeighbours([&](int i, int j, int ni, int nj, int side) {
    if (!inside[at(i, j)] || !among(ni, nj) || inside[at(ni, nj)]) return;
    const double theta = stepsToWall(p, grid.x(i), grid.x(j), kAcross[side] * grid.h, kDown[side] * grid.h, 1);
    if (theta < kNearest) counts[at(i, j)] = 0;
  });
  forNeighbours([&](int i, int j, int ni, int nj, int side) {
    if (!counts[at(i, j)]) return;
    double theta = 1;
    if (among(ni, nj) && !counts[at(ni, nj)]) {
      theta = stepsToWall(p, grid.x(i), grid.x(j), kAcross[side] * grid.h, kDown[side] * grid.h, 2);
      if (theta >= 2) theta = 1;
    }
    kinetic[at(i, j)] += 1 / theta;
  });
}

// A high jump between a point and its neighbour on the jump's high side.
struct Wall {
  std::size_t low = 0, high = 0, behind = 0;  // behind: the low point's neighbour on the other side, or itself
  double floor = 0, top = 0;                  // V on its sides
  double theta = 0;                           // from the low point to where φ would end, along the grid's line [h]
  double height = 0;                          // times the square of the cosine between the line and the jump's normal
};

// The typed jumps that are walls on this grid.
std::vector<Wall> typedWalls(const Base& base, const Grid& grid) {
  std::vector<Wall> walls;
  const auto n = static_cast<std::size_t>(grid.points);
  const double square = grid.h * grid.h;
  // Sobel's differences of the means, along x and along y.
  const auto gradient = [&](std::size_t at, bool along_y) {
    const std::size_t i = at % n, j = at / n;
    if (i == 0 || j == 0 || i + 1 == n || j + 1 == n) return 0.0;
    const std::size_t along = along_y ? n : 1, across = along_y ? 1 : n;
    double sum = 0;
    for (const auto& [place, weight] : {std::pair{at - across, 1.0}, {at, 2.0}, {at + across, 1.0}}) {
      sum += weight * (base.v[place + along] - base.v[place - along]);
    }
    return sum;
  };
  for (const formula::Jump& jump : base.jumps) {
    const double height = std::abs(jump.after - jump.before);
    if (!(2 * height * square > 1)) continue;
    const std::size_t to = jump.from + (jump.along_y ? n : 1);
    const bool rises = jump.after > jump.before;
    Wall wall{.low = rises ? jump.from : to,
              .high = rises ? to : jump.from,
              .floor = std::min(jump.before, jump.after),
              .top = std::max(jump.before, jump.after)};
    const std::size_t place = jump.along_y ? wall.low / n : wall.low % n;
    wall.behind = (rises ? place > 0 : place + 1 < n) ? 2 * wall.low - wall.high : wall.low;
    const double along = gradient(wall.low, jump.along_y) + gradient(wall.high, jump.along_y);
    const double across = gradient(wall.low, !jump.along_y) + gradient(wall.high, !jump.along_y);
    const double cosine2 = along != 0 ? along * along / (along * along + across * across) : 1;
    wall.height = height * std::max(cosine2, 0.05);
    wall.theta = std::abs(jump.at - grid.x(static_cast<int>(place))) / grid.h + 1 / std::sqrt(2 * wall.height * square);
    walls.push_back(wall);
  }
  return walls;
}

// As fitToWalls(), for typed jumps. highest: where V is cut off.
void fitToTyped(const std::vector<Wall>& walls, const std::vector<char>& counts, const std::vector<double>& v,
                const Grid& grid, double highest, std::vector<double>& kinetic) {
  for (const Wall& wall : walls) {
    if (counts[wall.low]) {
      const double c = 1 + std::min(wall.height, std::max(highest - v[wall.low], 0.0)) * grid.h * grid.h;
      kinetic[wall.low] += 1 / wall.theta - 1 + 1 / (c + std::sqrt(c * c - 1));
    } else if (counts[wall.behind]) {
      kinetic[wall.behind] += 1 / (1 + wall.theta) - 1;
    }
  }
}

// The energy with so many levels below it in phase space, a third more and some: ∫(E - V)₊ dx dy/2π of them.
double edgeOf(const std::vector<double>& base, const std::vector<double>& drawn, const std::vector<char>& counts,
              const Grid& grid, int levels) {
  const double target = 1.3 * levels + 4;
  const std::size_t stride = (base.size() / 65536) | 1;
  std::vector<double> v;
  for (std::size_t i = 0; i < base.size(); i += stride) {
    if (counts[i]) v.push_back(base[i] + drawn[i]);
  }
  std::sort(v.begin(), v.end());
  if (v.empty()) return 0;
  // Piecewise linear in E: from one value of V to the next, the first so many cells count.
  const double cell = static_cast<double>(stride) * grid.h * grid.h / (2 * kPi);
  double below = 0;
  for (std::size_t i = 1; i < v.size(); ++i) {
    const double more = cell * static_cast<double>(i) * (v[i] - v[i - 1]);
    if (below + more >= target) return v[i - 1] + (target - below) / (cell * static_cast<double>(i));
    below += more;
  }
  return v.back() + (target - below) / (cell * static_cast<double>(v.size()));
}

}  // namespace

double radiusOf(const Parameters& p) {
  const double half = 0.5 * p.length;
  return std::min(p.radius, p.potential == Potential::Stadium ? half / (1 + p.straight) : half);
}

bool insideOf(const Parameters& p, double x, double y) {
  const double radius = radiusOf(p), r2 = x * x + y * y;
  switch (p.potential) {
    case Potential::Circle:
      return r2 < radius * radius;
    case Potential::Annulus:
      return r2 < radius * radius && r2 > p.hole * p.hole * radius * radius;
    case Potential::Stadium: {
      const double beyond = std::max(std::abs(x) - p.straight * radius, 0.0);
      return beyond * beyond + y * y < radius * radius;
    }
    default:
      return true;
  }
}

Shape shapeOf(const Parameters& p) {
  const double r = radiusOf(p), straight = p.straight * r;
  switch (p.potential) {
    case Potential::Circle:
      return {kPi * r * r, 2 * kPi * r, 1.0 / 6};
    case Potential::Annulus:
      return {kPi * r * r * (1 - p.hole * p.hole), 2 * kPi * r * (1 + p.hole), 0};
    case Potential::Stadium:
      return {kPi * r * r + 4 * straight * r, 2 * kPi * r + 4 * straight, 1.0 / 6};
    default:
      return {p.length * p.length, 4 * p.length, 0.25};
  }
}

double continuumOf(const Parameters& p) {
  if (p.potential == Potential::Hydrogen) return 0;
  if (p.potential == Potential::HenonHeiles && p.coupling > 0) return 1 / (6 * p.coupling * p.coupling);
  return std::numeric_limits<double>::infinity();
}

Base potentialOn(const Parameters& p, const Grid& grid) {
  if (p.potential == Potential::Formula) {
    return forParameter("formula", [&] { return typedPlane(p, grid); });
  }
  if (p.potential == Potential::Corral) return {corralOn(p, grid), {}, {}};
  Base base;
  base.v.reserve(grid.size());
  for (int j = 0; j < grid.points; ++j) {
    for (int i = 0; i < grid.points; ++i) base.v.push_back(valueAt(p, grid.x(i), grid.x(j)));
  }
  return base;
}

Landscape landscapeOf(const Parameters& p, const Base& on, const std::vector<double>& drawn, int levels) {
  Landscape l;
  l.grid = gridOf(p);
  l.thin = on.thin;
  const int n = l.grid.points;
  const double inverse = 1 / (l.grid.h * l.grid.h);
  const std::vector<Wall> walls = typedWalls(on, l.grid);
  const bool fourth = l.nine = p.fourthOrder() && walls.empty();
  l.near = fourth ? -2.0 / 3 * inverse : -0.5 * inverse;
  l.far = fourth ? inverse / 24 : 0;
  std::vector<char> counts(l.grid.size(), 1);
  std::vector<double> kinetic(l.grid.size(), fourth ? 5.0 : p.billiard() ? 0.0 : 4.0);
  if (p.billiard()) fitToWalls(p, l.grid, counts, kinetic);
  std::vector<double> base = on.v;
  if (!walls.empty()) {  // in place of a share of one: more than jumps leave that are none
    for (const auto& [at, sample] : on.replaced) {
      if (4 * std::abs(base[at] - sample) * l.grid.h * l.grid.h > 1) base[at] = sample;
    }
  }
  for (const Wall& wall : walls) base[wall.low] = wall.floor, base[wall.high] = wall.top;
  for (const Wall& wall : walls) counts[wall.low] = counts[wall.low] && !(wall.theta < kNearest);
  if (fourth) {  // φ is odd about the walls: two points beyond an edge there is minus what is at the edge
    const auto edge = [&](std::size_t at) { kinetic[at] -= 1.0 / 12; };
    const auto width = static_cast<std::size_t>(n);
    for (std::size_t i = 0; i < width; ++i) {
      edge(i), edge((width - 1) * width + i), edge(i * width), edge(i * width + width - 1);
    }
  }
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (!counts[i]) continue;
    ++l.inside;
    lowest = std::min(lowest, base[i] + drawn[i]);
  }
  if (l.inside < static_cast<std::size_t>(levels)) {
    throw ParameterError("grid_points",
                         fmt::format("grid_points = {}, length = {:g}, radius = {:g}, hole = {:g}, straight = {:g}, "
                                     "states = {}: only {} points lie inside the billiard, but {} states and guard "
                                     "states need one each; choose more points, or a larger radius",
                                     n, p.length, p.radius, p.hole, p.straight, p.states, l.inside, levels));
  }
  l.lowest = lowest;
  l.edge = edgeOf(base, drawn, counts, l.grid, levels);
  const double highest = l.edge + (fourth ? 2 * 16.0 / 3 : 8.0) * inverse;
  fitToTyped(walls, counts, base, l.grid, highest, kinetic);
  const double off = 4 * (std::abs(l.near) + std::abs(l.far));
  l.v.resize(base.size());
  l.diagonal.resize(base.size());
  l.bound = lowest;
  for (std::size_t i = 0; i < base.size(); ++i) {
    l.v[i] = counts[i] ? std::min(base[i] + drawn[i], highest) : highest;
    l.diagonal[i] = counts[i] ? 0.5 * inverse * kinetic[i] + l.v[i] : kOutside;
    if (counts[i]) l.bound = std::max(l.bound, l.diagonal[i] + off);
  }
  return l;
}

}  // namespace simscope::eigenstates2d
