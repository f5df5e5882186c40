#include "sims/heat/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sims/heat/operations.h"

namespace simscope::heat {
namespace {

constexpr double kReach = 9;    // widths √(2τ), beyond which nothing is left in double precision
constexpr double kSettled = 3;  // periods², after which what is left of any difference is 10⁻¹³ of it

// From image to image: cold walls are cells, other edges lie half a cell beyond the last one.
double periodOf(const Parameters& p) {
  return (p.boundary == Boundary::Fixed ? p.grid_points - 1 : p.grid_points) * p.spacing;
}

int imagesAt(double reach, double period) {
  return static_cast<int>(std::floor(reach / period + 0.5));
}

// What the patches of a row count at the middle after τ, were their temperatures 1: boxes with their images.
std::vector<double> patchWeights(const Parameters& p, double tau) {
  const double patch = patchCells(p), period = periodOf(p);
  tau = std::min(tau, kSettled * period * period);
  const double width = 2 * std::sqrt(tau);
  const bool walls = p.boundary == Boundary::Fixed, joined = p.boundary == Boundary::Periodic;
  const int n = p.grid_points, first = walls ? 1 : 0, last = walls ? n - 1 : n;
  const auto box = [&](double from, double to) {
    if (!(width > 0)) return from < 0 && to > 0 ? 1.0 : from == 0 || to == 0 ? 0.5 : 0.0;
    return 0.5 * (std::erf(to / width) - std::erf(from / width));
  };
  std::vector<double> weights;
  for (int from = 0; from < n;) {
    // Cell i belongs to the patch that its middle lies in.
    const auto index = static_cast<double>(weights.size() + 1);
    const int to = std::clamp(static_cast<int>(std::ceil(index * patch - 0.5)), from + 1, n);
    const double a = (std::max(from, first) - 0.5 * n) * p.spacing, b = (std::min(to, last) - 0.5 * n) * p.spacing;
    double weight = 0;
    const int images = imagesAt(kReach * std::sqrt(2 * tau) + period / 2, period);
    for (int k = -images; k <= images && a < b; ++k) {
      const bool mirrored = !joined && k % 2 != 0;
      const double sign = walls && mirrored ? -1 : 1, at = k * period;
      weight += sign * (mirrored ? box(at - b, at - a) : box(at + a, at + b));
    }
    weights.push_back(weight);
    from = to;
  }
  return weights;
}

}  // namespace

ExactLine exactLine(const Parameters& p, double tau) {
  const double waves = std::max(1.0, std::round(p.length() / (2 * p.spot_size))), period = periodOf(p);
  if (p.initial != Initial::Stripes) tau = std::min(tau, kSettled * period * period);
  // The start is without images: the little that they count there is why it must not reach the edge.
  double reach = 0;
  if (p.initial == Initial::Square) reach = p.spot_size / 2 + kReach * std::sqrt(2 * tau);
  if (p.initial == Initial::Gaussian) reach = kReach * std::sqrt(p.spot_size * p.spot_size / 4 + 2 * tau);
  if (p.initial == Initial::TwoSpots) reach = p.spot_size + kReach * std::sqrt(p.spot_size * p.spot_size / 4 + 2 * tau);
  return {.initial = p.initial,
          .n = p.grid_points,
          .spacing = p.spacing,
          .temperature = p.spot_temperature,
          .half = p.spot_size / 2,
          .tau = tau,
          .wave_number = 2 * std::numbers::pi * waves / p.length(),
          .period = period,
          .images = tau > 0 ? imagesAt(reach, period) : 0,
          .image_sign = p.boundary == Boundary::Fixed ? -1.0 : 1.0};
}

std::vector<double> exactLines(const Parameters& p, double tau) {
  const ExactLine line = exactLine(p, tau);
  std::vector<double> values;
  values.reserve(2 * static_cast<std::size_t>(p.grid_points));
  for (int i = 0; i < p.grid_points; ++i) values.push_back(line.x(i));
  for (int i = 0; i < p.grid_points; ++i) values.push_back(line.y(i));
  return values;
}

double shareAtEdge(const Parameters& p) {
  const bool spreads = p.initial == Initial::Square || p.initial == Initial::Gaussian || p.initial == Initial::TwoSpots;
  if (!spreads) return std::numeric_limits<double>::quiet_NaN();
  const ExactLine line = exactLine(p, 0);
  return std::max(line.xAt(p.length() / 2), line.yAt(p.length() / 2));
}

bool exactHolds(const Parameters& p) {
  if (p.initial == Initial::Stripes) return p.boundary != Boundary::Fixed;
  return shareAtEdge(p) <= kEdgeShare;
}

double exactCentre(const Parameters& p, double tau, std::uint64_t seed) {
  if (p.initial == Initial::Random && p.grid_points <= kPatches * patchCells(p)) {
    const std::vector<double> weights = patchWeights(p, tau);
    double sum = 0;
    for (std::size_t row = 0; row < weights.size(); ++row) {
      for (std::size_t column = 0; column < weights.size(); ++column) {
        sum += weights[row] * weights[column] * patchShare(seed, column, row);
      }
    }
    return p.spot_temperature * sum;
  }
  if (!exactHolds(p)) return std::numeric_limits<double>::quiet_NaN();
  const ExactLine line = exactLine(p, tau);
  return p.spot_temperature * line.xAt(0) * line.yAt(0);
}

}  // namespace simscope::heat
