// Spectra of bars in closed form, and the patterns that follow from them.
#include "sims/diffraction/straight.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using tests::Changes;
using tests::parametersWith;
using tests::Session;

constexpr int kN = 64;
const std::vector<Changes>& straightShapes() {
  static const std::vector<Changes> all = {
      {{"aperture", "square"}, {"aperture_radius", "0.2337"}},
      {{"aperture", "slit"}, {"slit_width", "0.1731"}},
      {{"aperture", "double_slit"}, {"slit_width", "0.1031"}},
      {{"aperture", "double_slit"}, {"slit_width", "0.3"}},                                           // they overlap
      {{"aperture", "grating"}, {"slits", "9"}, {"slit_separation", "0.3"}, {"slit_width", "0.11"}},  // clipped
      {{"aperture", "letter"}, {"aperture_radius", "0.317"}},
  };
  return all;
}

TEST(Straight, CellsOfTheShapeAreTheMeansOfItsBars) {
  for (const Changes& changes : straightShapes()) {
    const Shape shape = shapeOf(parametersWith(changes.with({{"grid_points", std::to_string(kN)}})));
    const std::vector<Bars> bars = barsOf(shape);
    ASSERT_FALSE(bars.empty()) << changes[0].second;
    for (int row = 0; row < kN; ++row) {
      for (int column = 0; column < kN; ++column) {
        double open = 0;
        for (const Bars& each : bars) {
          double x = 0, y = 0;
          for (const Interval& along : each.x) x += overlap(column - kN / 2, along.low, along.high);
          for (const Interval& along : each.y) y += overlap(row - kN / 2, along.low, along.high);
          open += x * y;
        }
        ASSERT_NEAR(open, static_cast<double>(shape.at(column, row)), 1e-6) << changes[0].second;
      }
    }
  }
  EXPECT_TRUE(barsOf(shapeOf(parametersWith({{"aperture", "circle"}}))).empty());
}

// The transform by cells of ever finer cells is the closed form.
TEST(Straight, SpectraAreThoseOfEverFinerCells) {
  constexpr int kFiner = 8, kSide = 2 * kN;
  for (const Changes& changes : straightShapes()) {
    const Shape shape = shapeOf(parametersWith(changes.with({{"grid_points", std::to_string(kN)}})));
    const std::vector<Bars> bars = barsOf(shape);
    const std::vector<compute::Complex<float>> factors = factorsOf(bars, kN, kSide);
    const StraightSpectrum spectrum{factors.data(), static_cast<int>(bars.size()), kSide};
    const Shape fine = shapeOf(parametersWith(changes.with({{"grid_points", std::to_string(kN * kFiner)}})));
    const int frequencies[][2] = {{0, 0}, {1, 0}, {0, 3}, {kN - 1, 5}, {kSide - 7, kN - 2}, {kSide - 20, kSide - 17}};
    for (const auto& [k, l] : frequencies) {
      compute::Complex<double> sum{0, 0};
      const auto signedOf = [&](int at) { return static_cast<double>(at <= kN ? at : at - kSide) / kSide; };
      for (int row = 0; row < fine.n; ++row) {
        for (int column = 0; column < fine.n; ++column) {
          const auto t = static_cast<double>(fine.at(column, row));
          if (t == 0) continue;
          const double x = (column - fine.n / 2) / static_cast<double>(kFiner) + kN / 2;
          const double y = (row - fine.n / 2) / static_cast<double>(kFiner) + kN / 2;
          const double angle = -2 * std::numbers::pi * (signedOf(k) * x + signedOf(l) * y);
          sum = sum + compute::Complex<double>{t * std::cos(angle), t * std::sin(angle)};
        }
      }
      const compute::Complex<float> closed = spectrum(k, l);
      const double scale = 1.0 / (kFiner * kFiner), whole = static_cast<double>(spectrum(0, 0).re);
      EXPECT_NEAR(static_cast<double>(closed.re), scale * sum.re, 1e-3 * whole) << changes[0].second << k << ',' << l;
      EXPECT_NEAR(static_cast<double>(closed.im), scale * sum.im, 1e-3 * whole) << changes[0].second << k << ',' << l;
    }
  }
}

// ∫ sinc²(f w) w df over |f| ≤ ½, by Simpson's rule.
double shareWithinTheBand(double width) {
  constexpr int kParts = 4096;
  double sum = 0;
  for (int i = 0; i <= kParts; ++i) {
    const double f = static_cast<double>(i) / kParts - 0.5, under = std::numbers::pi * f * width;
    const double value = under == 0 ? 1 : std::sin(under) / under;
    sum += (i == 0 || i == kParts ? 1 : i % 2 == 1 ? 4 : 2) * value * value;
  }
  return width * sum / (3 * kParts);
}

TEST(Straight, NearFieldsHaveThePowerOfTheWavesThatTheCellsHold) {
  for (const int n : {128, 512}) {
    for (const double width : {0.04, 0.0731, 0.1}) {
      const Changes common{{"grid_points", std::to_string(n)},
                           {"slit_width", std::to_string(width)},
                           {"propagation", "angular_spectrum"},
                           {"distance", "1e-4"}};
      const double expected = shareWithinTheBand(width * n / 2) * shareWithinTheBand(0.25 * n) - 1;
      for (const char* const aperture : {"slit", "double_slit"}) {
        Session run(common.with({{"aperture", aperture}}));
        EXPECT_NEAR(run.diagnostic(kTotalPowerError), expected, 1.5e-3) << aperture << ' ' << width << ' ' << n;
      }
    }
  }
}

TEST(Straight, NoShapeMakesLightInTheAngularSpectrum) {
  for (const char* const aperture : {"circle", "square", "slit", "double_slit", "grating", "hexagon", "annulus",
                                     "telescope", "zone_plate", "letter"}) {
    for (const char* const radius : {"0.06", "0.11", "0.25"}) {
      Session run({{"aperture", aperture},
                   {"aperture_radius", radius},
                   {"zones", "4"},
                   {"grid_points", "128"},
                   {"propagation", "angular_spectrum"},
                   {"distance", "1e-4"}});
      EXPECT_LT(run.diagnostic(kTotalPowerError), 0) << aperture << ' ' << radius;
    }
  }
}

}  // namespace
}  // namespace simscope::diffraction
