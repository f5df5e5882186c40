// Strokes and keyframes that change in the past: the run goes back to before them.
#include "sims/core/testing/testing.h"
#include "sims/core/timeline/timeline_testing.h"

namespace simscope {
namespace {

using tests::refusal;

TEST(Timeline, StrokesOfTheMouseComeBackWithTheReset) {
  Stepper live = makeStepper({});
  live.poke(add(0.5, true));
  live.step(3);
  live.poke(add(1));
  live.poke(add(2));
  live.step(1);
  live.poke(add(4, true));
  live.step(6);
  const Timeline expected = {{stroke({{0, 0.5}, {3, 1}, {3, 2}}), stroke({{4, 4}})}, {}, 1};
  EXPECT_EQ(live.timeline(), expected);
  EXPECT_FALSE(live.poke(Brush{.tool = "none"}));
  EXPECT_EQ(live.timeline(), expected) << "what did nothing is not kept";

  const std::vector<std::byte> state = live.save().arrays[0].bytes;
  live.reset(7);
  EXPECT_EQ(live.simulation().steps(), 0);
  live.step(10);
  EXPECT_EQ(live.save().arrays[0].bytes, state);
  live.configure(with({{"growth", "1.01"}, {"offset", "0.5"}}));
  EXPECT_EQ(live.timeline(), expected) << "a restart keeps them";
  EXPECT_NEAR(live.diagnostics()[0], 2, 2e-3);
}

// A stroke goes on while those of a former run come back.
TEST(Timeline, StrokesAmongFormerOnesHappenInTheOrderInWhichTheyDid) {
  Stepper live = makeStepper({{stroke({{2, 1}, {5, 1}}), stroke({{4, 1}, {5, 1}, {6, 1}})}, {}, 1});
  live.step(1);
  live.poke(add(10, true));
  live.step(2);
  live.poke(add(20));
  live.step(2);
  live.poke(add(30));  // after events of strokes that began later: this ends the stroke
  live.poke(add(40));
  live.step(4);
  const Timeline& made = live.timeline();
  EXPECT_NO_THROW(made.check(fake::description()));
  ASSERT_EQ(made.strokes.size(), 4u);
  EXPECT_EQ(made.strokes[0], stroke({{1, 10}, {3, 20}}));
  EXPECT_EQ(made.strokes[3], stroke({{5, 30}, {5, 40}}));
  const std::vector<std::byte> state = live.save().arrays[0].bytes;
  EXPECT_EQ(stateAfter(made, 9), state);
  live.reset(7);
  live.step(9);
  EXPECT_EQ(live.save().arrays[0].bytes, state);
}

TEST(Timeline, RemovedStrokeTakesTheRunBackToWhereItBegan) {
  Timeline shorter = eventful();
  shorter.strokes.pop_back();
  for (const bool copies : {true, false}) {
    Stepper stepper = makeStepper(eventful());
    if (!copies) {
      stepper.step(15);
      stepper.load(stepper.save());  // whose copies were of another run
    }
    stepper.step(copies ? 30 : 15);
    fake::counts().takeBatches();
    stepper.setTimeline(shorter);
    EXPECT_EQ(stepper.simulation().steps(), 17);
    if (copies) {
      EXPECT_THAT(fake::counts().takeBatches(), testing::IsEmpty()) << "no step is made again";
    }
    EXPECT_EQ(stepper.save().arrays[0].bytes, stateAfter(shorter, 17));
    stepper.setTimeline(eventful());
    EXPECT_EQ(stepper.simulation().steps(), 17) << "and it is done again at once";
    EXPECT_EQ(stepper.save().arrays[0].bytes, stateAfter(eventful(), 17));
    stepper.step(13);
    EXPECT_EQ(stepper.save().arrays[0].bytes, stateAfter(eventful(), 30));
    stepper.setTimeline(shorter);
    stepper.step(13);
    stepper.setTimeline(eventful());
    EXPECT_EQ(stepper.simulation().steps(), 17) << "back to where it belongs";
    EXPECT_EQ(stepper.save().arrays[0].bytes, stateAfter(eventful(), 17));
    Timeline none;
    none.tracks = eventful().tracks;
    none.track_interval = 4;
    stepper.setTimeline(none);
    EXPECT_EQ(stepper.simulation().steps(), 0);
    stepper.step(5);
    EXPECT_EQ(stepper.save().arrays[0].bytes, stateAfter(none, 5));
  }
}

TEST(Timeline, AReplayIsMadeInBatchesAndFollowsFurtherChanges) {
  Timeline all;
  all.strokes = {stroke({{5, 1}}), stroke({{11, 2}}), stroke({{17, 4}})};
  all.tracks = eventful().tracks;
  all.track_interval = 4;
  const auto first = [&](std::size_t count) {
    Timeline some = all;
    some.strokes.resize(count);
    return some;
  };
  const auto replaying = [&](int batches) {
    Stepper stepper = makeStepper(all);
    stepper.step(30);
    stepper.load(stepper.save());  // without copies of what was before
    stepper.changeTimeline(first(2));
    EXPECT_EQ(stepper.replay(), (Stepper::Replay{0, 17}));
    for (int i = 0; i < batches; ++i) EXPECT_TRUE(stepper.advanceReplay());
    EXPECT_EQ(stepper.simulation().steps(), 4 * batches);
    return stepper;
  };
  const auto expectRun = [&](Stepper& stepper, const Timeline& timeline, int steps) {
    EXPECT_FALSE(stepper.replay());
    EXPECT_EQ(stepper.simulation().steps(), steps);
    EXPECT_EQ(stepper.save().arrays[0].bytes, stateAfter(timeline, steps));
  };
  {
    Stepper stepper = replaying(2);
    stepper.changeTimeline(first(1));
    EXPECT_EQ(stepper.replay(), (Stepper::Replay{0, 11})) << "nothing of what was made is lost";
    EXPECT_FALSE(stepper.advanceReplay());
    expectRun(stepper, first(1), 11);
  }
  {
    Stepper stepper = replaying(4);
    stepper.changeTimeline(first(0));
    EXPECT_EQ(stepper.replay(), (Stepper::Replay{5, 5})) << "from the copy before the stroke that it has passed";
    EXPECT_FALSE(stepper.advanceReplay());
    expectRun(stepper, first(0), 5);
  }
  {
    Stepper stepper = replaying(4);
    stepper.changeTimeline(all);
    EXPECT_EQ(stepper.replay(), (Stepper::Replay{0, 17})) << "it happens at the end";
    while (stepper.advanceReplay()) {
    }
    expectRun(stepper, all, 17);
  }
  {
    Stepper stepper = replaying(1);
    EXPECT_THAT(refusal([&] { stepper.poke(add(1, true)); }), testing::HasSubstr("being replayed"));
    const ParameterSet later = with({{"growth", "1.01"}, {"nan_step", "1000"}});
    EXPECT_THAT(refusal([&] { stepper.configure(later); }), testing::HasSubstr("being replayed"));
    EXPECT_EQ(stepper.simulation().parameters().integer("nan_step"), 0);
    stepper.endReplay();
    stepper.configure(later);
    EXPECT_EQ(stepper.simulation().parameters().integer("nan_step"), 1000);
    expectRun(stepper, first(2), 4);
    stepper.step(26);
    expectRun(stepper, first(2), 30);
  }
}

// Strokes that cost as much as steps: thousands of them at one step would hold whoever waits for hours.
TEST(Timeline, ManyCostlyStrokesOfOneStepAreMadeInPieces) {
  constexpr std::size_t kStrokes = 150;
  Timeline timeline;
  for (std::size_t i = 0; i < kStrokes; ++i) timeline.strokes.push_back(stroke({{0, 0.01 * static_cast<double>(i)}}));
  const std::vector<std::byte> expected = stateAfter(timeline, 3);

  fake::counts().poke_ms = 2;
  Stepper stepper(fake::description(), compute::Device::open("cpu", 1), with({{"growth", "1.01"}}), 7);
  stepper.changeTimeline(timeline);
  ASSERT_TRUE(stepper.replay());
  EXPECT_EQ(*stepper.replay(), (Stepper::Replay{0, 0}));
  int pieces = 1;
  for (std::size_t left = stepper.eventsDue(); stepper.advanceReplay(); left = stepper.eventsDue(), ++pieces) {
    EXPECT_LT(stepper.eventsDue(), left);
    EXPECT_EQ(stepper.simulation().steps(), 0);
  }
  EXPECT_GT(pieces, 2);
  EXPECT_LT(stepper.keptStates(), kStrokes / 8);
  stepper.step(3);
  EXPECT_EQ(stepper.save().arrays[0].bytes, expected);

  // Left in the middle: the rest comes with the next step, or in pieces again.
  for (const bool in_pieces : {false, true}) {
    stepper.reset(7);
    ASSERT_TRUE(stepper.replay());
    stepper.endReplay();
    EXPECT_GT(stepper.eventsDue(), 0u);
    fake::counts().poke_ms = in_pieces ? 2 : 0;
    if (in_pieces) {
      stepper.catchUp();
      EXPECT_TRUE(stepper.replay());
      while (stepper.advanceReplay()) {
      }
    }
    stepper.step(3);
    EXPECT_EQ(stepper.save().arrays[0].bytes, expected);
    fake::counts().poke_ms = 2;
  }
  fake::counts().poke_ms = 0;
}

TEST(Timeline, CopiesToGoBackToStayWithinTheirBudget) {
  Stepper stepper = makeStepper({});
  EXPECT_EQ(stepper.keptBytes(), 0u);
  for (int i = 0; i < 3; ++i) {
    stepper.poke(add(1, true));
    stepper.step(1);
  }
  EXPECT_EQ(stepper.keptStates(), 3u);
  EXPECT_EQ(stepper.keptBytes(), 3 * stepper.save().bytes());
  EXPECT_LE(stepper.keptBytes(), stepper.keptBudget());
  EXPECT_LE(stepper.keptBudget(), Past::kMostKeptBytes);
}

TEST(Timeline, OneOfTwoStrokesOfTheSameStepIsRemoved) {
  Timeline both;
  both.strokes = {stroke({{4, 1}}), stroke({{4, 2}})};
  Timeline second;
  second.strokes = {stroke({{4, 2}})};
  Stepper stepper = makeStepper(both);
  stepper.step(9);
  stepper.setTimeline(second);
  EXPECT_EQ(stepper.simulation().steps(), 4);
  EXPECT_EQ(stepper.save().arrays[0].bytes, stateAfter(second, 4));
}

TEST(Timeline, GoingBackInALoadedRunStaysInThatRun) {
  Stepper other(fake::description(), compute::Device::open("cpu", 1), with({{"growth", "1.01"}}), 8);
  other.setTimeline(eventful());
  other.step(15);
  Stepper stepper = makeStepper(eventful());
  stepper.step(15);
  stepper.load(other.save());
  Timeline last_two = eventful();
  last_two.strokes.erase(last_two.strokes.begin() + 1);
  stepper.setTimeline(last_two);
  other.setTimeline(last_two);
  stepper.step(4);
  other.step(4);
  EXPECT_EQ(stepper.save().arrays[0].bytes, other.save().arrays[0].bytes);
}

TEST(Timeline, WhatLiesAheadChangesWithoutAReplay) {
  Stepper stepper = makeStepper(eventful());
  stepper.step(8);  // time 4: on the way to the second keyframe
  Timeline later = eventful();
  later.strokes[2].events[0].step = 9;
  later.tracks[0].keyframes[2].value = 0.5;
  stepper.setTimeline(later);
  EXPECT_EQ(stepper.simulation().steps(), 8);
  stepper.step(22);
  EXPECT_EQ(stepper.save().arrays[0].bytes, stateAfter(later, 30));
  later.tracks[0].keyframes[1].value = 0.5;
  stepper.setTimeline(later);
  EXPECT_EQ(stepper.simulation().steps(), 0);

  Stepper plain = makeStepper({}, with({{"growth", "1.5"}}));
  plain.step(8);
  Timeline first;
  first.tracks = {{"growth", {{4, 1.5}}}};
  plain.setTimeline(first);
  EXPECT_EQ(plain.simulation().steps(), 8) << "a keyframe of now, with the value of now";
  first.tracks[0].keyframes.push_back({6, 2});
  plain.setTimeline(first);
  EXPECT_EQ(plain.simulation().steps(), 8);
  first.tracks[0].keyframes[0].easing = Easing::Smooth;
  plain.setTimeline(first);
  EXPECT_EQ(plain.simulation().steps(), 8);
  first.tracks[0].keyframes[0].time = 3;
  plain.setTimeline(first);
  EXPECT_EQ(plain.simulation().steps(), 0);
}

TEST(Timeline, KeyframeOnALevelStretchDoesNotTakeTheRunBack) {
  Timeline level;
  level.tracks = {{"growth", {{0, 1.5}}}};
  Stepper stepper = makeStepper(level);
  stepper.step(8);  // time 4
  level.tracks[0].keyframes.push_back({4, 1.5});
  stepper.setTimeline(level);
  EXPECT_EQ(stepper.simulation().steps(), 8) << "of now, with the value of now";
  level.tracks[0].keyframes.push_back({6, 2});
  stepper.setTimeline(level);
  EXPECT_EQ(stepper.simulation().steps(), 8) << "ahead";
  level.tracks[0].keyframes.erase(level.tracks[0].keyframes.begin() + 1);
  stepper.setTimeline(level);
  EXPECT_EQ(stepper.simulation().steps(), 0) << "without it the way up begins at 0";
}

TEST(Timeline, GoingBackKeepsThePresentParameters) {
  Stepper stepper = makeStepper({});
  stepper.step(4);
  stepper.poke(add(1, true));
  stepper.step(4);
  stepper.configure(with({{"growth", "1.25"}}));
  fake::counts().takeBatches();
  stepper.setTimeline({});
  EXPECT_EQ(stepper.simulation().steps(), 4);
  EXPECT_THAT(fake::counts().takeBatches(), testing::IsEmpty()) << "a stroke of the mouse has its copy, too";
  EXPECT_EQ(stepper.simulation().parameters(), with({{"growth", "1.25"}}));
  stepper.configure(with({{"growth", "1.01"}}));
  EXPECT_EQ(stepper.simulation().parameters(), with({{"growth", "1.01"}})) << "as before the first change";
}

TEST(Timeline, ValueThatTheUserSetsCountsUntilTheNextInterval) {
  Stepper stepper = makeStepper(eventful());
  stepper.step(5);
  const double followed = stepper.simulation().parameters().real("growth");
  stepper.configure(with({{"growth", "1.01"}, {"nan_step", "1000"}}));
  EXPECT_EQ(stepper.simulation().parameters().real("growth"), followed) << "it was not touched";
  stepper.configure(with({{"growth", "2"}, {"nan_step", "1000"}}));
  EXPECT_EQ(stepper.simulation().parameters().real("growth"), 2);
  stepper.step(3);
  EXPECT_EQ(stepper.simulation().parameters().real("growth"), eventful().tracks[0].valueAt(4));
  EXPECT_EQ(stepper.simulation().parameters().integer("nan_step"), 1000);
  stepper.configure(with({{"growth", "3"}}));
  stepper.step(1);
  EXPECT_EQ(stepper.simulation().parameters().real("growth"), 3) << "set at an interval, it counts for all of it";
  stepper.configure(with({{"growth", "3"}, {"cells", "16"}}));
  EXPECT_EQ(stepper.simulation().parameters().real("growth"), 1.01) << "a new run begins with the keyframes";
}

}  // namespace
}  // namespace simscope
