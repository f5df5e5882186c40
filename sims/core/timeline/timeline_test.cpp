#include "sims/core/timeline/timeline.h"

#include <cmath>

#include "sims/core/testing/refusal.h"
#include "sims/core/timeline/timeline_testing.h"

namespace simscope {
namespace {

using tests::refusal;

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
  EXPECT_THAT(check([](Timeline& t) { t.strokes[2].events.clear(); }), says("strokes[2].events", "is empty"));
  EXPECT_THAT(check([](Timeline& t) { t.strokes[0].events[1].brush.dx = std::nan(""); }), says("strokes[0]", "finite"));
  EXPECT_THAT(check([](Timeline& t) { t.strokes[2].events.resize(Timeline::kMostEvents, t.strokes[2].events[0]); }),
              says("strokes", "more than"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].key = "grwth"; }), says("keyframes[0].parameter", "growth"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].key = "cells"; }), says("keyframes[0]", "applies on reset"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].key = "trouble"; }), says("keyframes[0]", "only numbers"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks.push_back(t.tracks[0]); }), says("keyframes[1]", "already"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].keyframes[1].time = 1; }), says("keyframes[0].points[1]", "after"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].keyframes[1].value = 101; }),
              says("keyframes[0].points[1]", "nearest 100"));
  EXPECT_THAT(check([](Timeline& t) { t.tracks[0].keyframes.clear(); }), says("keyframes[0].points", "is empty"));
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

TEST(Timeline, TooManyEventsOfTheMouseAreRefused) {
  Timeline full;
  full.strokes.resize(1, {"add", {}});
  full.strokes[0].events.resize(Timeline::kMostEvents, {0, add(0)});
  Stepper stepper = makeStepper(full);
  EXPECT_THAT(refusal([&] { stepper.poke(add(1)); }), testing::HasSubstr("the most that are allowed"));
}

}  // namespace
}  // namespace simscope
