#include "sims/core/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sims/core/fake_simulation.h"
#include "sims/core/stepper.h"

namespace simscope {
namespace {

using fake::with;

Brush add(double strength, bool begins = false) {
  Brush brush;
  brush.tool = "add";
  brush.strength = strength;
  brush.begins = begins;
  return brush;
}

Stroke stroke(std::initializer_list<std::pair<std::int64_t, double>> events) {
  Stroke made{"add", {}};
  for (const auto& [step, strength] : events) made.events.push_back({step, add(strength, made.events.empty())});
  return made;
}

// A step of the fake takes half a unit of time.
Timeline eventful() {
  Timeline timeline;
  timeline.strokes = {stroke({{0, 0.5}, {3, 0.25}}), stroke({{2, 1}, {3, 2}, {3, 4}}), stroke({{17, 8}})};
  timeline.tracks = {{"growth", {{1, 1.01}, {5, 0.9, Easing::Smooth}, {8, 1.02}}}};
  timeline.track_interval = 4;
  return timeline;
}

Stepper makeStepper(const Timeline& timeline, const ParameterSet& parameters = with({{"growth", "1.01"}})) {
  Stepper stepper(fake::description(), compute::Device::open("cpu", 1), parameters, 7);
  stepper.setTimeline(timeline);
  return stepper;
}

std::vector<std::byte> stateAfter(const Timeline& timeline, int steps) {
  Stepper stepper = makeStepper(timeline);
  stepper.step(steps);
  return stepper.save().arrays[0].bytes;
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Timeline, TrackGoesThroughItsKeyframesAndStaysOutsideThem) {
  const Track track{"growth", {{1, 2}, {3, 4, Easing::Smooth}, {5, 0}}};
  EXPECT_EQ(track.valueAt(-10), 2);
  EXPECT_EQ(track.valueAt(1), 2);
  EXPECT_EQ(track.valueAt(2), 3);
  EXPECT_EQ(track.valueAt(3), 4);
  EXPECT_DOUBLE_EQ(track.valueAt(3.5), 4 - 4 * (3 * 0.0625 - 2 * 0.015625));
  EXPECT_EQ(track.valueAt(4), 2);
  EXPECT_EQ(track.valueAt(99), 0);
}

TEST(Timeline, IntegersAreRounded) {
  Timeline timeline;
  timeline.tracks = {{"nan_step", {{0, 0}, {1, 9}}}};
  EXPECT_EQ(timeline.parametersAt(with({}), 0.5).integer("nan_step"), 5);
}

TEST(Timeline, WhatDoesNotFitIsRefusedWithItsPlace) {
  const auto check = [](const std::function<void(Timeline&)>& spoil) {
    Timeline timeline = eventful();
    spoil(timeline);
    return refusal([&] { timeline.check(fake::description()); });
  };
  EXPECT_EQ(check([](Timeline&) {}), "");
  const auto says = [](const char* place, const char* what) {
    return testing::AllOf(testing::StartsWith(place), testing::HasSubstr(what));
  };
  EXPECT_THAT(check([](Timeline& t) { t.strokes[1].tool = "ad"; }), says("strokes[1].tool", "did you mean 'add'"));
  EXPECT_THAT(check([](Timeline& t) { t.strokes[1].events[2].step = 2; }), says("strokes[1].events[2].step", "step 3"));
  EXPECT_THAT(check([](Timeline& t) { t.strokes[0].events[0].step = -1; }), says("strokes[0].events[0]", "-1"));
  EXPECT_THAT(check([](Timeline& t) { t.strokes[2].events[0].step = 1; }), says("strokes[2]", "begins before"));
  EXPECT_THAT(check([](Timeline& t) { t.strokes[2].events.clear(); }), says("strokes[2].events", "none"));
  EXPECT_THAT(check([](Timeline& t) { t.strokes[0].events[1].brush.dx = std::nan(""); }), says("strokes[0]", "finite"));
  EXPECT_THAT(check([](Timeline& t) { t.strokes[2].events.resize(Timeline::kMostEvents, t.strokes[2].events[0]); }),
              says("strokes", "over"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].key = "grwth"; }), says("keyframes[0].parameter", "growth"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].key = "cells"; }), says("keyframes[0]", "applies on reset"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].key = "trouble"; }), says("keyframes[0]", "only numbers"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks.push_back(t.tracks[0]); }), says("keyframes[1]", "already"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].keyframes[1].time = 1; }), says("keyframes[0].points[1]", "after"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].keyframes[1].value = 101; }),
              says("keyframes[0].points[1]", "nearest 100"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].keyframes.clear(); }), says("keyframes[0].points", "none"));
  EXPECT_THAT(check([](Timeline& t) { t.track_interval = 0; }), says("keyframes", "interval"));

  Stepper stepper = makeStepper(eventful());
  Timeline wrong = eventful();
  wrong.strokes[0].tool = "no";
  EXPECT_NE(refusal([&] { stepper.setTimeline(wrong); }), "");
  EXPECT_EQ(stepper.timeline(), eventful()) << "the former one stays";
}

