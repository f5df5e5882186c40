// A run that goes back to former steps, and on from there.
#include <chrono>
#include <thread>

#include "sims/core/timeline/timeline_testing.h"

namespace simscope {
namespace {

std::vector<std::byte> bytesOf(Stepper& stepper) {
  return stepper.save().arrays[0].bytes;
}

void travel(Stepper& stepper, std::int64_t step) {
  stepper.goTo(step);
  while (stepper.advanceReplay()) {
  }
}

// Strokes, keyframes, and changes of parameters, as they come in a window; the state after each step.
struct Recorded {
  Stepper stepper = makeStepper(eventful());
  std::vector<std::vector<std::byte>> states;
  std::vector<ParameterSet> parameters;

  explicit Recorded(std::optional<std::size_t> bytes, int steps = 60) {
    stepper.keepPast(bytes);
    note();
    while (stepper.simulation().steps() < steps) {
      stepper.step(1);
      const std::int64_t now = stepper.simulation().steps();
      if (now == 20) stepper.configure(with({{"growth", "1.01"}, {"nan_step", "9000"}}));
      if (now == 30) stepper.poke(add(3, true));
      if (now == 31) stepper.poke(add(1));
      if (now == 45) {
        stepper.configure(with({{"growth", "1.01"}, {"nan_step", "8000"}}));
        stepper.poke(add(5, true));
        stepper.configure(with({{"growth", "1.01"}, {"nan_step", "7000"}}));
      }
      if (now % 7 == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(45));  // copies are made by the clock
        stepper.verify();
      }
      note();
    }
  }
  void note() {
    states.push_back(bytesOf(stepper));
    parameters.push_back(stepper.simulation().parameters());
  }
};

TEST(StepperPast, EveryStepShowsWhatWasThereAndForwardsIsTheRunThatNeverWentBack) {
  for (const std::optional<std::size_t> bytes : {std::optional<std::size_t>(), std::optional<std::size_t>(0)}) {
    Recorded run(bytes);
    Stepper& stepper = run.stepper;
    const std::vector<std::byte> last = run.states.back();
    if (bytes) {
      EXPECT_GT(stepper.keptStates(), 6u);
    }
    const Timeline timeline = stepper.timeline();
    for (const std::int64_t step : {59, 58, 46, 45, 44, 31, 30, 29, 20, 19, 3, 0, 17, 45, 60}) {
      travel(stepper, step);
      ASSERT_EQ(stepper.simulation().steps(), step);
      EXPECT_EQ(bytesOf(stepper), run.states[static_cast<std::size_t>(step)]) << step;
      EXPECT_EQ(stepper.simulation().parameters(), run.parameters[static_cast<std::size_t>(step)]) << step;
      EXPECT_EQ(stepper.inPast(), step < 60);
      EXPECT_EQ(stepper.lastStep(), 60);
    }
    for (const std::int64_t step : {50, 10}) {
      travel(stepper, step);
      stepper.step(7);
      EXPECT_EQ(bytesOf(stepper), run.states[static_cast<std::size_t>(step + 7)]) << step;
    }
    stepper.step(43);
    EXPECT_EQ(stepper.simulation().steps(), 60);
    EXPECT_FALSE(stepper.inPast());
    EXPECT_EQ(bytesOf(stepper), last);
    EXPECT_EQ(stepper.timeline(), timeline);
    stepper.step(10);
    Recorded other(std::nullopt);
    other.stepper.step(10);
    EXPECT_EQ(bytesOf(stepper), bytesOf(other.stepper));
  }
}

TEST(StepperPast, FromTheNearestCopyFewStepsAreMade) {
  Recorded run(0);
  fake::counts().takeBatches();
  travel(run.stepper, 40);
  int made = 0;
  for (const int each : fake::counts().takeBatches()) made += each;
  EXPECT_LE(made, 9) << "copies are seven steps apart";
  EXPECT_FALSE(run.stepper.replay());
  travel(run.stepper, 60);
  EXPECT_THAT(fake::counts().takeBatches(), testing::IsEmpty()) << "the present has a copy of its own";
}

TEST(StepperPast, ABranchLeavesWhatLiesAheadAndUndoBringsItBack) {
  for (const std::optional<std::size_t> bytes : {std::optional<std::size_t>(), std::optional<std::size_t>(0)}) {
    Recorded run(bytes);
    Stepper& stepper = run.stepper;
    const Timeline whole = stepper.timeline();
    travel(stepper, 30);
    stepper.branch(1);
    EXPECT_FALSE(stepper.inPast());
    EXPECT_THAT(stepper.lines(), testing::ElementsAre(1));
    Timeline cut = whole;
    cut.strokes.pop_back();               // at 45
    cut.strokes.back().events.resize(1);  // at 30; the rest came at 31
    EXPECT_EQ(stepper.timeline(), cut);
    EXPECT_EQ(bytesOf(stepper), run.states[30]);
    stepper.step(10);
    stepper.poke(add(7, true));
    stepper.step(5);
    const std::vector<std::byte> branch = bytesOf(stepper);
    EXPECT_NE(branch, run.states[45]);
    const Timeline other = stepper.timeline();

    ASSERT_TRUE(stepper.resume(1, 2));
    while (stepper.advanceReplay()) {
    }
    EXPECT_EQ(stepper.simulation().steps(), 60);
    EXPECT_EQ(bytesOf(stepper), run.states[60]);
    EXPECT_EQ(stepper.timeline(), whole);
    EXPECT_EQ(stepper.simulation().parameters().integer("nan_step"), 7000);
    for (const std::int64_t step : {50, 35, 12}) {
      travel(stepper, step);
      EXPECT_EQ(bytesOf(stepper), run.states[static_cast<std::size_t>(step)]) << "its past is there, too";
    }
    travel(stepper, 60);
    ASSERT_TRUE(stepper.resume(2, 1));
    while (stepper.advanceReplay()) {
    }
    EXPECT_EQ(stepper.simulation().steps(), 45);
    EXPECT_EQ(bytesOf(stepper), branch);
    EXPECT_EQ(stepper.timeline(), other);
    travel(stepper, 20);
    EXPECT_EQ(bytesOf(stepper), run.states[20]);
    EXPECT_FALSE(stepper.resume(3, 4));
  }
}

// Planned by a scene, not drawn on the way.
TEST(StepperPast, WhatIsStillToComeStaysInABranch) {
  Timeline planned;
  planned.strokes = {stroke({{5, 1}}), stroke({{50, 2}})};
  Stepper stepper = makeStepper(planned);
  stepper.step(20);
  travel(stepper, 10);
  stepper.branch(1);
  EXPECT_EQ(stepper.timeline(), planned);
  stepper.step(50);
  EXPECT_EQ(bytesOf(stepper), stateAfter(planned, 60));
  travel(stepper, 3);
  stepper.branch(2);
  Timeline none;
  EXPECT_EQ(stepper.timeline(), none);
  stepper.step(57);
  EXPECT_EQ(bytesOf(stepper), stateAfter(none, 60));
}

TEST(StepperPast, CopiesStayWithinTheChosenMemoryAndCoverTheWholePast) {
  Stepper probe = makeStepper({});
  const std::size_t one = probe.save().bytes();
  Stepper stepper = makeStepper({}, with({{"growth", "1"}}));
  stepper.keepPast(8 * one);
  EXPECT_EQ(stepper.keptBudget(), 8 * one);
  for (int i = 0; i < 40; ++i) {
    stepper.step(10);
    std::this_thread::sleep_for(std::chrono::milliseconds(42));
    stepper.verify();
    ASSERT_LE(stepper.keptBytes(), 8 * one);
  }
  const std::vector<std::int64_t> kept = stepper.keptSteps();
  ASSERT_GE(kept.size(), 6u);
  std::int64_t last = 0, widest = 0;
  for (const std::int64_t step : kept) {
    EXPECT_LT(last, step);
    widest = std::max(widest, step - last);
    last = step;
  }
  EXPECT_LE(widest, 200) << "no gap takes half of the past";
  EXPECT_GE(kept.back(), 380);
  EXPECT_LE(kept.back() - kept[kept.size() - 2], 60) << "gaps grow with the distance";
  for (int i = 0; i < 6; ++i) {
    travel(stepper, 60 * i);
    EXPECT_LE(stepper.keptBytes(), 8 * one);
    travel(stepper, 400);
    stepper.branch(static_cast<Stepper::LineId>(i));
    EXPECT_LE(stepper.keptBytes(), 8 * one);
  }
  stepper.keepPast(one);
  EXPECT_LE(stepper.keptBytes(), one);
  travel(stepper, 100);
  EXPECT_EQ(stepper.simulation().steps(), 100) << "slower, but it comes";
  stepper.keepPast(one / 2);
  EXPECT_EQ(stepper.keptBytes(), 0u);
}

TEST(StepperPast, AWayThatIsLeftStandsWhereItIsAndMayGoOn) {
  Recorded run(std::nullopt);
  Stepper& stepper = run.stepper;
  stepper.goTo(28);
  ASSERT_TRUE(stepper.replay());
  EXPECT_TRUE(stepper.replay()->travels);
  stepper.advanceReplay();
  const std::int64_t reached = stepper.simulation().steps();
  ASSERT_LT(reached, 28);
  stepper.endReplay();
  EXPECT_TRUE(stepper.inPast());
  EXPECT_EQ(bytesOf(stepper), run.states[static_cast<std::size_t>(reached)]);
  stepper.goTo(28);
  stepper.advanceReplay();
  travel(stepper, 12);
  EXPECT_EQ(bytesOf(stepper), run.states[12]);
  stepper.goTo(59);
  stepper.advanceReplay();
  stepper.branch(1);  // as soon as it gets there
  while (stepper.advanceReplay()) {
  }
  EXPECT_EQ(stepper.simulation().steps(), 59);
  EXPECT_EQ(bytesOf(stepper), run.states[59]);
  EXPECT_FALSE(stepper.inPast());
}

TEST(StepperPast, ChangesInThePastLeaveThoseThatLayAhead) {
  Recorded run(0);
  Stepper& stepper = run.stepper;
  travel(stepper, 40);
  stepper.configure(with({{"growth", "1.01"}, {"nan_step", "6000"}}));
  EXPECT_FALSE(stepper.inPast());
  stepper.step(10);
  EXPECT_EQ(stepper.simulation().parameters().integer("nan_step"), 6000) << "not those of step 45";
  travel(stepper, 25);
  EXPECT_EQ(stepper.simulation().parameters().integer("nan_step"), 9000);
  EXPECT_EQ(bytesOf(stepper), run.states[25]);
}

TEST(StepperPast, ARunThatBrokeGoesBackToBeforeIt) {
  Stepper stepper = makeStepper({}, with({{"nan_step", "50"}}));
  stepper.keepPast(0);
  for (int i = 0; i < 4; ++i) {
    stepper.step(10);
    std::this_thread::sleep_for(std::chrono::milliseconds(42));
    stepper.verify();
  }
  const std::vector<std::byte> at40 = bytesOf(stepper);
  stepper.step(20);
  EXPECT_THROW(stepper.verify(), NotFinite);
  EXPECT_EQ(stepper.simulation().steps(), 49);
  travel(stepper, 40);
  EXPECT_EQ(bytesOf(stepper), at40);
  EXPECT_TRUE(stepper.simulation().finite());
  travel(stepper, 49);
  stepper.configure(with({}));
  stepper.step(10);
  EXPECT_NO_THROW(stepper.verify());
}

TEST(StepperPast, OfALoadedStateBeginsThere) {
  Stepper other = makeStepper({});
  other.step(15);
  Stepper stepper = makeStepper({});
  stepper.keepPast(0);
  stepper.load(other.save());
  stepper.step(30);
  EXPECT_EQ(stepper.firstStep(), 15);
  travel(stepper, 2);
  EXPECT_EQ(stepper.simulation().steps(), 15);
  EXPECT_EQ(bytesOf(stepper), bytesOf(other));
  stepper.step(4);
  other.step(4);
  EXPECT_EQ(bytesOf(stepper), bytesOf(other));
}

TEST(StepperPast, EndsWithAResetAndAnotherSize) {
  Recorded run(0);
  travel(run.stepper, 30);
  run.stepper.branch(1);
  run.stepper.reset(7);
  EXPECT_EQ(run.stepper.lastStep(), 0);
  EXPECT_THAT(run.stepper.lines(), testing::IsEmpty());
  EXPECT_EQ(run.stepper.keptStates(), 1u) << "before the stroke of step 0";
  run.stepper.step(10);
  travel(run.stepper, 5);
  run.stepper.configure(with({{"cells", "16"}, {"growth", "1.01"}}));
  EXPECT_FALSE(run.stepper.inPast());
  EXPECT_EQ(run.stepper.lastStep(), 0);
}

// Thousands of changes: the oldest are forgotten, and the past begins after them.
TEST(StepperPast, ItsChangesAreBounded) {
  Stepper stepper = makeStepper({}, with({}));
  stepper.keepPast(0);
  const std::size_t many = Stepper::kMostChanges + 100;
  for (std::size_t i = 0; i < many; ++i) {
    if (i % 50 == 0) stepper.step(1);
    ParameterSet set = with({});
    set.set("nan_step", static_cast<std::int64_t>(900'000 - i));
    stepper.configure(set);
  }
  EXPECT_GT(stepper.firstStep(), 0);
  const std::vector<std::byte> now = bytesOf(stepper);
  const std::int64_t last = stepper.lastStep();
  travel(stepper, stepper.firstStep());
  EXPECT_TRUE(stepper.inPast());
  stepper.step(static_cast<int>(last - stepper.simulation().steps()));
  EXPECT_EQ(bytesOf(stepper), now);
  EXPECT_EQ(stepper.simulation().parameters().integer("nan_step"), static_cast<std::int64_t>(900'001 - many));
}

}  // namespace
}  // namespace simscope
