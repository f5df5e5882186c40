#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using tests::psiOf;
using tests::relativeDifference;
using tests::sameBits;
using tests::small;
using tests::start;
using tests::with;

TEST(State, SaveLoadAndContinueIsTheUninterruptedRunBitForBit) {
  for (const char* precision : {"single", "double"}) {
    const ParameterSet set = small({{"potential", "harmonic"}, {"precision", precision}, {"absorbing_edges", "on"}});
    Stepper whole = start(set);
    whole.step(7);
    whole.poke({.tool = "wall", .x = 2, .y = 3, .dx = 0, .dy = 6, .radius = 0.5});
    whole.step(11);
    whole.poke({.tool = "packet", .x = -2, .y = 2, .dx = 2, .dy = -1});
    whole.configure(with({{"absorbing_edges", "off"}, {"time_step", "0.02"}}, set));
    whole.step(3);
    const State saved = whole.save();
    Stepper continued = start(saved.parameters);
    continued.step(4);
    continued.load(saved);
    EXPECT_TRUE(sameBits(continued.save(), saved)) << precision;
    whole.step(21);
    continued.step(21);
    EXPECT_TRUE(sameBits(continued.save(), whole.save())) << precision;
    const auto a = whole.diagnostics(), b = continued.diagnostics();
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << description().diagnostics[i].key;
    }
  }
}

TEST(State, ResetTakesWallsAndLaunchedPacketsAway) {
  Stepper run = start(small({{"potential", "coulomb"}}));
  const State fresh = run.save();
  run.poke({.tool = "wall", .x = 2, .y = 3, .dx = 0, .dy = 6, .radius = 0.5});
  run.poke({.tool = "packet", .x = -2, .y = 2, .dx = 2, .dy = -1});
  run.step(5);
  ASSERT_FALSE(sameBits(run.save(), fresh));
  // The simulation's own reset: the Stepper's brings the strokes of its timeline back.
  Simulation& simulation = run.simulation();
  simulation.device()->run([&] { simulation.reset(0); });
  EXPECT_TRUE(sameBits(run.save(), fresh));
  Stepper other = start(small({{"potential", "coulomb"}}));
  simulation.device()->run([&] { simulation.step(9); });
  other.step(9);
  EXPECT_TRUE(sameBits(run.save(), other.save()));
}

TEST(State, ResetAfterALiveChangeIsAFreshStart) {
  const ParameterSet set = small({{"precision", "single"}}), changed = with({{"time_step", "0.03"}}, set);
  Stepper run = start(set), fresh = start(changed);
  run.step(5);
  run.configure(changed);
  run.reset(0);
  run.step(5);
  fresh.step(5);
  EXPECT_TRUE(sameBits(run.save(), fresh.save()));
}

TEST(State, LiveChangesActFromTheNextStepOn) {
  const ParameterSet initial = small({{"potential", "barrier"}});
  const ParameterSet changed =
      with({{"potential", "coulomb"}, {"charge", "3"}, {"time_step", "0.007"}, {"absorbing_edges", "on"}}, initial);
  Stepper run = start(initial);
  run.step(30);
  const State before = run.save();
  run.configure(changed);
  run.step(30);
  // A run that has always had these parameters, from the same wave.
  Stepper other = start(changed);
  State moved = before;
  moved.parameters = changed;
  other.load(moved);
  other.step(30);
  EXPECT_EQ(relativeDifference(psiOf(run.save()), psiOf(other.save())), 0);
  EXPECT_NEAR(run.simulation().time(), 0.3 + 0.21, 1e-12);
}

TEST(State, WhatDoesNotFitIsRefusedAndChangesNothing) {
  Stepper run = start(small({}));
  run.step(2);
  const State before = run.save();
  State larger = start(small({{"grid_points", "256"}})).save();
  State single = start(small({{"precision", "single"}})).save();
  State foreign = before, empty = before, torn = before;
  foreign.simulation = "tunneling";
  empty.arrays.clear();
  torn.arrays[0].bytes.resize(100);
  larger.parameters = single.parameters = before.parameters;
  for (const State* state : {&larger, &single, &foreign, &empty, &torn}) {
    EXPECT_THROW(run.load(*state), UsageError);
    EXPECT_TRUE(sameBits(run.save(), before));
  }
}

TEST(State, WaveFromElsewhereHasNoKnownPast) {
  Stepper run = start(small({}));
  run.step(5);
  State state = run.save();
  state.arrays.resize(1);
  run.load(state);
  EXPECT_TRUE(std::isnan(run.diagnostics()[kMeanXExact]));
  EXPECT_NEAR(run.diagnostics()[kNormDrift], 0, 1e-12);
  run.step(3);
  EXPECT_NO_THROW(run.verify());
}

TEST(State, ThreadsDoNotChangeABit) {
  const ParameterSet set = with({{"grid_points", "256"}, {"absorbing_edges", "on"}});
  const auto after = [&](int threads) {
    Stepper run = start(set, compute::Device::open("cpu", threads));
    run.step(12);
    return run.save();
  };
  EXPECT_TRUE(sameBits(after(1), after(3)));
}

TEST(State, NaNIsFound) {
  Stepper run = start(small({}));
  State state = run.save();
  const double most = std::numeric_limits<double>::max();  // numbers still; a step leaves what doubles hold
  for (std::size_t at = 0; at < 64 * sizeof most; at += sizeof most) {
    std::memcpy(state.arrays[0].bytes.data() + at, &most, sizeof most);
  }
  run.load(state);
  run.step(1);
  EXPECT_THROW(run.verify(), NotFinite);
}

TEST(State, PacketFarNarrowerThanTheGridAndFarOutsideItIsStillOne) {
  Stepper run = start(small({{"packet_width", "0.05"}, {"packet_x", "333.34"}, {"packet_y", "-999.99"}}));
  EXPECT_NEAR(run.diagnostics()[kNorm], 1, 1e-12);
}

}  // namespace
}  // namespace simscope::schrodinger2d
