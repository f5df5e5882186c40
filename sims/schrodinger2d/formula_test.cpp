#include "sims/schrodinger2d/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using ::testing::HasSubstr;
using tests::psiOf;
using tests::refusal;
using tests::relativeDifference;
using tests::small;
using tests::start;
using tests::with;

Grid gridOver(int points, double length) {
  return {points, length, length / points};
}

TEST(Formula, IsEvaluatedAtEveryPoint) {
  const Grid grid = gridOver(64, 8);
  const std::vector<double> v = formulaPotential<double>("m*sin(pi*x)*exp(-y^2)/hbar^2", grid);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double x = grid.x(grid.column(i)), y = grid.x(grid.row(i));
    ASSERT_NEAR(v[i], std::sin(kPi * x) * std::exp(-y * y), 1e-12);
  }
  EXPECT_EQ(formulaPotential<float>("2.5", grid), std::vector<float>(grid.size(), 2.5f));
}

// Whatever the grid, and wherever on it the wall lies.
TEST(Formula, WallsAreTheNamedOnesOnAnyGrid) {
  for (const char* const width : {"0.6", "0.7", "0.74", "1.234"}) {
    const Parameters named = tests::parametersWith({{"potential", "barrier"},
                                                    {"barrier_width", width},
                                                    {"barrier_height", "4"},
                                                    {"grid_points", "64"},
                                                    {"domain_length", "20"}});
    const Grid grid = gridOf(named);
    TableNotes notes;
    const std::vector<double> v = formulaPotential<double>("abs(x) < 0.5*" + std::string(width) + " ? 4 : 0", grid,
                                                           compute::wholeSlab(grid.points), nullptr, &notes);
    EXPECT_TRUE(notes.jumps);
    for (std::size_t i = 0; i < v.size(); ++i) {
      ASSERT_NEAR(v[i], potentialAt(named, grid.x(grid.column(i)), grid.x(grid.row(i))), 4e-3) << width;
    }
  }
}

TEST(Formula, SlantedWallKeepsItsVolume) {
  const Grid grid = gridOver(64, 16);
  const std::vector<double> v = formulaPotential<double>("abs(x + 0.4*y) < 0.77 && abs(y) < 5.03 ? 10 : 0", grid);
  double sum = 0;
  for (const double each : v) sum += each * grid.dx * grid.dx;
  EXPECT_NEAR(sum, 10 * 1.54 * 10.06, 0.1);
}

// Half-widths between two samples were all the same wall.
TEST(Formula, WallLetsAsMuchThroughAsTheNamedOne) {
  const ParameterSet common = small({{"momentum_x", "3"},
                                     {"momentum_y", "0"},
                                     {"packet_y", "0"},
                                     {"grid_points", "64"},
                                     {"time_step", "0.02"},
                                     {"packet_x", "-4"}});
  double last = 1;
  for (const char* const half : {"0.35", "0.38", "0.42"}) {
    const std::string width = std::to_string(2 * std::stod(half));
    Stepper named = start(with({{"potential", "barrier"}, {"barrier_height", "4"}, {"barrier_width", width}}, common));
    Stepper typed =
        start(with({{"potential", "formula"}, {"formula", "abs(x) < " + std::string(half) + " ? 4 : 0"}}, common));
    named.step(130);
    typed.step(130);
    EXPECT_LT(relativeDifference(psiOf(typed.save()), psiOf(named.save())), 0.01) << half;
    const double transmitted = typed.diagnostics()[kTransmitted];
    EXPECT_LT(transmitted, last - 0.02);
    last = transmitted;
  }
}

TEST(Formula, WallsBetweenThePointsCountWithTheirMeanAndAreTold) {
  const Grid grid = gridOver(64, 8);
  for (const char* const wall : {"abs(x-0.27)<0.01 ? 4 : 0", "y > 0.26 && y < 0.28 ? 4 : 0"}) {
    TableNotes notes;
    const auto v = formulaPotential<double>(wall, grid, compute::wholeSlab(grid.points), nullptr, &notes);
    double sum = 0;
    for (const double each : v) sum += each * grid.dx * grid.dx;
    EXPECT_NEAR(sum, 4 * 0.02 * 8, 1e-3) << wall;
    EXPECT_NEAR(notes.narrowest, 0.02, 1e-4) << wall;
  }
}

