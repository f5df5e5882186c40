#include "sims/maxwell_boltzmann/exact.h"

namespace simscope::maxwell_boltzmann {
namespace {

constexpr double kPi = std::numbers::pi;

}  // namespace

double SpeedDistribution::density(double v) const {
  if (!(v >= 0)) return 0;
  const double x = v / sigma_, decay = std::exp(-x * x / 2) / sigma_;
  return flat_ ? x * decay : std::sqrt(2 / kPi) * x * x * decay;
}

double SpeedDistribution::below(double v) const {
  if (!(v > 0)) return 0;
  const double x = v / sigma_, decay = std::exp(-x * x / 2);
  return flat_ ? -std::expm1(-x * x / 2) : std::erf(x / std::sqrt(2.0)) - std::sqrt(2 / kPi) * x * decay;
}

double SpeedDistribution::mostProbable() const {
  return flat_ ? sigma_ : std::sqrt(2.0) * sigma_;
}
double SpeedDistribution::mean() const {
  return (flat_ ? std::sqrt(kPi / 2) : std::sqrt(8 / kPi)) * sigma_;
}
double SpeedDistribution::rootMeanSquare() const {
  return std::sqrt(flat_ ? 2.0 : 3.0) * sigma_;
}
double SpeedDistribution::deviation() const {
  return std::sqrt(rootMeanSquare() * rootMeanSquare() - mean() * mean());
}

double normalDensity(double z) {
  return std::exp(-z * z / 2) / std::sqrt(2 * kPi);
}
double normalBelow(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double compressibility(double packing) {
  return (1 + packing * packing / 8) / ((1 - packing) * (1 - packing));
}
double contactValue(double packing) {
  return (1 - 7 * packing / 16) / ((1 - packing) * (1 - packing));
}

double bulkPacking(const Parameters& p) {
  if (!p.walls()) return p.packing;
  // The discs that a bulk of this packing and its walls make; they grow with the packing.
  const double edge = p.boxLength() - p.diameter, disc = kPi * p.diameter * p.diameter / 4;
  const auto discs = [&](double eta) {
    const double at_walls = 32 * eta * eta / (3 * kPi * kPi * p.diameter * (1 + eta));
    return eta / disc * edge * edge + 4 * edge * at_walls;
  };
  double low = 0, high = 0.99;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (discs(middle) < p.molecules ? low : high) = middle;
  }
  return low;
}

// k T over nm² is in J/nm² = 10¹⁸ N/m = 10²¹ mN/m.
double idealPressure(const Parameters& p, double kelvin) {
  return p.molecules / p.area() * kBoltzmann * kelvin * 1e21;
}
double pressureOf(const Parameters& p, double kelvin) {
  const double bulk = bulkPacking(p), disc = kPi * p.diameter * p.diameter / 4;
  return bulk / disc * compressibility(bulk) * kBoltzmann * kelvin * 1e21;
}
double collisionRate(const Parameters& p, double kelvin) {
  const double factor = pressureOf(p, kelvin) / idealPressure(p, kelvin), sigma = p.sigmaAt(kelvin) / kMetresPerSecond;
  return 4 * sigma * (factor - 1) / (std::sqrt(kPi) * p.diameter);
}

double equilibriumH(double discs) {
  // The mean of c ln c where c has Poisson's distribution with mean m.
  const auto meanOf = [](double m) {
    if (m > 200) return m * std::log(m) + 0.5 + 1 / (12 * m);
    double probability = std::exp(-m), sum = 0;
    for (int c = 1; c < m + 12 * std::sqrt(m) + 20; ++c) {
      probability *= m / c;
      sum += probability * c * std::log(c);
    }
    return sum;
  };
  constexpr int kHalf = VelocityGrid::kCells / 2;
  double share[kHalf], below = 0, sum = 0;
  for (int i = 0; i < kHalf; ++i) {
    const double to = normalBelow((i + 1) * VelocityGrid::kEdge - VelocityGrid::kExtent);
    share[i] = to - below;
    below = to;
  }
  for (const double x : share) {
    for (const double y : share) sum += 4 * meanOf(discs * x * y);
  }
  return VelocityGrid::hOf(sum, discs);
}

}  // namespace simscope::maxwell_boltzmann
