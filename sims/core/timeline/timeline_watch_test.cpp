// Tools that only observe, and the search for the step that was the first bad one.
#include <algorithm>

#include "sims/core/timeline/timeline_testing.h"

namespace simscope {
namespace {

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

// Half a unit of time is a step: a stroke makes the numbers large at step 3, a keyframe makes them shrink from step 20
// on.
Timeline largeForAWhile() {
  Timeline timeline;
  timeline.strokes = {stroke({{3, 200}})};
  timeline.tracks = {{"growth", {{0, 1}, {10, 1}, {10.5, 0.5}}}};
  return timeline;
}

TEST(Findings, MetOnTheWayStayWithTheirSteps) {
  for (const int batch : {1, 7, 60}) {
    Stepper stepper = makeStepper(largeForAWhile(), with({}));
    while (stepper.simulation().steps() < 60)
      stepper.step(std::min<int>(batch, 60 - static_cast<int>(stepper.simulation().steps())));
    const std::vector<Finding> found = stepper.findings();
    ASSERT_EQ(found.size(), 1u) << batch;
    EXPECT_EQ(found[0].first_step, 3);
    EXPECT_EQ(found[0].last_step, 21) << "the last keyframe";
    EXPECT_EQ(found[0].told(60), "From step 3 to 21: The numbers grow large.");
    stepper.reset(7);
    EXPECT_TRUE(stepper.findings().empty());
  }
}

TEST(Findings, ThatHoldAreToldPlainlyAndThoseOfLaterStepsNotYet) {
  Stepper stepper = makeStepper(largeForAWhile(), with({}));
  stepper.step(60);
  stepper.goTo(10);
  while (stepper.advanceReplay()) {
  }
  const std::vector<Finding> found = stepper.findings();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].told(stepper.simulation().steps()), "The numbers grow large.");
  stepper.goTo(2);
  while (stepper.advanceReplay()) {
  }
  EXPECT_TRUE(stepper.findings().empty());
  stepper.goTo(60);
  while (stepper.advanceReplay()) {
  }
  EXPECT_EQ(stepper.findings().size(), 1u);
}

TEST(Findings, ThatAChangeAtTheSameStepCuresAreForgotten) {
  Stepper stepper = makeStepper({}, with({}));
  stepper.step(5);
  stepper.poke(add(200, true));
  ASSERT_EQ(stepper.findings().size(), 1u);
  stepper.poke(add(-200, true));
  EXPECT_TRUE(stepper.findings().empty());
  stepper.poke(add(200, true));
  ASSERT_EQ(stepper.findings().size(), 1u);
  stepper.step(3);
  ASSERT_EQ(stepper.findings().size(), 1u);
  stepper.poke(add(-200, true));
  ASSERT_EQ(stepper.findings().size(), 1u);
  EXPECT_EQ(stepper.findings()[0].told(8), "From step 5 to 7: The numbers grow large.");
}

TEST(Findings, OfATimelineThatChangedAreForgotten) {
  Stepper stepper = makeStepper(largeForAWhile(), with({}));
  stepper.step(60);
  ASSERT_EQ(stepper.findings().size(), 1u);
  Timeline without = largeForAWhile();
  without.strokes.clear();
  stepper.setTimeline(without);
  EXPECT_TRUE(stepper.findings().empty());
  stepper.step(60);
  EXPECT_TRUE(stepper.findings().empty());
}

}  // namespace
}  // namespace simscope
