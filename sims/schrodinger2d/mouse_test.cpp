#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using tests::channelOf;
using tests::psiOf;
using tests::relativeDifference;
using tests::sameBits;
using tests::small;
using tests::start;
using tests::with;

std::vector<float> potentialOf(Stepper& run) {
  Frame frame;
  run.present(frame);
  return channelOf(frame, "potential").data.toHost();
}
std::size_t pointAt(double x, double y) {
  const Grid grid{128, 20, 20.0 / 128};
  return static_cast<std::size_t>(grid.nearest(y)) * 128 + static_cast<std::size_t>(grid.nearest(x));
}

TEST(Walls, StrokeAddsTheBarriersHeightAlongItsLineToAnyPotential) {
  for (const char* potential : {"none", "drawn", "harmonic"}) {
    Stepper run = start(small({{"potential", potential}, {"barrier_height", "7"}, {"omega", "0.4"}}));
    const std::vector<float> before = potentialOf(run);
    // From (2, -3) to (2, 3), radius 0.5.
    EXPECT_TRUE(run.poke({.tool = "wall", .x = 2, .y = 3, .dx = 0, .dy = 6, .radius = 0.5}));
    const std::vector<float> after = potentialOf(run);
    const auto added = [&](double x, double y) { return after[pointAt(x, y)] - before[pointAt(x, y)]; };
    EXPECT_NEAR(added(2, 0), 7, 1e-5);
    EXPECT_NEAR(added(2.3, -2.9), 7, 1e-5);
    EXPECT_EQ(added(2.8, 0), 0);
    EXPECT_EQ(added(2, 4), 0);
    EXPECT_EQ(added(-2, 0), 0);
    // The height is live.
    run.configure(with({{"barrier_height", "3"}}, run.simulation().parameters()));
    EXPECT_NEAR(potentialOf(run)[pointAt(2, 0)] - before[pointAt(2, 0)], 3, 1e-5);
  }
}

TEST(Walls, OfShapesAreAsHighWithinThemAndEndAtTheirBorder) {
  Stepper run = start(small({{"potential", "drawn"}, {"barrier_height", "7"}}));
  EXPECT_TRUE(run.poke({.tool = "wall", .x = 5, .y = 3, .dx = 4, .dy = 2, .shape = BrushShape::Rectangle}));
  EXPECT_TRUE(run.poke({.tool = "wall", .x = -3, .y = -2, .dx = 4, .dy = -4, .shape = BrushShape::Ellipse}));
  const std::vector<float> v = potentialOf(run);
  const double dx = 20.0 / 128;
  for (double y = -9; y < 9; y += dx) {
    for (double x = -9; x < 9; x += dx) {
      const double square = std::min(2 - std::abs(x - 3), 1 - std::abs(y - 2)), disc = 2 - std::hypot(x + 5, y);
      const double depth = std::max(square, disc);
      if (depth > 1.5 * dx) {
        EXPECT_NEAR(v[pointAt(x, y)], 7, 1e-5) << x << ", " << y;
      } else if (depth < -1.5 * dx) {
        EXPECT_EQ(v[pointAt(x, y)], 0) << x << ", " << y;
      }
    }
  }
}

TEST(Walls, FillARoomOfWallsAndAreErasedAsOnePiece) {
  Stepper run = start(small({{"potential", "drawn"}, {"barrier_height", "7"}}));
  const auto wall = [&](double x0, double y0, double x1, double y1) {
    run.poke({.tool = "wall", .x = x1, .y = y1, .dx = x1 - x0, .dy = y1 - y0, .radius = 0.2});
  };
  wall(-4, -4, 4, -4);
  wall(4, -4, 0, 4);
  wall(0, 4, -4, -4);
  EXPECT_EQ(potentialOf(run)[pointAt(0, 0)], 0);
  EXPECT_TRUE(run.poke({.tool = "wall", .x = 0, .y = 0, .shape = BrushShape::Region}));
  std::vector<float> v = potentialOf(run);
  EXPECT_NEAR(v[pointAt(0, 0)], 7, 1e-5);
  EXPECT_NEAR(v[pointAt(-3, -3.4)], 7, 1e-5);
  EXPECT_EQ(v[pointAt(5, 0)], 0);
  EXPECT_EQ(v[pointAt(-4, 4)], 0);
  EXPECT_TRUE(run.poke({.tool = "eraser", .x = 0, .y = 0, .shape = BrushShape::Region}));
  EXPECT_EQ(run.save().find("walls"), nullptr);
}

