#include "sims/heat/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace simscope::heat {

ExactLine exactLine(const Parameters& p, double tau) {
  const double waves = std::max(1.0, std::round(p.length() / (2 * p.spot_size)));
  return {.initial = p.initial,
          .n = p.grid_points,
          .spacing = p.spacing,
          .temperature = p.spot_temperature,
          .half = p.spot_size / 2,
          .tau = tau,
          .wave_number = 2 * std::numbers::pi * waves / p.length()};
}

std::vector<double> exactLines(const Parameters& p, double tau) {
  const ExactLine line = exactLine(p, tau);
  std::vector<double> values;
  values.reserve(2 * static_cast<std::size_t>(p.grid_points));
  for (int i = 0; i < p.grid_points; ++i) values.push_back(line.x(i));
  for (int i = 0; i < p.grid_points; ++i) values.push_back(line.y(i));
  return values;
}

double shareAtEdge(const Parameters& p, double tau) {
  const bool spreads = p.initial == Initial::Square || p.initial == Initial::Gaussian || p.initial == Initial::TwoSpots;
  if (!spreads) return std::numeric_limits<double>::quiet_NaN();
  const ExactLine line = exactLine(p, tau);
  return std::max(line.xAt(p.length() / 2), line.yAt(p.length() / 2));
}

bool exactHolds(const Parameters& p, double tau) {
  if (p.initial == Initial::Stripes) return p.boundary != Boundary::Fixed;
  return shareAtEdge(p, tau) <= kEdgeShare;
}

double exactCentre(const Parameters& p, double tau) {
  if (p.initial == Initial::Random || p.initial == Initial::Blank) return std::numeric_limits<double>::quiet_NaN();
  const ExactLine line = exactLine(p, tau);
  return p.spot_temperature * line.xAt(0) * line.yAt(0);
}

}  // namespace simscope::heat
