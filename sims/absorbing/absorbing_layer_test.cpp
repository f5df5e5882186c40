#include "sims/absorbing/absorbing_layer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace simscope::absorbing {
namespace {

// ψ'' = -(k² + 2iW)ψ by RK4 through both layers: nothing in common with slices.
Missed integrated(const Layer& layer, double k) {
  using C = std::complex<double>;
  const auto rate = [&](double x) { return layer.rateAt(x < layer.width ? x : 2 * layer.width - x); };
  const int steps = 8000;
  const double h = -2 * layer.width / steps;
  C psi = 1, slope(0, k);
  double flux = 0;
  const auto bend = [&](double x, C z) { return -C(k * k, 2 * rate(x)) * z; };
  for (int i = 0; i < steps; ++i) {
    const double x = 2 * layer.width + i * h;
    const C a1 = slope, b1 = bend(x, psi);
    const C a2 = slope + 0.5 * h * b1, b2 = bend(x + 0.5 * h, psi + 0.5 * h * a1);
    const C a3 = slope + 0.5 * h * b2, b3 = bend(x + 0.5 * h, psi + 0.5 * h * a2);
    const C a4 = slope + h * b3, b4 = bend(x + h, psi + h * a3);
    psi += h / 6 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    slope += h / 6 * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
    if (i + 1 == steps / 2) flux = std::imag(std::conj(psi) * slope);
  }
  const double along = std::norm(0.5 * (psi + slope / C(0, k)));
  return {std::norm(0.5 * (psi - slope / C(0, k))) / along, flux / (k * along)};
}

TEST(AbsorbingLayer, MissesWhatAnIndependentIntegrationSays) {
  for (const double width : {2.0, 5.0, 12.5}) {
    for (const double k : {0.3, 0.8, 2.0}) {
      const Layer layer{width, 0.8};
      const Missed found = missedBy(layer, k), expected = integrated(layer, k);
      EXPECT_NEAR(found.reflected, expected.reflected, 5e-3 * expected.reflected + 1e-8) << width << ", " << k;
      EXPECT_NEAR(found.passed, expected.passed, 5e-3 * expected.passed + 1e-12) << width << ", " << k;
    }
  }
}

TEST(AbsorbingLayer, MissesAsLittleAsItsPageSays) {
  const auto missed = [](double u) {
    const Layer layer{u, 1};
    return (missedBy(layer, 0.8).sum() + missedBy(layer, 1.0).sum() + missedBy(layer, 1.25).sum()) / 3;
  };
  EXPECT_LT(missed(3), 5e-2);
  EXPECT_LT(missed(4), 1.2e-2);
  EXPECT_LT(missed(6), 1.5e-3);
  EXPECT_LT(missed(10), 1.5e-4);
  EXPECT_LT(missed(20), 2e-6);
  for (double u = 1; u < 20; u *= 1.1) EXPECT_LT(missed(2 * u), missed(u)) << "u = " << u;
}

TEST(AbsorbingLayer, ALongLayerTakesTheWholeWaveAndAStandingOneIsReflected) {
  const Layer layer{250, 2};
  EXPECT_EQ(missedBy(layer, 2).reflected, 0);
  EXPECT_NEAR(missedBy(layer, 8).passed, std::exp(-30 * 2 / 8.0), 1e-3 * std::exp(-7.5)) << "a wave four times as fast";
  EXPECT_EQ(missedBy(layer, 0).sum(), 1);
  EXPECT_NEAR(missedBy({250, 2}, 1.59).passed, missedBy({250, 2}, 1.61).passed, 1e-10) << "where the methods meet";
}

TEST(AbsorbingLayer, AGaussiansWavesHaveItsMoments) {
  double sum = 0, mean = 0, square = 0, fourth = 0;
  for (const Wave& wave : wavesOf(2, 0.5)) {
    sum += wave.share;
    mean += wave.share * wave.k;
    square += wave.share * std::pow(wave.k - 2, 2);
    fourth += wave.share * std::pow(wave.k - 2, 4);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(mean, 2, 1e-12);
  EXPECT_NEAR(square, 0.25, 0.004);
  EXPECT_NEAR(fourth, 3 * 0.0625, 0.015);
}

}  // namespace
}  // namespace simscope::absorbing
