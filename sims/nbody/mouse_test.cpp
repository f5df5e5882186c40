#include <gtest/gtest.h>

#include "sims/nbody/testing.h"

namespace simscope::nbody {
namespace {

using namespace tests;

const Changes kBox{{"initial", "random"}, {"bodies", "100"}, {"time_step", "0.005"}};

TEST(Mouse, LaunchedBodyStartsWhereTheButtonWasPressed) {
  Session run(kBox);
  EXPECT_TRUE(run.poke({.tool = "launch", .x = 0.5, .y = -0.25, .dx = 0.8, .dy = 0, .z = 0.125, .dz = -0.4}));
  EXPECT_EQ(run.nbody().bodies(), 101);
  const std::vector<double> x = run.array("position"), v = run.array("velocity"), mass = run.array("mass");
  EXPECT_EQ((std::vector<double>{x.end() - 3, x.end()}), (std::vector<double>{0.5, -0.25, 0.125}));
  EXPECT_GT(v[300], 0);
  EXPECT_EQ(v[301], 0);
  EXPECT_NEAR(v[302], -v[300] / 2, 1e-12);
  EXPECT_NEAR(mass[100], 0.01, 1e-12) << "as heavy as the others";
  run.poke({.tool = "star", .x = -1, .y = 0, .strength = 2});
  EXPECT_NEAR(run.array("mass")[101], 0.2 * 1.01, 1e-12);
}

TEST(Mouse, TheArrowReadsTheSpeedThatTheBodyGets) {
  Session run(kBox);
  const Brush brush{.tool = "star", .x = 0.5, .y = -0.25, .dx = 0.8, .dy = 0.3, .dz = -0.4};
  Frame frame;
  EXPECT_TRUE(launchReadings(run.simulation().parameters(), brush, frame).empty()) << "no picture yet";
  run.present(frame);
  const auto readings = launchReadings(run.simulation().parameters(), brush, frame);
  ASSERT_EQ(readings.size(), 1u);
  run.poke(brush);
  const std::vector<double> v = run.array("velocity");
  EXPECT_NEAR(readings[0].value, std::hypot(v[300], v[301], v[302]), 1e-12);
}

TEST(Mouse, LaunchIsNoDrift) {
  for (const char* const bodies : {"20", "200"}) {
    Session run({{"initial", "random"}, {"bodies", bodies}, {"time_step", "0.001"}, {"softening", "0.1"}});
    run.step(10);
    run.poke({.tool = "star", .x = 0.3, .y = 0.2, .dx = 1});
    run.step(10);
    EXPECT_LT(std::abs(run.diagnostic(kEnergyDrift)), 1e-4) << bodies;
    EXPECT_GT(run.diagnostic(kMomentum), 1e-3) << bodies;
    EXPECT_LT(run.diagnostic(kMomentumDrift), 1e-6) << bodies;
  }
}

TEST(Mouse, ChargesTakeTheSignOfTheStrength) {
  Changes changes = kBox;
  changes.push_back({"force", "coulomb"});
  Session run(changes);
  run.poke({.tool = "launch", .x = 0.1, .strength = -3});
  EXPECT_NEAR(run.array("charge").back(), -0.03, 1e-12);
  EXPECT_NEAR(run.array("mass").back(), 0.01, 1e-12);
}

TEST(Mouse, LaunchesTakeARunFromAFewBodiesToMany) {
  Session run({{"initial", "random"}, {"bodies", "63"}, {"time_step", "0.002"}});
  Frame frame;
  for (int i = 0; i < 3; ++i) {
    run.poke({.tool = "launch", .x = 0.1 * i, .y = 0.5, .dx = 0.1});
    run.step(4);
    run.present(frame);
    EXPECT_EQ(frame.find("bodies")->width, 64 + i);
    EXPECT_EQ(frame.find("trails") != nullptr, 64 + i <= kFew);
  }
  EXPECT_TRUE(run.finite());
  // A saved run goes on, whatever the number.
  const State state = run.save();
  run.step(10);
  Session other({{"initial", "random"}, {"bodies", "63"}, {"time_step", "0.002"}});
  other.load(state);
  other.step(10);
  EXPECT_TRUE(sameBits(run.save(), other.save()));
  other.nbody().reset(3);
  EXPECT_EQ(other.nbody().bodies(), 63);
}

TEST(Mouse, TrailsOfAllBodiesGoOn) {
  Session run({{"initial", "figure_eight"}, {"bodies", "3"}, {"time_step", "0.001"}, {"softening", "0"}});
  run.step(100);
  const std::vector<float> before = valuesOf<float>(*run.save().find("trails"));
  run.poke({.tool = "launch", .x = 2, .y = 1});
  const State state = run.save();
  const StateArray& trails = *state.find("trails");
  EXPECT_EQ(trails.shape[0], 4u);
  const std::vector<float> after = valuesOf<float>(trails);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
  EXPECT_EQ(after[before.size()], 2);
  EXPECT_TRUE(std::isnan(run.diagnostic(kReturnError))) << "no longer three bodies";
}

TEST(Mouse, StrayStrokesDoNothing) {
  Session run(kBox);
  const State before = run.save();
  EXPECT_FALSE(run.poke({.tool = "kick", .x = 0, .y = 0}));
  EXPECT_FALSE(run.poke({.tool = "launch", .x = NAN}));
  EXPECT_FALSE(run.poke({.tool = "launch", .dx = INFINITY}));
  EXPECT_TRUE(sameBits(run.save(), before));
}

}  // namespace
}  // namespace simscope::nbody
