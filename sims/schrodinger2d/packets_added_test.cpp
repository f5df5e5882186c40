// Packets that the mouse adds to the wave on its way.
#include <gtest/gtest.h>

#include <cmath>

#include "sims/schrodinger2d/packets.h"
#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using tests::psiOf;
using tests::relativeDifference;
using tests::sameBits;
using tests::small;
using tests::start;
using tests::two;

TEST(AnAddedPacket, IsOneMoreOfWhatIsKnownWheneverItComes) {
  for (const char* const potential : {"none", "harmonic"}) {
    Stepper run = start(small({{"potential", potential}, {"omega", "0.617"}, {"time_step", "0.002"}}));
    run.step(100);
    ASSERT_TRUE(run.poke({.tool = "add", .x = 1, .y = -1, .dx = -2, .dy = 1}));
    run.step(200);
    ASSERT_TRUE(run.poke({.tool = "add", .x = -2, .y = -2, .dx = 1, .dy = 2}));
    const auto before = run.diagnostics();
    EXPECT_NEAR(before[kNorm], 1, 1e-12);
    EXPECT_LT(before[kError], 2e-4) << potential;
    run.step(200);
    const auto d = run.diagnostics();
    EXPECT_LT(d[kError], 2e-4) << potential;
    EXPECT_NEAR(d[kMeanX], d[kMeanXExact], 1e-4);
    EXPECT_NEAR(d[kWidthY], d[kWidthYExact], 1e-4);
    EXPECT_NEAR(d[kEnergyDrift], 0, 1e-4);
    EXPECT_NEAR(d[kNormDrift], 0, 1e-12);
  }
}

TEST(AnAddedPacket, WeighsAsMuchAsAllThatThereWasOrWhatTheParametersSay) {
  const auto shareOf = [](const ParameterSet& set) {
    Stepper run = start(set);
    run.poke({.tool = "packet", .x = -5, .y = 0});
    run.poke({.tool = "add", .x = 5, .y = 0});
    // Of two packets that lie apart ⟨x⟩ tells the weights.
    return 0.5 + run.diagnostics()[kMeanX] / 10;
  };
  EXPECT_NEAR(shareOf(small({})), 0.5, 1e-6);
  EXPECT_NEAR(shareOf(two({{"second_amplitude", "0.5"}})), 0.2, 1e-6);
  // σ₂, too.
  Stepper run = start(two({{"second_amplitude", "100"}, {"second_width", "1.4"}}));
  run.poke({.tool = "add", .x = 0, .y = 0});
  EXPECT_NEAR(run.diagnostics()[kWidthX], 1.4, 2e-3);
}

TEST(AnAddedPacket, BeforeTheFirstStepIsTheSecondPacketOfTheParameters) {
  Stepper mouse = start(small({})), typed = start(two({}));
  ASSERT_TRUE(mouse.poke({.tool = "add", .x = 3, .y = -1, .dx = -2, .dy = 1}));
  EXPECT_LT(relativeDifference(psiOf(mouse.save()), psiOf(typed.save())), 1e-12);
  mouse.step(60);
  typed.step(60);
  EXPECT_LT(relativeDifference(psiOf(mouse.save()), psiOf(typed.save())), 1e-12);
}

TEST(AnAddedPacket, ToAWaveOfUnknownPastOrMoreThanAreFollowedLeavesNothingExact) {
  Stepper scattered = start(small({{"potential", "barrier"}}));
  scattered.step(50);
  ASSERT_TRUE(scattered.poke({.tool = "add", .x = 3, .y = 0}));
  EXPECT_NEAR(scattered.diagnostics()[kNorm], 1, 1e-12);
  EXPECT_TRUE(std::isnan(scattered.diagnostics()[kEnergyDrift]));
  Stepper crowded = start(small({}));
  for (int i = 1; i < kMostPackets; ++i) {
    crowded.step(1);
    ASSERT_TRUE(crowded.poke({.tool = "add", .x = -4.0 + i, .y = 0.3 * i, .dx = 0.1 * i}));
    EXPECT_LT(crowded.diagnostics()[kError], 1e-6) << i;
  }
  crowded.poke({.tool = "add", .x = 0, .y = -2});
  EXPECT_TRUE(std::isnan(crowded.diagnostics()[kError]));
  EXPECT_NEAR(crowded.diagnostics()[kNorm], 1, 1e-12);
  crowded.poke({.tool = "packet", .x = 0, .y = -2});
  EXPECT_LT(crowded.diagnostics()[kError], 1e-9) << "known again";
}

TEST(AnAddedPacket, ThatCancelsWhatThereIsIsRefused) {
  Stepper run = start(two({{"second_phase", "3.14159265"}}));
  run.poke({.tool = "packet", .x = 1, .y = 0, .dx = 1});
  const State before = run.save();
  EXPECT_FALSE(run.poke({.tool = "add", .x = 1, .y = 0, .dx = 1}));
  EXPECT_TRUE(sameBits(run.save(), before));
  EXPECT_LT(run.diagnostics()[kError], 1e-9);
}

TEST(AnAddedPacket, IsPartOfTheStateAndStatesWithoutItHaveOne) {
  for (const char* const potential : {"none", "harmonic"}) {
    Stepper run = start(two({{"potential", potential}, {"precision", "single"}}));
    run.step(30);
    run.poke({.tool = "add", .x = 0, .y = 3, .dx = 1, .dy = -1});
    run.step(20);
    const State saved = run.save();
    Stepper other = start(saved.parameters);
    other.load(saved);
    EXPECT_TRUE(sameBits(other.save(), saved));
    run.step(10);
    other.step(10);
    const auto a = run.diagnostics(), b = other.diagnostics();
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << description().diagnostics[i].key;
  }
  Stepper one = start(small({})), both = start(two({}));
  const State alone = one.save();
  EXPECT_EQ(alone.find("packets"), nullptr);
  ASSERT_NE(both.save().find("packets"), nullptr);
  Stepper run = start(small({}));
  run.poke({.tool = "add", .x = 3, .y = -1});
  run.load(alone);
  run.step(50);
  EXPECT_LT(run.diagnostics()[kError], 1e-7);
}

}  // namespace
}  // namespace simscope::schrodinger2d
