#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sims/compute/test_devices.h"
#include "sims/eigenstates2d/testing.h"

namespace simscope::eigenstates2d {
namespace {

using tests::Changes;
using tests::diagnostic;
using tests::runOf;

class PlaneStatesOnBackend : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(PlaneStatesOnBackend);

const Changes kSmall{{"potential", "harmonic"}, {"grid_points", "64"}, {"length", "13"}, {"states", "12"}};

TEST_P(PlaneStatesOnBackend, StatesConvergeAndComeToRest) {
  Stepper run = runOf(kSmall, device_);
  EXPECT_GT(diagnostic(run, "residual"), 1);
  EXPECT_LT(diagnostic(run, "orthonormality"), 1e-11);
  run.step(30);
  EXPECT_LT(diagnostic(run, "residual"), 1e-8);
  EXPECT_EQ(diagnostic(run, "converged"), 12);
  EXPECT_LT(diagnostic(run, "levels_error"), 3e-3);
  EXPECT_EQ(diagnostic(run, "degeneracy"), 3) << "state 5 is of the third shell";
  const double iterations = diagnostic(run, "iterations");
  run.step(5);
  EXPECT_EQ(diagnostic(run, "iterations"), iterations);
}

TEST_P(PlaneStatesOnBackend, PacketsInAnOscillatorGoAsEhrenfestHasIt) {
  Stepper run = runOf(kSmall.with({{"omega_y", "2"},
                                   {"states", "64"},
                                   {"superposition", "packet"},
                                   {"packet_width", "0.6"},
                                   {"packet_x", "1.5"},
                                   {"packet_y", "0.2"},
                                   {"packet_ky", "1"},
                                   {"time_step", "0.1"},
                                   {"length", "15"},
                                   {"grid_points", "80"}}),
                      device_);
  run.step(30);
  EXPECT_GT(diagnostic(run, "packet_kept"), 0.999);
  for (int i = 0; i < 4; ++i) {
    run.step(7);
    EXPECT_NEAR(diagnostic(run, "mean_x"), diagnostic(run, "mean_x_exact"), 5e-3);
    EXPECT_NEAR(diagnostic(run, "mean_y"), diagnostic(run, "mean_y_exact"), 5e-3);
    EXPECT_NEAR(diagnostic(run, "norm"), 1, 1e-12);
  }
  EXPECT_GT(std::abs(diagnostic(run, "mean_x_exact") - 1.5), 0.1) << "it has gone somewhere";
}

// What is drawn only adds to V: no level falls (Courant and Fischer); erased, all are what they were.
TEST_P(PlaneStatesOnBackend, WallsThatAreDrawnRaiseLevelsUntilTheyAreErased) {
  Stepper run =
      runOf({{"potential", "box"}, {"length", "8"}, {"grid_points", "64"}, {"states", "6"}, {"state", "0"}}, device_);
  run.step(30);
  const double before = diagnostic(run, "energy");
  EXPECT_NEAR(before, diagnostic(run, "energy_exact"), 1e-4);
  Brush brush{.tool = "draw", .x = 1, .y = 0.5, .dx = 2, .dy = 0, .radius = 0.5};
  EXPECT_TRUE(run.poke(brush));
  EXPECT_FALSE(run.poke(brush)) << "there already";
  run.step(30);
  EXPECT_GT(diagnostic(run, "energy"), before + 0.05);
  EXPECT_TRUE(std::isnan(diagnostic(run, "energy_exact")));
  brush.tool = "erase";
  brush.radius = 1;
  EXPECT_TRUE(run.poke(brush));
  run.step(30);
  EXPECT_NEAR(diagnostic(run, "energy"), before, 1e-10);
}

// The same walls as a shape and as a region that they bound: the same levels.
TEST_P(PlaneStatesOnBackend, ShapesAndRegionsAreDrawnAndErased) {
  const Changes box{{"potential", "box"}, {"length", "8"}, {"grid_points", "64"}, {"states", "6"}, {"state", "0"}};
  Stepper run = runOf(box, device_), outlined = runOf(box, device_);
  const double before = (run.step(30), diagnostic(run, "energy"));
  Brush square{.tool = "draw", .x = 2, .y = 1.5, .dx = 2, .dy = 2.5, .shape = BrushShape::Rectangle};
  EXPECT_TRUE(run.poke(square));
  EXPECT_FALSE(run.poke(square)) << "there already";
  run.step(30);
  EXPECT_GT(diagnostic(run, "energy"), before + 0.05);

  const double corners[][2] = {{0, -1}, {2, -1}, {2, 1.5}, {0, 1.5}, {0, -1}};
  for (int i = 0; i < 4; ++i) {
    Brush edge{.tool = "draw", .x = corners[i + 1][0], .y = corners[i + 1][1], .radius = 1e-3};
    edge.dx = edge.x - corners[i][0];
    edge.dy = edge.y - corners[i][1];
    outlined.poke(edge);
  }
  const double framed = (outlined.step(30), diagnostic(outlined, "energy"));
  EXPECT_TRUE(outlined.poke({.tool = "draw", .x = 1, .y = 0.25, .shape = BrushShape::Region}));
  outlined.step(30);
  EXPECT_GT(diagnostic(outlined, "energy"), framed - 1e-9);
  EXPECT_TRUE(outlined.poke({.tool = "erase", .x = 1, .y = 0.25, .shape = BrushShape::Region}));
  outlined.step(30);
  EXPECT_NEAR(diagnostic(outlined, "energy"), before, 1e-9) << "frame and inside are one piece";
  EXPECT_TRUE(run.poke({.tool = "erase", .x = 4, .y = 4, .dx = 8, .dy = 8, .shape = BrushShape::Ellipse}));
  run.step(30);
  EXPECT_NEAR(diagnostic(run, "energy"), before, 1e-9);
}

TEST_P(PlaneStatesOnBackend, LevelsAndPicturesArePickedByTheMouse) {
  Stepper run = runOf(kSmall.with({{"shown_states", "12"}, {"state", "0"}}), device_);
  run.step(30);
  const auto levels = exactLevels(tests::parametersWith(kSmall), 12);
  // Four columns and three rows: state 6 stands in the third column of the row in the middle.
  EXPECT_TRUE(run.poke({.tool = "pick", .x = 2.5, .y = 1.5}));
  EXPECT_NEAR(diagnostic(run, "energy"), levels[6], 1e-2);
  EXPECT_TRUE(run.poke({.tool = "take", .x = 0, .y = 1.1}));
  EXPECT_NEAR(diagnostic(run, "energy"), levels[0], 1e-2);
  EXPECT_FALSE(run.poke({.tool = "pick", .x = 4.5, .y = 0.5}));
}

TEST_P(PlaneStatesOnBackend, AdviceComesWithACureThatCures) {
  for (const Changes& changes :
       {kSmall.with({{"length", "6"}}), kSmall.with({{"length", "40"}, {"states", "30"}}),
        kSmall.with({{"superposition", "packet"}, {"packet_x", "1.5"}, {"packet_ky", "0"}, {"length", "15"}})}) {
    ParameterSet set = tests::with(changes);
    for (int tries = 0;; ++tries) {
      Stepper run(description(), device_, set, 1);
      run.step(40);
      const std::vector<Finding> findings = run.findings();
      const auto warning = std::find_if(findings.begin(), findings.end(),
                                        [](const Finding& each) { return each.level == Finding::Level::Warning; });
      if (tries == 0) {
        ASSERT_NE(warning, findings.end());
      }
      if (warning == findings.end()) break;
      ASSERT_LT(tries, 5) << warning->message;
      ASSERT_FALSE(warning->key.empty()) << warning->message;
      set.setText(warning->key, warning->value);
    }
  }
}

// A jump that is not resolved, or a pole, moves the levels from grid to grid.
TEST(PlaneStatesFindings, NameLevelsThatHaveNotSettled) {
  const auto codes = [](const char* formula, const char* length) {
    Stepper run = runOf({{"potential", "formula"},
                         {"formula", formula},
                         {"length", length},
                         {"grid_points", "64"},
                         {"states", "3"},
                         {"superposition", "single"},
                         {"state", "0"}},
                        simscope::tests::cpu());
    run.step(30);
    std::vector<std::string> all;
    for (const Finding& finding : run.findings()) all.push_back(finding.code);
    return all;
  };
  EXPECT_THAT(codes("-4/(x^2 + y^2)", "11"), testing::Contains("level_unsettled"));
  EXPECT_THAT(codes("abs(x-0.13)<0.002 ? 10 : 0", "4"), testing::Contains("potential_unresolved"));
  for (const char* sound : {"0.25*(x^2 + y^2) + 2*cos(2*x)*cos(2*y)", "x^2 + y^2 < 16 ? 0 : 1000000"}) {
    EXPECT_THAT(codes(sound, "11"), testing::IsEmpty()) << sound;
  }
}

TEST(PlaneStatesParameters, BilliardsWithTooFewPointsAreRefused) {
  EXPECT_EQ(simscope::tests::refusedParameter([] {
              runOf({{"potential", "circle"}, {"length", "500"}, {"grid_points", "32"}}, simscope::tests::cpu());
            }),
            "grid_points");
}

}  // namespace
}  // namespace simscope::eigenstates2d
