// Helpers of the tests of the timeline.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>
#include <vector>

#include "sims/core/testing/fake_simulation.h"
#include "sims/core/timeline/stepper.h"
#include "sims/core/timeline/timeline.h"

namespace simscope {

using fake::with;

inline Brush add(double strength, bool begins = false) {
  Brush brush;
  brush.tool = "add";
  brush.strength = strength;
  brush.begins = begins;
  return brush;
}

inline Stroke stroke(std::initializer_list<std::pair<std::int64_t, double>> events) {
  Stroke made{"add", {}};
  for (const auto& [step, strength] : events) made.events.push_back({step, add(strength, made.events.empty())});
  return made;
}

// A step of the fake takes half a unit of time.
inline Timeline eventful() {
  Timeline timeline;
  timeline.strokes = {stroke({{0, 0.5}, {3, 0.25}}), stroke({{2, 1}, {3, 2}, {3, 4}}), stroke({{17, 8}})};
  timeline.tracks = {{"growth", {{1, 1.01}, {5, 0.9, Easing::Smooth}, {8, 1.02}}}};
  timeline.track_interval = 4;
  return timeline;
}

inline Stepper makeStepper(const Timeline& timeline, const ParameterSet& parameters = with({{"growth", "1.01"}})) {
  Stepper stepper(fake::description(), compute::Device::open("cpu", 1), parameters, 7);
  stepper.setTimeline(timeline);
  return stepper;
}

inline std::vector<std::byte> stateAfter(const Timeline& timeline, int steps) {
  Stepper stepper = makeStepper(timeline);
  stepper.step(steps);
  return stepper.save().arrays[0].bytes;
}

}  // namespace simscope