TEST(Timeline, RunDoesNotDependOnHowItIsBatched) {
  const std::vector<std::byte> whole = stateAfter(eventful(), 40);
  for (const int batch : {1, 3, 4, 17, 39}) {
    Stepper stepper = makeStepper(eventful());
    for (int left = 40; left > 0; left -= batch) stepper.step(std::min(batch, left));
    EXPECT_EQ(stepper.save().arrays[0].bytes, whole) << batch;
  }
  EXPECT_NE(stateAfter(Timeline{}, 40), whole);
}

TEST(Timeline, StateAtAStepHasItsStrokesAndItsKeyframes) {
  Stepper stepper = makeStepper(eventful(), with({{"growth", "1"}}));
  EXPECT_NEAR(stepper.diagnostics()[0], 1.5, 2e-3) << "step 0";
  EXPECT_EQ(stepper.simulation().parameters().real("growth"), 1.01) << "before the first keyframe";
  stepper.step(2);
  EXPECT_NEAR(stepper.diagnostics()[0], 1.5 * 1.01 * 1.01 + 1, 2e-3);
  stepper.step(14);
  Frame frame;
  stepper.present(frame);
  EXPECT_EQ(frame.parameters.real("growth"), 1.02) << "time 8";
  EXPECT_EQ(frame.followed, (std::vector<std::size_t>{frame.parameters.find("growth")}));
  stepper.setTimeline({});
  stepper.present(frame);
  EXPECT_TRUE(frame.followed.empty());
}

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
    stepper.configure(with({{"growth", "1.01"}, {"nan_step", "1000"}}));
    EXPECT_EQ(stepper.simulation().parameters().integer("nan_step"), 0);
    stepper.endReplay();
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
  EXPECT_LE(stepper.keptBudget(), Stepper::kMostKeptBytes);
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

TEST(Timeline, FirstBadStepIsFoundAcrossStrokesAndKeyframes) {
  Timeline timeline = eventful();
  timeline.tracks.push_back({"nan_step", {{9, 0}, {10, 31}}});
  for (const int batch : {1, 7, 100}) {
    Stepper stepper = makeStepper(timeline);
    stepper.step(6);
    stepper.verify();
    stepper.configure(with({{"growth", "1"}}));
    stepper.poke(add(1, true));
    std::int64_t bad = 0;
    for (int i = 0; i < 40 && bad == 0; ++i) {
      stepper.step(batch);
      try {
        stepper.verify();
      } catch (const NotFinite& error) {
        bad = error.step();
      }
    }
    EXPECT_EQ(bad, 31) << batch;
    EXPECT_EQ(stepper.simulation().steps(), 30);
    EXPECT_TRUE(stepper.simulation().finite());
  }
}

