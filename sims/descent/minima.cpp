#include "sims/descent/minima.h"

#include <algorithm>
#include <cmath>

namespace simscope::descent {
namespace {

// 2x + 20π sin 2πx = 0 next to a whole number: a minimum of Rastrigin's surface along one axis.
double rastriginRoot(double x) {
  for (int i = 0; i < 50; ++i) {
    x -= (2 * x + 10 * kTwoPi * compute::sine(kTwoPi * x)) / (2 + 10 * kTwoPi * kTwoPi * compute::cosine(kTwoPi * x));
  }
  return x;
}

// Where the gradient is 0 and the surface curves upwards, by Newton's method with derivatives by differences.
bool refine(const SurfaceData& surface, Minimum& m) {
  bool good = false;
  withSurface(surface, [&](const auto& f) {
    for (int i = 0; i < 30; ++i) {
      const double h = 1e-5 * (1 + std::fabs(m.x) + std::fabs(m.y));
      const Dual g = differentiate(f, m.x, m.y);
      const Dual right = differentiate(f, m.x + h, m.y), left = differentiate(f, m.x - h, m.y);
      const Dual up = differentiate(f, m.x, m.y + h), down = differentiate(f, m.x, m.y - h);
      const double xx = (right.x - left.x) / (2 * h), yy = (up.y - down.y) / (2 * h);
      const double xy = (right.y - left.y + up.x - down.x) / (4 * h), det = xx * yy - xy * xy;
      good = det > 0 && xx > 0;
      if (!good) return;
      const double dx = (yy * g.x - xy * g.y) / det, dy = (xx * g.y - xy * g.x) / det;
      if (!std::isfinite(dx + dy) || std::hypot(dx, dy) > 100 * h) break;
      m.x -= dx, m.y -= dy;
    }
    m.value = f(m.x, m.y);
    good = good && std::isfinite(m.value);
  });
  return good;
}

bool isAround(const Parameters& p, double x, double y) {
  return std::fabs(x - p.center_x) < 2 * p.half_edge && std::fabs(y - p.center_y) < 2 * p.half_edge;
}

// BFGS from a grid of starts; a kink (a cone's tip) is taken where the search came to rest on it.
Minima search(const Parameters& p, const SurfaceData& surface) {
  constexpr int kStarts = 20, kIterations = 60;
  Minima found;
  found.known = false;
  found.lowest = HUGE_VAL;
  const double near = 1e-3 * p.half_edge;
  for (int k = 0; k < kStarts * kStarts; ++k) {
    Walker w{p.left() + 2 * p.half_edge * (k % kStarts + 0.5) / kStarts,
             p.bottom() + 2 * p.half_edge * (k / kStarts + 0.5) / kStarts,
             {}};
    Minimum m{};
    double last_step = HUGE_VAL;
    withSurface(surface, [&](const auto& f) {
      const double here = f(w.x, w.y);
      if (std::isfinite(here)) found.lowest = std::min(found.lowest, here);
      for (int i = 0; i < kIterations && last_step > 0; ++i) {
        const Walker before = w;
        if (!iterate<std::decay_t<decltype(f)>, true>(f, Rule{}, 0, 0, 0, w)) return;
        last_step = std::hypot(w.x - before.x, w.y - before.y);
      }
      m = {w.x, w.y, f(w.x, w.y)};
    });
    if (!std::isfinite(m.value) || !(last_step < 0.01 * near) || !isAround(p, w.x, w.y)) continue;
    Minimum smooth = m;
    if (refine(surface, smooth) && std::hypot(smooth.x - m.x, smooth.y - m.y) < near) m = smooth;
    found.lowest = std::min(found.lowest, m.value);
    const bool seen = std::any_of(found.all.begin(), found.all.end(), [&](const Minimum& other) {
      return std::hypot(other.x - m.x, other.y - m.y) < near;
    });
    if (!seen && found.all.size() < kMostMinima) found.all.push_back(m);
  }
  return found;
}

}  // namespace

Minima minimaOf(const Parameters& p, const SurfaceData& surface) {
  Minima minima;
  std::vector<Minimum>& all = minima.all;
  switch (p.surface) {
    case Surface::Bowl:
      all = {{0, 0, 0}};
      break;
    case Surface::Rosenbrock:
      all = {{1, 1, 0}};
      break;
    case Surface::Beale:
      all = {{3, 0.5, 0}};
      break;
    case Surface::Himmelblau:
      all = {{3, 2, 0},
             {-2.805118086952745, 3.131312518250573, 0},
             {-3.779310253377747, -3.283185991286170, 0},
             {3.584428340330492, -1.848126526964404, 0}};
      break;
    case Surface::Rastrigin: {
      // The sum of two equal functions: its minima are the pairs of theirs.
      constexpr int kMost = 7;
      for (int j = -kMost; j <= kMost; ++j) {
        for (int i = -kMost; i <= kMost; ++i) {
          const double x = rastriginRoot(i), y = rastriginRoot(j);
          if (isAround(p, x, y) || (i == 0 && j == 0)) all.push_back({x, y, Rastrigin{}(x, y)});
        }
      }
      break;
    }
    case Surface::Ackley: {
      all = {{0, 0, 0}};
      constexpr int kMost = 7;
      for (int j = -kMost; j <= kMost; ++j) {
        for (int i = -kMost; i <= kMost; ++i) {
          Minimum m{0.97 * i, 0.97 * j, 0};
          if ((i == 0 && j == 0) || !refine(surface, m) || !isAround(p, m.x, m.y)) continue;
          const bool own = std::hypot(m.x - i, m.y - j) < 0.5;
          if (own) all.push_back(m);
        }
      }
      break;
    }
    case Surface::Formula:
      minima = search(p, surface);
      break;
  }
  std::stable_sort(all.begin(), all.end(), [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
  if (!all.empty()) minima.lowest = std::min(minima.known ? all[0].value : minima.lowest, all[0].value);
  if (!std::isfinite(minima.lowest)) minima.lowest = 0;
  return minima;
}

Curvature curvatureAt(const SurfaceData& surface, double x, double y) {
  Curvature c{};
  withSurface(surface, [&](const auto& f) {
    const double h = 1e-5 * (1 + std::fabs(x) + std::fabs(y));
    const Dual right = differentiate(f, x + h, y), left = differentiate(f, x - h, y);
    const Dual up = differentiate(f, x, y + h), down = differentiate(f, x, y - h);
    const double xx = (right.x - left.x) / (2 * h), yy = (up.y - down.y) / (2 * h);
    const double xy = (right.y - left.y + up.x - down.x) / (4 * h);
    const double mean = (xx + yy) / 2, half = std::hypot((xx - yy) / 2, xy);
    c = {mean - half, mean + half};
  });
  return c;
}

std::vector<int> nearestTable(const Parameters& p, const Minima& minima, Nearest& nearest) {
  nearest.minima = static_cast<int>(minima.all.size());
  const double cell = 4 * p.half_edge / kTableCells;
  nearest.per_cell = 1 / cell;
  nearest.left = p.center_x - 2 * p.half_edge;
  nearest.bottom = p.center_y - 2 * p.half_edge;
  nearest.tolerance2 = p.tolerance * p.tolerance;
  std::vector<int> table(static_cast<std::size_t>(kTableCells) * kTableCells, 0);
  for (int row = 0; row < kTableCells; ++row) {
    for (int column = 0; column < kTableCells; ++column) {
      const double x = nearest.left + (column + 0.5) * cell, y = nearest.bottom + (row + 0.5) * cell;
      double least = HUGE_VAL;
      for (int m = 0; m < nearest.minima; ++m) {
        const Minimum& each = minima.all[static_cast<std::size_t>(m)];
        const double distance = (each.x - x) * (each.x - x) + (each.y - y) * (each.y - y);
        if (distance < least) least = distance, table[static_cast<std::size_t>(row * kTableCells + column)] = m;
      }
    }
  }
  return table;
}

}  // namespace simscope::descent
