#include "sims/maxwell_boltzmann/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sims/compute/random/random.h"
#include "sims/maxwell_boltzmann/counts.h"

namespace simscope::maxwell_boltzmann {
namespace {

// By the midpoint rule.
template <class F>
double integral(double from, double to, const F& f) {
  constexpr int kSteps = 40000;
  const double h = (to - from) / kSteps;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) sum += f(from + (i + 0.5) * h) * h;
  return sum;
}

TEST(MaxwellExact, DistributionsAreNormalisedAndHaveTheirMoments) {
  for (const int dimensions : {2, 3}) {
    constexpr double kSigma = 300;
    const SpeedDistribution d(dimensions, kSigma);
    const auto moment = [&](int power) {
      return integral(0, 12 * kSigma, [&](double v) { return std::pow(v, power) * d.density(v); });
    };
    EXPECT_NEAR(moment(0), 1, 1e-8);
    EXPECT_NEAR(moment(1) / d.mean(), 1, 1e-8);
    EXPECT_NEAR(moment(2) / (dimensions * kSigma * kSigma), 1, 1e-8) << "equipartition";
    EXPECT_NEAR(d.rootMeanSquare(), std::sqrt(moment(2)), 1e-5);
    EXPECT_NEAR(d.deviation(), std::sqrt(moment(2) - moment(1) * moment(1)), 1e-5);
    for (const double v : {50.0, 300.0, 700.0}) {
      EXPECT_NEAR(d.below(v), integral(0, v, [&](double u) { return d.density(u); }), 1e-8);
    }
    const double top = d.mostProbable();
    EXPECT_GT(d.density(top), d.density(top * 1.001));
    EXPECT_GT(d.density(top), d.density(top * 0.999));
  }
}

TEST(MaxwellExact, NitrogenAtRoomTemperatureHasTheTextbooksSpeeds) {
  const Parameters p;
  const SpeedDistribution d(3, p.sigma());
  EXPECT_NEAR(d.mostProbable(), 422.1, 0.1);
  EXPECT_NEAR(d.mean(), 476.3, 0.1);
  EXPECT_NEAR(d.rootMeanSquare(), 516.9, 0.1);
}

// B2 = πσ²/2 and B3 = 0.782 B2², in units where η = ρπσ²/4: Z = 1 + 2η + 3.128 η²; and molecular dynamics at higher
// densities (Erpenbeck and Luban 1985, Z at A/A0 = 5, 3, 2).
TEST(MaxwellExact, HendersonsPressureHasTheVirialCoefficientsAndTheSimulatedValues) {
  constexpr double kSmall = 1e-3;
  const double second = (compressibility(kSmall) - compressibility(-kSmall)) / (2 * kSmall);
  EXPECT_NEAR(second, 2, 1e-4);
  const double third = (compressibility(kSmall) + compressibility(-kSmall) - 2) / (2 * kSmall * kSmall);
  EXPECT_NEAR(third, 3.128, 0.005);
  const double closest = 3.14159265358979 / (2 * std::sqrt(3.0));
  EXPECT_NEAR(compressibility(closest / 5), 1.498, 0.003);
  EXPECT_NEAR(compressibility(closest / 3), 2.077, 0.006);
  EXPECT_NEAR(compressibility(closest / 2), 3.424, 0.012);
  for (const double eta : {0.1, 0.4, 0.65}) EXPECT_NEAR(compressibility(eta), 1 + 2 * eta * contactValue(eta), 1e-12);
}

// Of few discs, walls take a strip of half a diameter from the area that centres can be in, and that is all.
TEST(MaxwellExact, WallsLeaveThinGasesTheAreaOfTheCentres) {
  Parameters p{.model = Model::Discs, .molecules = 100};
  p.packing = 0.001;
  const double length = p.boxLength(), centres = length - p.diameter;
  EXPECT_NEAR(bulkPacking(p) / p.packing, length * length / (centres * centres), 3e-4);
  EXPECT_NEAR(bulkPacking(p) / p.packing - 1, 2 * p.diameter / length, 1e-3);
  p.boundary = Boundary::Periodic;
  EXPECT_EQ(bulkPacking(p), p.packing);
}

TEST(MaxwellExact, HInEquilibriumIsThatOfGaussButForTheWidthOfTheSquares) {
  const double gauss = -1 - std::log(2 * 3.14159265358979);
  EXPECT_NEAR(equilibriumH(1e9), gauss, 0.02);
  // To second order squares make a Gaussian wider by their variance.
  const double wider = 1 + VelocityGrid::kEdge * VelocityGrid::kEdge / 12;
  EXPECT_NEAR(equilibriumH(1e9), gauss - std::log(wider), 3e-4);
}

TEST(MaxwellExact, HOfFewDiscsIsExpectedAsDrawnNumbersHaveIt) {
  for (const int discs : {500, 4000}) {
    constexpr int kTries = 60;
    double sum = 0, square = 0;
    for (std::uint64_t seed = 1; seed <= kTries; ++seed) {
      std::vector<int> counts(VelocityGrid::kCells * VelocityGrid::kCells);
      for (int i = 0; i < discs; ++i) {
        const compute::Normal4 normal = compute::normal4(seed, 9, static_cast<std::uint64_t>(i));
        const auto column = [](double z) {
          return std::clamp(static_cast<int>((z + VelocityGrid::kExtent) / VelocityGrid::kEdge), 0,
                            VelocityGrid::kCells - 1);
        };
        ++counts[static_cast<std::size_t>(column(normal.z[0]) * VelocityGrid::kCells + column(normal.z[1]))];
      }
      double logs = 0;
      for (const int count : counts) logs += count > 1 ? count * std::log(count) : 0;
      const double h = VelocityGrid::hOf(logs, discs);
      sum += h;
      square += h * h;
    }
    const double mean = sum / kTries, error = std::sqrt((square / kTries - mean * mean) / kTries);
    EXPECT_NEAR(mean, equilibriumH(discs), 4 * error) << discs;
    EXPECT_LT(error, 0.01);
  }
}

TEST(MaxwellExact, TheTopOfAHistogramIsFoundBetweenItsBins) {
  for (const int dimensions : {2, 3}) {
    const SpeedDistribution d(dimensions, 298.4);
    std::vector<std::uint64_t> counts(kHistograms * kPlaces);
    for (int i = 0; i < kMostBins; ++i) {
      const double share = d.below(12.5 * (i + 1)) - d.below(12.5 * i);
      counts[static_cast<std::size_t>(kSpeeds * kPlaces + 1 + i)] = static_cast<std::uint64_t>(1e12 * share);
    }
    counts.back() = static_cast<std::uint64_t>(1e12 * (1 - d.below(1600)));
    const Histogram histogram(counts, kSpeeds, kMostBins, 0, 1600);
    EXPECT_NEAR(histogram.top() / d.mostProbable(), 1, 2e-3);
    EXPECT_LT(histogram.distance([&](double v) { return d.below(v); }), 1e-6);
    EXPECT_GT(histogram.distance([&](double v) { return d.below(1.05 * v); }), 0.02);
  }
}

}  // namespace
}  // namespace simscope::maxwell_boltzmann