TEST(Timeline, SearchForTheFirstBadStepKeepsTheOrderWithinAStep) {
  Stepper stepper = makeStepper({}, with({}));
  stepper.step(6);
  Brush grow;
  grow.tool = "grow";
  grow.begins = true;
  stepper.poke(grow);  // by 1
  stepper.configure(with({{"growth", "100"}}));
  stepper.step(40);
  try {
    stepper.verify();
    ADD_FAILURE() << "nothing was found";
  } catch (const NotFinite& error) {
    EXPECT_EQ(error.step(), 6 + 20);  // 100^20 is beyond float32
  }
  stepper.configure(with({}));
  stepper.reset(7);
  stepper.step(29);
  stepper.verify();
  stepper.configure(with({{"growth", "0.5"}, {"nan_step", "30"}}));
  stepper.step(1);
  EXPECT_THROW(stepper.verify(), NotFinite);
  EXPECT_EQ(stepper.simulation().steps(), 29);
  EXPECT_EQ(stepper.simulation().parameters(), with({{"growth", "0.5"}, {"nan_step", "30"}}));
}

TEST(Timeline, RunGoesOnOnceTheStrokeThatBrokeItIsRemoved) {
  Stepper stepper = makeStepper({});
  stepper.step(10);
  stepper.poke(add(1e300, true));
  EXPECT_THROW(stepper.verify(), NotFinite);
  stepper.setTimeline({});
  EXPECT_EQ(stepper.simulation().steps(), 10);
  stepper.step(10);
  EXPECT_NO_THROW(stepper.verify());
}

TEST(Timeline, LoadedStateGoesOnWithTheTimeline) {
  Stepper whole = makeStepper(eventful());
  whole.step(13);
  const State middle = whole.save();
  whole.step(17);
  Stepper continued = makeStepper(eventful());
  continued.step(14);
  continued.load(middle);
  EXPECT_EQ(continued.timeline(), eventful());
  continued.step(17);
  EXPECT_EQ(continued.save().arrays[0].bytes, whole.save().arrays[0].bytes);
  continued.moveTo(compute::Device::open("cpu", 1));
  continued.setTimeline({});
  EXPECT_EQ(continued.simulation().parameters(), with({{"growth", "1.01"}})) << "what the tracks had hidden";
  continued.setTimeline(eventful());
  continued.reset(7);
  continued.step(30);
  EXPECT_EQ(continued.save().arrays[0].bytes, whole.save().arrays[0].bytes);
}

Stroke watch(std::initializer_list<std::pair<std::int64_t, double>> events) {
  Stroke made = stroke(events);
  made.tool = "watch";
  for (Stroke::Event& event : made.events) event.brush.tool = "watch";
  return made;
}

Timeline watched(const std::vector<Stroke>& watching) {
  Timeline timeline = eventful();
  for (const Stroke& each : watching) {
    const auto later = std::find_if(timeline.strokes.begin(), timeline.strokes.end(), [&](const Stroke& other) {
      return other.events.front().step > each.events.front().step;
    });
    timeline.strokes.insert(later, each);
  }
  return timeline;
}

