#include "sims/lorentz/paths.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/lorentz/exact.h"

namespace simscope::lorentz {
namespace {

constexpr double kPi = std::numbers::pi;

struct Place {
  double x, y;
};
constexpr Place kGap{NAN, NAN};

// At `share` of its way, 0 to 1; line 0 is the planet, the wall, or the axis.
Place onLine(const Parameters& p, int line, double share) {
  const double along = 2 * share - 1, edge = p.halfEdge();
  switch (p.configuration) {
    case Configuration::Bottle: {
      const double z = p.wall() * along, l2 = p.length * p.length, start = 0.12 * line * p.wall();
      const double flux = start * start / 2 - std::pow(start, 4) / (8 * l2), a = 1 + z * z / l2;
      const double inside = a * a / 4 - flux / (2 * l2);
      return inside < 0 ? kGap : Place{2 * p.length * std::sqrt(std::max(0.0, a / 2 - std::sqrt(inside))), z};
    }
    case Configuration::Dipole: {
      const double latitude = along * kPi / 2;
      if (line == 0) return {std::cos(latitude), std::sin(latitude)};
      const double shell = 1 + (p.shell - 1) * line / 3.0, r = shell * std::cos(latitude) * std::cos(latitude);
      return r < 1 ? kGap : Place{r * std::cos(latitude), r * std::sin(latitude)};
    }
    case Configuration::Tokamak: {
      const double r = p.minorRadius() * (kForceLines - line) / kForceLines, angle = 2 * kPi * share;
      return {p.major_radius + r * std::cos(angle), r * std::sin(angle)};
    }
    default:
      return {edge * line / kForceLines, edge * along};
  }
}

template <class At>
PathPoints made(int lines, const At& at) {
  PathPoints points;
  for (int line = 0; line < lines; ++line) {
    for (int i = 0; i < kPathPoints; ++i) {
      const Place place = at(line, i / (kPathPoints - 1.0));
      points.emplace_back(static_cast<float>(place.x), static_cast<float>(place.y));
    }
  }
  return points;
}

}  // namespace

PathPoints forceLines(const Parameters& p) {
  return made(kForceLines, [&](int line, double share) { return onLine(p, line, share); });
}

PathPoints coneLines(const Parameters& p) {
  const double ratio = coneRatio(p), sine = std::sqrt(1 / ratio), cosine = std::sqrt(1 - 1 / ratio);
  return made(kConeLines, [&](int line, double share) {
    if (std::isnan(ratio)) return kGap;
    const double v = 1.5 * p.typicalSpeed() * share;
    return Place{(line == 0 ? 1 : -1) * v * cosine, v * sine};
  });
}

}  // namespace simscope::lorentz