// What the arrow reads while it is aimed is what the packet then has.
TEST(APacketThatIsAimed, ReadsItsMomentumAndItsEnergyBesideTheBarrier) {
  Stepper run = start(small({{"potential", "barrier"}, {"barrier_height", "4"}, {"packet_width", "1.5"}}));
  const Brush brush{.tool = "packet", .x = -6, .y = 0, .dx = 1.5, .dy = -2, .strength = 0.8};
  const auto readings = launchReadings(run.simulation().parameters(), brush, Frame{});
  ASSERT_EQ(readings.size(), 2u);
  EXPECT_NEAR(readings[0].value, 2, 1e-12);
  EXPECT_NEAR(readings[1].value, 2, 1e-12);
  EXPECT_NEAR(readings[1].share, 0.5, 1e-12);
  EXPECT_EQ(readings[1].of, "V₀");
  run.poke(brush);
  // The packet's own width adds σ_k² of kinetic energy: 1/(8σ²) along each axis.
  EXPECT_NEAR(run.diagnostics()[kEnergy], 2 + 2 / (8 * 1.5 * 1.5), 1e-3);
  const auto far = launchReadings(run.simulation().parameters(), {.tool = "packet", .dx = 1e6}, Frame{});
  EXPECT_LT(far[0].value, 128 * M_PI / 20) << "no more than the grid has";
}

TEST(Walls, ReflectThePacketLikeTheBarrierThatTheyAre) {
  Stepper run = start(small({{"potential", "drawn"}, {"barrier_height", "40"}}));
  run.poke({.tool = "wall", .x = 0.2, .y = 12, .dx = 0, .dy = 24, .radius = 0.5});
  run.step(300);
  EXPECT_LT(run.diagnostics()[kTransmitted], 0.02);
  Stepper open = start(small({{"potential", "drawn"}}));
  open.step(300);
  EXPECT_GT(open.diagnostics()[kTransmitted], 0.9);
}

TEST(Walls, EraserTakesThemAwayAndTheRunIsAsIfTheyHadNeverBeen) {
  Stepper run = start(small({})), untouched = start(small({}));
  EXPECT_FALSE(run.poke({.tool = "eraser", .x = 0, .y = 0, .radius = 30})) << "nothing to erase";
  run.poke({.tool = "wall", .x = 2, .y = 3, .dx = 1, .dy = 6, .radius = 0.5});
  EXPECT_NE(run.save().find("walls"), nullptr);
  run.poke({.tool = "eraser", .x = 2, .y = 3, .radius = 1});
  EXPECT_NE(run.save().find("walls"), nullptr) << "a part is left";
  EXPECT_TRUE(run.poke({.tool = "eraser", .x = 0, .y = 0, .radius = 30}));
  EXPECT_EQ(run.save().find("walls"), nullptr);
  run.step(10);
  untouched.step(10);
  EXPECT_EQ(relativeDifference(psiOf(run.save()), psiOf(untouched.save())), 0);
  EXPECT_TRUE(std::isnan(run.diagnostics()[kMeanXExact])) << "it might have met them";
}

