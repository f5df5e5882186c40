#include "sims/eigenstates2d/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/eigenstates2d/potential.h"
#include "sims/eigenstates2d/testing.h"

namespace simscope::eigenstates2d {
namespace {

using tests::parametersWith;

TEST(Exact, CircleHasTheTabulatedZerosOfBesselFunctions) {
  const Parameters p = parametersWith({{"potential", "circle"}, {"radius", "2"}, {"length", "5"}});
  const std::vector<double> levels = exactLevels(p, 15);
  // Abramowitz and Stegun, table 9.5: j_{0,1}, j_{1,1} twice, j_{2,1} twice, j_{0,2}, j_{3,1} twice, j_{1,2} twice, ...
  const double zeros[] = {2.4048255577, 3.8317059702, 3.8317059702, 5.1356223018, 5.1356223018,
                          5.5200781103, 6.3801618959, 6.3801618959, 7.0155866698, 7.0155866698,
                          7.5883424345, 7.5883424345, 8.4172441404, 8.4172441404, 8.6537279129};
  for (std::size_t n = 0; n < 15; ++n) EXPECT_NEAR(std::sqrt(2 * levels[n]) * 2, zeros[n], 1e-9) << n;
}

TEST(Exact, AnnulusHasTheTabulatedZeroOfCrossProducts) {
  const Parameters p = parametersWith({{"potential", "annulus"}, {"radius", "2"}, {"hole", "0.5"}, {"length", "5"}});
  // Table 9.7: (λ - 1) x = 3.1230 is the first zero of J₀(x)Y₀(λx) - Y₀(x)J₀(λx) for λ = 2; here r = 1.
  EXPECT_NEAR(std::sqrt(2 * exactLevels(p, 1)[0]), 3.1230, 5e-5);
  // A small hole is felt by s waves alone, and by the logarithm.
  const Parameters hole =
      parametersWith({{"potential", "annulus"}, {"radius", "2"}, {"hole", "0.02"}, {"length", "5"}});
  EXPECT_NEAR(std::sqrt(2 * exactLevels(hole, 3)[1]) * 2, 3.8317, 0.02);
}

TEST(Exact, LevelsAreOftenAsTheyAreDegenerate) {
  const std::vector<double> shells = exactLevels(parametersWith({{"potential", "harmonic"}}), 15);
  for (int shell = 0, n = 0; shell < 5; ++shell) {
    for (int i = 0; i <= shell; ++i) EXPECT_DOUBLE_EQ(shells[static_cast<std::size_t>(n++)], shell + 1.0);
  }
  const std::vector<double> box = exactLevels(parametersWith({{"potential", "box"}, {"length", "2"}}), 4);
  const double unit = std::numbers::pi * std::numbers::pi / 8;
  EXPECT_NEAR(box[0], 2 * unit, 1e-12);
  EXPECT_NEAR(box[1], 5 * unit, 1e-12);
  EXPECT_EQ(box[1], box[2]);
  EXPECT_NEAR(box[3], 8 * unit, 1e-12);
}

// A level that is missed, or found twice, moves all that follow by one.
TEST(Exact, CountsOfLevelsFollowWeylsLaw) {
  for (const char* potential : {"circle", "annulus", "box"}) {
    const Parameters p = parametersWith({{"potential", potential}, {"hole", "0.4"}});
    const std::vector<double> levels = exactLevels(p, 600);
    ASSERT_EQ(levels.size(), 600u);
    EXPECT_TRUE(std::is_sorted(levels.begin(), levels.end()));
    double mean = 0;
    for (std::size_t n = 300; n < 600; ++n) mean += (static_cast<double>(n) + 0.5 - weylCount(p, levels[n])) / 300;
    EXPECT_NEAR(mean, 0, 0.5) << potential;
  }
}

TEST(Exact, ShapesThatDoNotFitAreShrunk) {
  const Parameters p =
      parametersWith({{"potential", "stadium"}, {"radius", "100"}, {"straight", "1"}, {"length", "8"}});
  EXPECT_DOUBLE_EQ(radiusOf(p), 2);
  EXPECT_TRUE(insideOf(p, 3.99, 0) && insideOf(p, 0, 1.99));
  EXPECT_FALSE(insideOf(p, 4.01, 0) || insideOf(p, 0, 2.01));
}

}  // namespace
}  // namespace simscope::eigenstates2d
