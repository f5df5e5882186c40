#include "sims/eigenstates2d/exact.h"

#include <math.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "sims/eigenstates2d/potential.h"

namespace simscope::eigenstates2d {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

// k of both walls at 0, up to `most`; neighbouring zeros are about π apart in k times the width between the walls.
std::vector<double> zerosOf(const std::function<double(double)>& f, double width, double most) {
  std::vector<double> zeros;
  const double step = 0.04 * std::numbers::pi / width;
  double before = f(0.5 * step);
  for (double k = 1.5 * step; k < most + step; k += step) {
    const double now = f(k);
    if ((before < 0) != (now < 0)) {
      double low = k - step, high = k;
      for (int i = 0; i < 80; ++i) {
        const double middle = 0.5 * (low + high);
        ((f(middle) < 0) == (before < 0) ? low : high) = middle;
      }
      const double zero = 0.5 * (low + high);
      if (zero <= most) zeros.push_back(zero);
    }
    before = now;
  }
  return zeros;
}

std::vector<double> billiardLevels(const Parameters& p, std::size_t count) {
  const double outer = radiusOf(p), inner = p.potential == Potential::Annulus ? p.hole * outer : 0;
  // Weyl's law with room to spare says how far to look.
  double energy = 1 / (outer * outer);
  while (weylCount(p, energy) < 1.2 * static_cast<double>(count) + 6) energy *= 1.2;
  for (;; energy *= 1.3) {
    const double most = std::sqrt(2 * energy);
    std::vector<double> levels;
    for (int m = 0; m < most * outer; ++m) {  // the first zero of J_m lies beyond m
      const auto wall = [&](double k) {
        return inner > 0 ? ::jn(m, k * outer) * ::yn(m, k * inner) - ::jn(m, k * inner) * ::yn(m, k * outer)
                         : ::jn(m, k * outer);
      };
      const auto sound = [&](double k) {
        const double value = wall(k);  // far below its first zero Y_m overflows; it is negative there
        return std::abs(value) < 1e300 ? value : -1.0;
      };
      for (const double k : zerosOf(inner > 0 ? std::function<double(double)>(sound) : wall, outer - inner, most)) {
        levels.insert(levels.end(), m == 0 ? 1 : 2, 0.5 * k * k);
      }
    }
    std::sort(levels.begin(), levels.end());
    if (levels.size() >= count) {
      levels.resize(count);
      return levels;
    }
  }
}

}  // namespace

double weylCount(const Parameters& p, double energy) {
  const Shape shape = shapeOf(p);
  const double k = std::sqrt(std::max(2 * energy, 0.0));
  return std::max(0.0, shape.area * k * k / (2 * kTwoPi) - shape.perimeter * k / (2 * kTwoPi) + shape.constant);
}

std::vector<double> exactLevels(const Parameters& p, int count) {
  const auto wanted = static_cast<std::size_t>(count);
  if (p.potential == Potential::Circle || p.potential == Potential::Annulus) return billiardLevels(p, wanted);
  std::vector<double> levels;
  const auto sorted = [&](const auto& level) {
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) levels.push_back(level(i, j));
    }
    std::sort(levels.begin(), levels.end());
    levels.resize(wanted);
  };
  if (p.potential == Potential::Box) {
    const double unit = std::numbers::pi * std::numbers::pi / (2 * p.length * p.length);
    sorted([&](int i, int j) { return unit * ((i + 1) * (i + 1) + (j + 1) * (j + 1)); });
  }
  if (p.potential == Potential::Harmonic) {
    sorted([&](int i, int j) { return p.omega_x * (i + 0.5) + p.omega_y * (j + 0.5); });
  }
  return levels;
}

}  // namespace simscope::eigenstates2d