// A stroke renews the phase factors around it alone: none may be forgotten.
TEST(Walls, StrokeActsAsIfAllPhaseFactorsWereMadeAnew) {
  Stepper run = start(small({{"potential", "harmonic"}}));
  run.poke({.tool = "wall", .x = 2, .y = 3, .dx = 4, .dy = -6, .radius = 0.4});
  run.poke({.tool = "wall", .x = -9.8, .y = 9.9, .dx = 0.3, .dy = -1, .radius = 0.7});  // over the edge
  run.poke({.tool = "eraser", .x = 1, .y = 4, .dx = 1, .dy = 1, .radius = 0.6});
  Stepper fresh = start(small({{"potential", "harmonic"}}));
  fresh.load(run.save());
  run.step(10);
  fresh.step(10);
  EXPECT_TRUE(sameBits(run.save(), fresh.save()));
}

TEST(Walls, BrushFinerThanTheGridMeetsThePointUnderIt) {
  Stepper run = start(small({}));
  EXPECT_TRUE(run.poke({.tool = "wall", .x = 2.03, .y = 1.01, .radius = 1e-9}));
  EXPECT_GT(potentialOf(run)[pointAt(2.03, 1.01)], 10);
}

TEST(Launch, ReplacesTheWaveByAPacketThatGoesWhereItWasDragged) {
  Stepper run = start(small({}));
  run.step(20);
  EXPECT_TRUE(run.poke({.tool = "packet", .x = 1.5, .y = -2, .dx = -3, .dy = 1}));
  auto d = run.diagnostics();
  EXPECT_NEAR(d[kNorm], 1, 1e-12);
  EXPECT_NEAR(d[kMeanX], 1.5, 1e-9);
  EXPECT_NEAR(d[kMeanY], -2, 1e-9);
  EXPECT_NEAR(d[kWidthX], 0.9, 1e-6);
  EXPECT_NEAR(run.simulation().time(), 0.2, 1e-12) << "the clock goes on";
  run.step(100);  // one unit of time: as far as the drag
  d = run.diagnostics();
  EXPECT_NEAR(d[kMeanX], -1.5, 1e-6);
  EXPECT_NEAR(d[kMeanY], -1, 1e-6);
  // The exact solution follows the new packet.
  EXPECT_NEAR(d[kMeanXExact], -1.5, 1e-9);
  EXPECT_LT(d[kError], 1e-6);
}

TEST(Launch, AmongWallsThereIsNoExactSolution) {
  Stepper run = start(small({}));
  run.poke({.tool = "wall", .x = 5, .y = 5, .radius = 1});
  run.poke({.tool = "packet", .x = 0, .y = 0, .dx = 1});
  EXPECT_TRUE(std::isnan(run.diagnostics()[kMeanXExact]));
  EXPECT_TRUE(std::isnan(run.diagnostics()[kError]));
  EXPECT_NEAR(run.diagnostics()[kNorm], 1, 1e-12);
}

TEST(Launch, MomentumStaysWithinWhatTheGridResolves) {
  Stepper run = start(small({}));
  run.poke({.tool = "packet", .x = 0, .y = 0, .dx = 500, .dy = -500});
  const double nyquist = kPi * 128 / 20;
  const double energy = run.diagnostics()[kEnergy];
  EXPECT_LT(energy, 0.5 * nyquist * nyquist);
  EXPECT_GT(energy, 0.5 * std::pow(nyquist - 6 / (2 * 0.9), 2));
}

TEST(Mouse, StrokesThatMeanNothingAreRefused) {
  Stepper run = start(small({}));
  const State before = run.save();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(run.poke({.tool = "wall", .x = nan}));
  EXPECT_FALSE(run.poke({.tool = "packet", .x = 0, .y = 0, .dx = nan}));
  EXPECT_FALSE(run.poke({.tool = "wall", .x = 0, .y = 0, .radius = 1, .strength = -1}));
  EXPECT_FALSE(run.poke({.tool = "heat", .x = 0, .y = 0, .radius = 1}));
  EXPECT_TRUE(sameBits(run.save(), before));
  EXPECT_TRUE(run.poke({.tool = "wall", .x = 1e9, .y = -1e9, .radius = 1e-3}));  // beside the domain
  run.step(2);
  EXPECT_NO_THROW(run.verify());
}

}  // namespace
}  // namespace simscope::schrodinger2d
