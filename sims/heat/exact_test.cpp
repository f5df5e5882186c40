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
  EXPECT_NEAR(exactCentre(p, 50), one * one, 1e-15);
  EXPECT_NEAR(exactCentre(p, 50), 0.9111, 5e-5);
}

TEST(Exact, SquareWithEdgesWithinCellsHasItsHeat) {
  const Parameters p = parametersWith({{"grid_points", "65"}, {"spacing", "0.7"}, {"spot_size", "9.3"}});
  const std::vector<double> lines = exactLines(p, 0);
  EXPECT_NEAR(std::accumulate(lines.begin(), lines.begin() + p.grid_points, 0.0) * p.spacing, 9.3, 1e-12);
}

TEST(Exact, HoldsUntilTheEdgeIsReached) {
  const Parameters p = parametersWith({{"grid_points", "256"}, {"initial", "gaussian"}, {"spot_size", "32"}});
  EXPECT_TRUE(exactHolds(p, 0));
  EXPECT_FALSE(exactHolds(p, 4000));
  EXPECT_GT(shareAtEdge(p, 4000), kEdgeShare);
}

TEST(Exact, StripesNeedAnEdgeThatLetsThemBe) {
  EXPECT_TRUE(exactHolds(parametersWith({{"initial", "stripes"}, {"boundary", "periodic"}}), 1e9));
  EXPECT_TRUE(exactHolds(parametersWith({{"initial", "stripes"}, {"boundary", "insulated"}}), 1e9));
  EXPECT_FALSE(exactHolds(parametersWith({{"initial", "stripes"}}), 0));
}

TEST(Exact, RandomAndBlankFieldsHaveNone) {
  for (const char* initial : {"random", "blank"}) {
    const Parameters p = parametersWith({{"initial", initial}});
    EXPECT_FALSE(exactHolds(p, 0));
    EXPECT_TRUE(std::isnan(exactCentre(p, 0)));
  }
}

}  // namespace
}  // namespace simscope::heat