struct Fault {
  const char* formula;
  const char* column;
  const char* what;
};

TEST(Formula, FaultIsNamedWithItsColumnAndWhatWasExpected) {
  const Fault faults[] = {
      {"x^^2", "column 3", "expected a number"},
      {"2*z", "column 3", "expected a number, an operator, or one of x, y, pi"},
      {"x + sine(y)", "column 5", "did you mean 'sin'"},
      {"sqrt x", "column 1", "parentheses"},
      {"sin(x", "column 6", "expected ')'"},
      {"(x+1))", "column 6", "unexpected ')'"},
      {"x y", "column 3", "expected an operator"},
      {"1/2x", "column 4", "this product"},
      {"x+", "column 3", "ends too early"},
      {"", "column 1", "empty"},
      {"   ", "column", "empty"},
      {"x, y", "column 2", "expected one value"},
      {"x = 3", "column 3", "=="},
      {"sin(x, y)", "column", "too many arguments"},
      {"atan2(x)", "column", "too few arguments"},
      {"x > 0 ? 1", "column", "':'"},
      {"\"wall\"", "column", "expected a number"},
      {"ω*x", "column 1", "no meaning"},
      {"y + ψ*2", "column 5", "no meaning"},
      {"rnd()", "column 1", "not known"},
  };
  for (const Fault& each : faults) {
    const std::string message = refusal([&] { formulaPotential<double>(each.formula, gridOver(64, 8)); });
    EXPECT_THAT(message, HasSubstr("formula")) << each.formula;
    EXPECT_THAT(message, HasSubstr(each.column)) << each.formula;
    EXPECT_THAT(message, HasSubstr(each.what)) << each.formula;
  }
}

TEST(Formula, PointWithoutAFiniteValueIsNamed) {
  const std::string pole = refusal([] { formulaPotential<double>("1/(x^2 + y^2)", gridOver(64, 8)); });
  EXPECT_THAT(pole, HasSubstr("x = 0, y = 0"));
  EXPECT_THAT(refusal([] { formulaPotential<double>("sqrt(y)", gridOver(64, 8)); }), HasSubstr("y = -4"));
  // What double holds need not fit into single precision.
  EXPECT_THAT(refusal([] { formulaPotential<float>("1e39*(x > 3.05)", gridOver(64, 8)); }), HasSubstr("x = 3.125"));
  EXPECT_EQ(refusal([] { formulaPotential<double>("1e39*(x > 3)", gridOver(64, 8)); }), "");
}

TEST(Formula, EndlessTextsAreRefused) {
  EXPECT_NE(refusal([] { formulaPotential<double>(std::string(5000, '1'), gridOver(64, 8)); }), "");
  EXPECT_NE(refusal([] { formulaPotential<double>(std::string(4000, '('), gridOver(64, 8)); }), "");
}

TEST(Formula, RunWithAFormulaIsTheRunWithItsPotential) {
  Stepper typed = start(small({{"potential", "formula"}, {"formula", "0.5*0.8^2*(x^2 + y^2)"}}));
  Stepper built_in = start(small({{"potential", "harmonic"}, {"omega", "0.8"}}));
  typed.step(50);
  built_in.step(50);
  EXPECT_LT(relativeDifference(psiOf(typed.save()), psiOf(built_in.save())), 1e-12);
}

TEST(Formula, FaultyFormulaLeavesTheFormerPotential) {
  const ParameterSet sound = small({{"potential", "formula"}, {"formula", "x^2"}});
  Stepper run = start(sound), untouched = start(sound);
  run.step(5);
  for (const char* bad : {"x^", "1/x", "foo"}) {
    EXPECT_EQ(tests::refusedParameter([&] { run.configure(with({{"formula", bad}}, sound)); }), "formula");
    EXPECT_EQ(run.simulation().parameters(), sound);
  }
  run.step(5);
  untouched.step(5);
  untouched.step(5);
  EXPECT_EQ(relativeDifference(psiOf(run.save()), psiOf(untouched.save())), 0);
  // A formula that is not in use may be anything; it is read when it is chosen.
  Stepper other = start(small({{"formula", "nonsense"}}));
  EXPECT_THROW(other.configure(with({{"potential", "formula"}}, other.simulation().parameters())), UsageError);
}

}  // namespace
}  // namespace simscope::schrodinger2d
