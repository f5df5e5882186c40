// A run that is drawn upon, and whose parameters follow keyframes, is decided by its timeline.
#include "tests/contract/contract.h"

namespace simscope::contract {
namespace {

constexpr int kSteps = 44;
constexpr int kInterval = 5;  // every stroke begins at the end of one

class TimelineContract : public testing::TestWithParam<const Description*> {
 protected:
  const Description& description() const { return *GetParam(); }

  Stepper make(const compute::DevicePtr& device, const Timeline& timeline) const {
    Stepper stepper(description(), device, smallDefaults(description()), 11);
    stepper.setTimeline(timeline);
    return stepper;
  }

  // A drag of every tool, from step 0 on, across the middle of the picture, and then each of its shapes; and a live
  // parameter on its way from the default to a value a hundredth of its range away.
  Timeline eventful() const {
    Timeline timeline;
    timeline.track_interval = kInterval;
    std::int64_t step = 0;
    for (const ToolInfo& tool : description().tools) {
      Stroke stroke{tool.key, {}};
      for (int i = 0; i < 3; ++i) {
        if (tool.gesture == Gesture::Edit) {
          stroke.events.push_back({step + 2 * i, editOf(tool, i)});
          stroke.events.back().brush.begins = i == 0;
          continue;
        }
        const double at = 0.4 * i + 0.1 * static_cast<double>(timeline.strokes.size());
        stroke.events.push_back({step + 2 * i,
                                 {.tool = tool.key,
                                  .x = at,
                                  .y = 0.5 * at,
                                  .dx = i == 0 ? 0 : 0.4,
                                  .dy = i == 0 ? 0 : 0.2,
                                  .radius = 1,
                                  .begins = i == 0}});
      }
      for (const BrushShape shape : {BrushShape::Rectangle, BrushShape::Ellipse, BrushShape::Region}) {
        if (!tool.has(shape)) continue;
        const double side = shape == BrushShape::Region ? 0 : 2 + static_cast<double>(timeline.strokes.size());
        stroke.events.push_back(
            {step + 4, {.tool = tool.key, .x = side, .y = 0.5 * side, .dx = side, .dy = -side, .shape = shape}});
      }
      timeline.strokes.push_back(std::move(stroke));
      step += kInterval;
    }
    for (const ParameterInfo& info : *description().parameters) {
      if (info.kind != Kind::Real || info.applies != Applies::Live) continue;
      const double from = std::get<double>(info.initial), way = 0.01 * (info.maximum - info.minimum);
      timeline.tracks = {{info.key, {{0, from}, {1, from + way <= info.maximum ? from + way : from - way}}}};
      break;
    }
    return timeline;
  }
};
INSTANTIATE_TEST_SUITE_P(Every, TimelineContract, testing::ValuesIn(everySimulation()), testName);

TEST_P(TimelineContract, StrokesAndKeyframesChangeTheRun) {
  const Timeline timeline = eventful();
  EXPECT_NO_THROW(timeline.check(description()));
  EXPECT_FALSE(timeline.tracks.empty());
  Stepper drawn = make(compute::Device::open("cpu"), timeline), plain = make(compute::Device::open("cpu"), {});
  drawn.step(kSteps);
  plain.step(kSteps);
  EXPECT_NO_THROW(drawn.verify());
  EXPECT_NE(difference(drawn.save(), plain.save()), "");
}

TEST_P(TimelineContract, ResetAndStrokesOfTheMouseGiveTheSameRun) {
  const Timeline timeline = eventful();
  for (const compute::DevicePtr& device : devices()) {
    Stepper planned = make(device, timeline);
    planned.step(kSteps);
    const State state = planned.save();
    planned.reset(11);
    planned.step(kSteps);
    EXPECT_EQ(difference(planned.save(), state), "") << "after a reset";

    // The same by hand, with the events as the run reaches their steps.
    Timeline tracks = timeline;
    tracks.strokes.clear();
    Stepper drawn = make(device, tracks);
    for (const Timeline::Place place : timeline.inOrder()) {
      const Stroke::Event& event = timeline.at(place);
      drawn.step(static_cast<int>(event.step - drawn.simulation().steps()));
      drawn.poke(event.brush);
    }
    drawn.step(static_cast<int>(kSteps - drawn.simulation().steps()));
    EXPECT_EQ(difference(drawn.save(), state), "") << "drawn";
    drawn.reset(11);
    drawn.step(kSteps);
    EXPECT_EQ(difference(drawn.save(), state), "") << "drawn, and reset";
  }
}

// Taken away, and put back, without a step made again; the rest of the run has not been touched by it.
TEST_P(TimelineContract, WhatOnlyObservesComesAndGoesWithoutAReplay) {
  const auto observes = [&](const Stroke& stroke) {
    for (const ToolInfo& tool : description().tools) {
      if (tool.key == stroke.tool) return tool.observes;
    }
    return false;
  };
  const Timeline timeline = eventful();
  Timeline without = timeline;
  std::erase_if(without.strokes, observes);
  if (without.strokes.size() == timeline.strokes.size()) GTEST_SKIP() << "no tool of this simulation observes";
  for (const compute::DevicePtr& device : devices()) {
    const auto runOf = [&](const Timeline& told) {
      Stepper stepper = make(device, told);
      stepper.step(kSteps);
      return stepper.save();
    };
    const State plain = runOf(without), observed = runOf(timeline);
    EXPECT_NE(difference(plain, observed), "");
    Stepper stepper = make(device, timeline);
    stepper.step(kSteps);
    stepper.setTimeline(without);
    EXPECT_EQ(difference(stepper.save(), plain), "");
    stepper.setTimeline(timeline);
    EXPECT_EQ(difference(stepper.save(), observed), "");
  }
}

// Back to before a stroke from the copy that was kept, and from a reset; and forth again.
TEST_P(TimelineContract, ChangesOfTheTimelineLeadToTheRunThatItTells) {
  const Timeline timeline = eventful();
  Timeline shorter = timeline;
  if (!shorter.strokes.empty()) shorter.strokes.pop_back();
  Timeline without_tracks = timeline;
  without_tracks.tracks.clear();
  for (const compute::DevicePtr& device : devices()) {
    const auto stateOf = [&](const Timeline& told) {
      Stepper stepper = make(device, told);
      stepper.step(kSteps);
      return stepper.save();
    };
    const State whole = stateOf(timeline);
    Stepper stepper = make(device, timeline);
    stepper.step(kSteps);
    for (const Timeline& other : {shorter, without_tracks}) {
      stepper.setTimeline(other);
      stepper.step(static_cast<int>(kSteps - stepper.simulation().steps()));
      EXPECT_EQ(difference(stepper.save(), stateOf(other)), "");
      stepper.setTimeline(timeline);
      stepper.step(static_cast<int>(kSteps - stepper.simulation().steps()));
      EXPECT_EQ(difference(stepper.save(), whole), "");
    }
  }
}

}  // namespace
}  // namespace simscope::contract
