#include "sims/heat/exact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sims/heat/testing.h"

namespace simscope::heat {
namespace {

using tests::parametersWith;

double valueAt(const Parameters& p, double tau, double x, double y) {
  const ExactLine line = exactLine(p, tau);
  return p.spot_temperature * line.xAt(x) * line.yAt(y);
}

class ExactSolution : public ::testing::TestWithParam<const char*> {};

TEST_P(ExactSolution, SatisfiesTheHeatEquation) {
  const Parameters p = parametersWith({{"initial", GetParam()}, {"grid_points", "256"}, {"spot_temperature", "3"}});
  const double tau = 60, h = 0.05;
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {13.0, -4.0}, {-27.0, 21.0}}) {
    const double middle = valueAt(p, tau, x, y);
    const double rate = (valueAt(p, tau + h, x, y) - valueAt(p, tau - h, x, y)) / (2 * h);
    const double laplacian = (valueAt(p, tau, x + h, y) + valueAt(p, tau, x - h, y) + valueAt(p, tau, x, y + h) +
                              valueAt(p, tau, x, y - h) - 4 * middle) /
                             (h * h);
    EXPECT_NEAR(rate, laplacian, 1e-6) << x << ", " << y;
  }
}

TEST_P(ExactSolution, KeepsItsHeat) {
  const Parameters p = parametersWith({{"initial", GetParam()},
                                       {"grid_points", "512"},
                                       {"spacing", "0.5"},
                                       {"boundary", "periodic"},
                                       {"spot_size", "16"}});
  const auto heat = [&](double tau) {
    const std::vector<double> lines = exactLines(p, tau);
    const auto half = lines.begin() + p.grid_points;
    return std::accumulate(lines.begin(), half, 0.0) * std::accumulate(half, lines.end(), 0.0);
  };
  EXPECT_NEAR(heat(50), heat(0), 1e-9 * heat(0));
}

INSTANTIATE_TEST_SUITE_P(Initial, ExactSolution, ::testing::Values("square", "gaussian", "two_spots", "stripes"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Exact, SquareOfTheDefaultHasItsHeatAndItsCentre) {
  const Parameters p = parametersWith({});
  const std::vector<double> lines = exactLines(p, 0);
  EXPECT_DOUBLE_EQ(std::accumulate(lines.begin(), lines.begin() + p.grid_points, 0.0), 40.0);
  const double one = std::erf(20 / (2 * std::sqrt(50.0)));
  EXPECT_NEAR(exactCentre(p, 50, 1), one * one, 1e-15);
  EXPECT_NEAR(exactCentre(p, 50, 1), 0.9111, 5e-5);
}

TEST(Exact, SquareWithEdgesWithinCellsHasItsHeat) {
  const Parameters p = parametersWith({{"grid_points", "65"}, {"spacing", "0.7"}, {"spot_size", "9.3"}});
  const std::vector<double> lines = exactLines(p, 0);
  EXPECT_NEAR(std::accumulate(lines.begin(), lines.begin() + p.grid_points, 0.0) * p.spacing, 9.3, 1e-12);
}

TEST(Exact, SpotsMustNotReachTheEdgeAtTheStart) {
  const Parameters p = parametersWith({{"grid_points", "256"}, {"initial", "gaussian"}, {"spot_size", "32"}});
  EXPECT_TRUE(exactHolds(p));
  Parameters wide = p;
  wide.spot_size = 120;
  EXPECT_FALSE(exactHolds(wide));
  EXPECT_GT(shareAtEdge(wide), kEdgeShare);
}

TEST(Exact, StripesNeedAnEdgeThatLetsThemBe) {
  EXPECT_TRUE(exactHolds(parametersWith({{"initial", "stripes"}, {"boundary", "periodic"}})));
  EXPECT_TRUE(exactHolds(parametersWith({{"initial", "stripes"}, {"boundary", "insulated"}})));
  EXPECT_FALSE(exactHolds(parametersWith({{"initial", "stripes"}})));
}

TEST(Exact, EdgesAreMetByImages) {
  // Long enough for dozens of images; the walls of the fixed boundary are cells, insulated edges lie beyond them.
  for (const char* initial : {"square", "gaussian", "two_spots"}) {
    for (const double tau : {500.0, 5000.0}) {
      const ExactLine cold =
          exactLine(parametersWith({{"grid_points", "97"}, {"initial", initial}, {"spot_size", "12"}}), tau);
      EXPECT_NEAR(cold.xAt(48), 0, 1e-13);
      EXPECT_NEAR(cold.yAt(-48), 0, 1e-13);
      EXPECT_GT(cold.xAt(0), 1e-12);
      for (const char* boundary : {"insulated", "periodic"}) {
        const ExactLine closed = exactLine(
            parametersWith({{"grid_points", "97"}, {"initial", initial}, {"boundary", boundary}, {"spot_size", "12"}}),
            tau);
        EXPECT_NEAR(closed.xAt(48.5 - 1e-4), closed.xAt(48.5 + 1e-4), 1e-14) << "no flux";
        double heat = 0, start = 0;
        const ExactLine first =
            exactLine(parametersWith({{"grid_points", "97"}, {"initial", initial}, {"spot_size", "12"}}), 0);
        for (int i = 0; i < 97; ++i) heat += closed.x(i), start += first.x(i);
        EXPECT_NEAR(heat, start, 1e-4 * start) << initial << " " << boundary;
      }
    }
  }
}

TEST(Exact, RandomFieldsHaveACentreAloneAndBlankOnesNothing) {
  const Parameters random = parametersWith({{"initial", "random"}}), blank = parametersWith({{"initial", "blank"}});
  EXPECT_FALSE(exactHolds(random));
  EXPECT_FALSE(exactHolds(blank));
  EXPECT_FALSE(std::isnan(exactCentre(random, 0, 1)));
  EXPECT_TRUE(std::isnan(exactCentre(blank, 0, 1)));
}

}  // namespace
}  // namespace simscope::heat