// A run that is told otherwise of what only observes stays where it is, and is the run that it would have been.
TEST(Timeline, WhatOnlyObservesComesAndGoesWithoutAReplay) {
  const std::vector<Stroke> both = {watch({{2, 1}, {5, 2}}), watch({{3, 3}, {40, 4}})};
  Stepper stepper = makeStepper(watched(both));
  stepper.step(20);
  EXPECT_EQ(stepper.diagnostics()[2], 132);
  const auto expectAt = [&](const std::vector<Stroke>& watching, double value) {
    fake::counts().takeBatches();
    stepper.setTimeline(watched(watching));
    EXPECT_THAT(fake::counts().takeBatches(), testing::IsEmpty());
    EXPECT_EQ(stepper.simulation().steps(), 20);
    EXPECT_EQ(stepper.diagnostics()[2], value);
    EXPECT_EQ(stepper.save().arrays[0].bytes, stateAfter(eventful(), 20));
  };
  expectAt({both[1]}, 3);
  expectAt({}, 0);
  expectAt(both, 132);
  expectAt({watch({{20, 7}}), both[0]}, 127);
  expectAt({watch({{21, 7}}), both[0]}, 12);
  stepper.step(1);
  EXPECT_EQ(stepper.diagnostics()[2], 127);

  // Going back for another reason, from a copy and by a reset, leads to what had been observed there.
  Timeline shorter = watched(both);
  shorter.strokes.pop_back();
  stepper.setTimeline(shorter);
  EXPECT_EQ(stepper.simulation().steps(), 17);
  EXPECT_EQ(stepper.diagnostics()[2], 132);
  Timeline shortest = shorter;
  shortest.strokes.erase(shortest.strokes.begin());
  stepper.setTimeline(shortest);
  EXPECT_EQ(stepper.simulation().steps(), 0);
  EXPECT_EQ(stepper.diagnostics()[2], 0);
  stepper.step(4);
  EXPECT_EQ(stepper.diagnostics()[2], 13);
}

TEST(Timeline, WhatOnlyObservesIsSetDownByTheMouseWithoutACopyOfTheState) {
  Stepper stepper = makeStepper({});
  stepper.step(3);
  stepper.poke({.tool = "watch", .strength = 5, .begins = true});
  stepper.poke({.tool = "watch", .strength = 6});
  EXPECT_EQ(stepper.keptStates(), 0u);
  stepper.poke(add(1, true));
  stepper.step(2);
  EXPECT_EQ(stepper.diagnostics()[2], 56);
  const Timeline made = stepper.timeline();
  EXPECT_EQ(made.strokes, (std::vector<Stroke>{watch({{3, 5}, {3, 6}}), stroke({{3, 1}})}));
  const std::vector<std::byte> state = stepper.save().arrays[0].bytes;
  stepper.reset(7);
  stepper.step(5);
  EXPECT_EQ(stepper.save().arrays[0].bytes, state);
  EXPECT_EQ(stepper.diagnostics()[2], 56);
}

TEST(Timeline, WhatObservedInALoadedStateStaysUntilTheTimelineTellsOtherwise) {
  Stepper other = makeStepper(watched({watch({{2, 8}})}));
  other.step(10);
  Stepper stepper = makeStepper(watched({watch({{2, 8}})}));
  stepper.load(other.save());
  const auto valueWith = [&](const std::vector<Stroke>& watching) {
    stepper.setTimeline(watched(watching));
    return stepper.diagnostics()[2];
  };
  EXPECT_EQ(valueWith({watch({{2, 8}}), watch({{10, 9}})}), 89);
  EXPECT_EQ(valueWith({watch({{2, 8}})}), 8);
  EXPECT_EQ(valueWith({}), 0);
  EXPECT_EQ(valueWith({watch({{1, 4}})}), 4);
  EXPECT_EQ(stepper.simulation().steps(), 10);

  // One that no stroke accounts for.
  stepper.setTimeline(eventful());
  stepper.load(other.save());
  stepper.step(1);
  EXPECT_EQ(valueWith({watch({{11, 9}})}), 89);
  EXPECT_EQ(valueWith({}), 8);
}

TEST(Timeline, TooManyEventsOfTheMouseAreRefused) {
  Timeline full;
  full.strokes.resize(1, {"add", {}});
  full.strokes[0].events.resize(Timeline::kMostEvents, {0, add(0)});
  Stepper stepper = makeStepper(full);
  EXPECT_THAT(refusal([&] { stepper.poke(add(1)); }), testing::HasSubstr("takes no more"));
}

}  // namespace
}  // namespace simscope
