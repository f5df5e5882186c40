#include "sims/eigenstates/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/compute/test_devices.h"
#include "sims/eigenstates/potential.h"
#include "sims/eigenstates/testing.h"

namespace simscope::eigenstates {
namespace {

using tests::Changes;
using tests::Solution;
using tests::solved;

class ExactOnBackend : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(ExactOnBackend);

struct Known {
  const char* name;
  Changes changes;
  std::size_t levels;  // of them that the box leaves alone
};
const std::vector<Known>& everyKnown() {
  static const std::vector<Known> all = {
      {"box", {{"potential", "box"}, {"length", "10"}}, 12},
      {"oscillator", {{"potential", "harmonic"}, {"omega", "1.3"}, {"length", "18"}}, 12},
      {"finite well", {{"potential", "finite_well"}, {"depth", "9"}, {"width", "4"}, {"length", "16"}}, 5},
      {"Morse", {{"potential", "morse"}, {"length", "24"}, {"depth", "10"}, {"steepness", "0.5"}}, 7},
      {"Pöschl-Teller", {{"potential", "poschl_teller"}, {"lambda", "4.5"}, {"steepness", "1.1"}}, 4},
      {"hydrogen s", {{"potential", "hydrogen"}, {"length", "50"}, {"charge", "1.2"}}, 3},
      {"hydrogen d", {{"potential", "hydrogen"}, {"length", "150"}, {"charge", "1.2"}, {"angular_momentum", "2"}}, 3},
      {"crystal", {{"potential", "kronig_penney"}, {"length", "12"}, {"wells", "6"}, {"barrier", "0.4"}}, 20},
  };
  return all;
}
Changes at(const Changes& changes, int points, const Changes& more = {}) {
  return changes.with({{"grid_points", std::to_string(points)}, {"states", "24"}}).with(more);
}
double worstOf(const Solution& s, std::size_t levels) {
  double worst = 0;
  for (std::size_t n = 0; n < levels; ++n) worst = std::max(worst, std::abs(s.energies[n] - s.exact[n]));
  return worst;
}

TEST_P(ExactOnBackend, LevelsConvergeToTheClosedFormsAsTheSquareOfTheSpacing) {
  for (const Known& each : everyKnown()) {
    SCOPED_TRACE(each.name);
    const Solution coarse = solved(at(each.changes, 1023), device_), fine = solved(at(each.changes, 2047), device_);
    ASSERT_GE(fine.exact.size(), each.levels);
    EXPECT_LT(worstOf(fine, each.levels), 5e-3);
    EXPECT_NEAR(std::log2(worstOf(coarse, each.levels) / worstOf(fine, each.levels)), 2, 0.1);
  }
}

// Every level by itself, so that a large error of one does not hide a wrong one of another.
TEST_P(ExactOnBackend, SmoothPotentialsLevelsAreTooLowByWhatPerturbationTheorySays) {
  for (const std::size_t which : {0u, 1u, 3u, 4u, 6u}) {
    const Known& each = everyKnown()[which];
    SCOPED_TRACE(each.name);
    const Solution s = solved(at(each.changes, 1023), device_);
    for (std::size_t n = 0; n < each.levels; ++n) {
      EXPECT_NEAR((s.exact[n] - s.energies[n]) / s.estimates[n], 1, 0.02) << n;
    }
  }
}

TEST_P(ExactOnBackend, FivePointsConvergeWithTheFourthPowerAndSineWavesAtOnce) {
  const Changes oscillator{{"potential", "harmonic"}, {"length", "18"}, {"states", "12"}, {"method", "dense"}};
  const auto error = [&](const char* basis, const char* points) {
    return worstOf(solved(oscillator.with({{"basis", basis}, {"grid_points", points}}), device_), 8);
  };
  EXPECT_NEAR(std::log2(error("five_point", "127") / error("five_point", "255")), 4, 0.15);
  EXPECT_LT(error("sine", "95"), 1e-11);
  // In the box the walls count, too.
  const auto boxed = [&](const char* points) {
    const Changes changes{{"potential", "box"}, {"length", "3"}, {"method", "dense"}, {"basis", "five_point"}};
    return worstOf(solved(changes.with({{"grid_points", points}}), device_), 4);
  };
  EXPECT_NEAR(std::log2(boxed("64") / boxed("129")), 4, 0.1);
  const Changes box{{"potential", "box"}, {"length", "7"}, {"states", "40"}, {"method", "dense"}, {"basis", "sine"}};
  const Solution s = solved(box.with({{"grid_points", "64"}}), device_);
  for (std::size_t n = 0; n < 40; ++n) EXPECT_NEAR(s.energies[n] / s.exact[n], 1, 1e-12);
}

TEST_P(ExactOnBackend, StatesAreTheClosedFormsToSecondOrder) {
  for (const Known& each : everyKnown()) {
    // The grid's states of the box are the sines themselves.
    if (std::string(each.name) == "crystal" || std::string(each.name) == "box") continue;
    SCOPED_TRACE(each.name);
    const auto worst = [&](int points) {
      double most = 0;
      device_->run([&] {
        Problem problem(device_, tests::parametersWith(at(each.changes, points)));
        problem.solve();
        const std::vector<double> phi = problem.phi().toHost(), exact = problem.exactStates()->phi.toHost();
        for (std::size_t i = 0; i < each.levels * problem.potential().size(); ++i) {
          most = std::max(most, std::abs(phi[i] - exact[i]));
        }
      });
      return most;
    };
    const double coarse = worst(1023), fine = worst(2047);
    EXPECT_LT(fine, 0.01);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
  }
}

TEST(Exact, BoundStatesAreAsManyAsThePotentialHolds) {
  const auto count = [](const Changes& changes) { return exactLevels(tests::parametersWith(changes), 64).size(); };
  EXPECT_EQ(count({{"potential", "morse"}, {"depth", "10"}, {"steepness", "0.5"}}), 9u);
  EXPECT_EQ(count({{"potential", "poschl_teller"}, {"lambda", "4"}}), 4u);
  EXPECT_EQ(count({{"potential", "poschl_teller"}, {"lambda", "4.01"}}), 5u);
  // √(2V₀) a/π = 3.39: four.
  EXPECT_EQ(count({{"potential", "finite_well"}, {"depth", "6.3"}, {"width", "3"}}), 4u);
  EXPECT_EQ(count({{"potential", "harmonic"}, {"tilt", "0.1"}}), 0u);
  EXPECT_EQ(count({{"potential", "double_well"}}), 0u);
}

// In the extended zone level n has the phase (n+1)π/M a cell: Kronig and Penney's relation, independent of the count.
TEST(Exact, CrystalsLevelsFulfilTheDispersionRelation) {
  for (const char* const wells : {"1", "5", "8"}) {
    const Changes changes{{"potential", "kronig_penney"}, {"length", "16"}, {"barrier", "0.5"}, {"depth", "10"}};
    const Parameters p = tests::parametersWith(changes.with({{"wells", wells}}));
    const std::vector<double> levels = exactLevels(p, 40);
    const double period = p.length / p.wells, well = period - p.barrier;
    for (std::size_t n = 0; n < levels.size(); ++n) {
      const double e = levels[n], k = std::sqrt(2 * e), square = 2 * (p.depth - e);
      const double kappa = std::sqrt(std::abs(square));
      const double c = square > 0 ? std::cosh(kappa * p.barrier) : std::cos(kappa * p.barrier);
      const double s = square > 0 ? std::sinh(kappa * p.barrier) : std::sin(kappa * p.barrier);
      const double mixed = (square > 0 ? kappa * kappa - k * k : -kappa * kappa - k * k) / (2 * k * kappa);
      const double cosine = std::cos(k * well) * c + mixed * std::sin(k * well) * s;
      EXPECT_NEAR(cosine, std::cos((static_cast<double>(n) + 1) * std::numbers::pi / p.wells), 1e-8) << wells << n;
    }
  }
}

TEST_P(ExactOnBackend, CrystalsLevelsGatherInBands) {
  const Solution s = solved(
      {{"potential", "kronig_penney"}, {"length", "16"}, {"wells", "8"}, {"states", "24"}, {"grid_points", "2048"}},
      device_);
  for (const std::size_t band : {0u, 1u}) {
    const double wide = s.energies[8 * band + 7] - s.energies[8 * band];
    EXPECT_GT(s.energies[8 * band + 8] - s.energies[8 * band + 7], 1.2 * wide) << "a gap above eight levels";
  }
}

TEST(Exact, PotentialsAreWhatTheParametersSay) {
  const auto valueAt = [](const Changes& changes, double x) {
    const Parameters p = tests::parametersWith(changes.with({{"grid_points", "999"}}));
    const Grid grid = gridOf(p);
    const std::vector<double> v = potentialOn(p, grid).v;
    return v[static_cast<std::size_t>(std::lround((x - grid.left) / grid.h)) - 1];
  };
  EXPECT_NEAR(valueAt({{"omega", "2"}}, 3), 18, 1e-9);
  EXPECT_NEAR(valueAt({{"potential", "double_well"}, {"depth", "6"}, {"width", "4"}}, 0), 6, 1e-9);
  EXPECT_NEAR(valueAt({{"potential", "double_well"}, {"depth", "6"}, {"width", "4"}}, 2), 0, 1e-9);
  EXPECT_NEAR(valueAt({{"potential", "morse"}}, 2), 10 * std::pow(1 - std::exp(-1.0), 2), 1e-9);
  EXPECT_NEAR(valueAt({{"potential", "poschl_teller"}}, 0), -0.125 * 20, 1e-9);
  EXPECT_NEAR(valueAt({{"potential", "hydrogen"}, {"angular_momentum", "2"}, {"charge", "3"}}, 2), -1.5 + 0.75, 1e-9);
  EXPECT_NEAR(valueAt({{"potential", "finite_well"}, {"width", "4"}}, 2), -5, 1e-9) << "half of the cell at the edge";
  EXPECT_NEAR(valueAt({{"potential", "formula"}, {"formula", "x > 1 ? x^3 : 0"}, {"tilt", "2"}}, 4), 72, 1e-9);
  EXPECT_EQ(simscope::tests::refusedParameter([&] {
              valueAt({{"potential", "formula"}, {"formula", "y"}}, 1);
            }),
            "formula");
  EXPECT_EQ(simscope::tests::refusedParameter([&] {
              valueAt({{"potential", "formula"}, {"formula", "1/x"}}, 1);
            }),
            "formula");
}

// Typed, at walls between the points, and compared with the well's own levels: the error is that of three points,
// (kh)²/12 of the kinetic energy, from a shallow well to a wall of 10⁶, where means over cells are wrong by up to seven
// per cent.
TEST_P(ExactOnBackend, TypedWellsOfAnyDepthHaveTheErrorOfTheirStencil) {
  for (const double depth : {5.0, 23.0, 400.0, 1e4, 1e6}) {
    for (int i = 0; i < 5; ++i) {
      const double half = 1.6 + 0.0061 * i;
      const std::string text = "abs(x)<" + toText(half) + " ? " + toText(-depth) + " : 0";
      const Solution s = solved(
          {{"potential", "formula"}, {"formula", text}, {"length", "16"}, {"grid_points", "511"}, {"states", "3"}},
          device_);
      Parameters well = s.p;
      well.potential = Potential::FiniteWell;
      well.depth = depth;
      well.width = 2 * half;
      const std::vector<double> levels = exactLevels(well, 3);
      ASSERT_GE(levels.size(), 3u);
      EXPECT_TRUE(std::equal(s.v.begin(), s.v.end(), s.v.rbegin())) << "symmetric to the bit";
      for (std::size_t n = 0; n < 3; ++n) {
        const double kinetic = levels[n] + depth;
        // Of walls so high the rounding counts.
        EXPECT_NEAR(s.energies[n], levels[n], kinetic * (2 * kinetic * s.grid.h * s.grid.h / 12 + 5e-4)) << text << n;
      }
    }
  }
}

// Of width 0.001 and depth 1000; κ tan κa = k. Between two points, where the mean is shared, the level is off by h/2.
TEST_P(ExactOnBackend, AWellThinnerThanAStepHasItsLevelWhereverItStands) {
  for (const char* points : {"1023", "1024", "8191", "8192"}) {
    for (const char* text : {"abs(x)<0.0005 ? -1000 : 0", "abs(x-0.003)<0.0005 ? -1000 : 0"}) {
      const Solution s = solved(
          {{"potential", "formula"}, {"formula", text}, {"length", "20"}, {"grid_points", points}, {"states", "2"}},
          device_);
      EXPECT_NEAR(s.energies[0], -0.49967, 0.6 * s.grid.h) << text << points;
      if (std::string(points).back() == '3' && text[5] == ')') EXPECT_NEAR(s.energies[0], -0.49967, 5e-4);
    }
  }
}

TEST_P(ExactOnBackend, ATypedWellIsTheNamedOne) {
  const Changes grid{{"length", "20"}, {"grid_points", "1024"}};
  const Solution typed = solved(grid.with({{"potential", "formula"}, {"formula", "abs(x)<1.65 ? -23 : 0"}}), device_);
  const Solution named = solved(grid.with({{"potential", "finite_well"}, {"depth", "23"}, {"width", "3.3"}}), device_);
  for (std::size_t n = 0; n < 7; ++n) {
    EXPECT_NEAR(typed.energies[n], named.energies[n], 1e-5) << n;
    const double kinetic = named.exact[n] + 23;
    EXPECT_NEAR(typed.energies[n], named.exact[n], 1.1 * kinetic * kinetic * named.grid.h * named.grid.h / 6) << n;
  }
}

// A barrier within one cell of its points counts by its mean: at first order only its area matters.
TEST_P(ExactOnBackend, TypedBarriersThinnerThanAStepCountWithTheirArea) {
  const auto level = [&](double edge) {
    const std::string text = "abs(x-" + toText(edge) + ")<0.012 ? 0.3 : 0";
    return solved(
               {{"potential", "formula"}, {"formula", text}, {"length", "4"}, {"grid_points", "99"}, {"states", "2"}},
               device_)
        .energies[0];
  };
  // |φ|² is 2/L cos²(πx/L).
  const double pi = std::numbers::pi, box = pi * pi / 32;
  for (const double edge : {0.0, 0.005, -0.007, 0.4, 0.805}) {
    const double share = 0.5 * std::pow(std::cos(pi * edge / 4), 2);
    EXPECT_NEAR((level(edge) - box) / (0.3 * 0.024 * share), 1, 0.02) << edge;
  }
}

}  // namespace
}  // namespace simscope::eigenstates
