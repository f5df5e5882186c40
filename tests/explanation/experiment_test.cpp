// Every experiment of every page: its command can be used, it runs, and shows what the page says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "app/explanation/experiment.h"
#include "sims/compute/error.h"
#include "sims/core/registry.h"
#include "sims/core/timeline/stepper.h"

namespace simscope {
namespace {

TEST(Experiment, WordsOfACommandAreThoseOfAShell) {
  EXPECT_THAT(commandWords("a  b=\"c d\" 'e f'  \"\""), testing::ElementsAre("a", "b=c d", "e f", ""));
}

TEST(Experiment, WhatCannotBeSetUpIsRefused) {
  const Description& tunneling = simulationById("tunneling");
  for (const char* command : {"", "simscope run tunneling", "simscope gui heat", "simscope gui tunneling --preset",
                              "simscope gui tunneling --preset no", "simscope gui tunneling --set barrier_width=-1",
                              "simscope gui tunneling --set no=1", "simscope gui tunneling --set x",
                              "simscope gui tunneling --view no", "simscope gui tunneling --out film.gif"}) {
    EXPECT_THROW(sceneOf({.title = "t", .command = command}, tunneling), UsageError) << command;
  }
  const Scene scene =
      sceneOf({.command = "simscope gui tunneling --preset step --set barrier_height=1.5 --view wave"}, tunneling);
  EXPECT_EQ(scene.preset, "step");
  EXPECT_EQ(scene.parameters.real("barrier_height"), 1.5);
  EXPECT_EQ(scene.figure.view, "wave");
  // A value that is given takes the place of keyframes.
  const Description& diffraction = simulationById("diffraction");
  EXPECT_FALSE(Scene::fromPreset(diffraction, "airy").timeline.tracks.empty());
  EXPECT_TRUE(sceneOf({.command = "simscope gui diffraction --preset airy --set aperture_radius=0.2"}, diffraction)
                  .timeline.tracks.empty());
}

struct Case {
  const Description* description;
  std::size_t index;
};
void PrintTo(const Case& each, std::ostream* out) {
  *out << each.description->id << ", experiment " << each.index + 1;
}

std::vector<Case> everyExperiment() {
  std::vector<Case> all;
  for (const Description* each : simulations()) {
    const Page* const page = pageOf(each->id);
    for (std::size_t i = 0; page && i < page->experiments.size(); ++i) all.push_back({each, i});
  }
  return all;
}

class EveryExperiment : public testing::TestWithParam<Case> {};

TEST_P(EveryExperiment, RunsAndShowsWhatThePageSays) {
  const Description& description = *GetParam().description;
  const Experiment& experiment = pageOf(description.id)->experiments[GetParam().index];
  const Scene scene = sceneOf(experiment, description);
  EXPECT_FALSE(scene.parameters == description.preset(scene.preset) && scene.preset == description.presets.front().key)
      << experiment.title << " is what opens anyway";
  for (const std::size_t changed : scene.parameters.changed(description.preset(scene.preset))) {
    EXPECT_TRUE(scene.parameters.matters(changed)) << experiment.title << ": " << scene.parameters.infos()[changed].key;
  }
  Stepper stepper(description, compute::Device::open("cpu", 2), scene.parameters, 1);
  stepper.setTimeline(timelineOf(scene));
  const std::int64_t steps = std::max<std::int64_t>(experiment.steps, 3);
  while (stepper.simulation().steps() < steps) {
    stepper.step(static_cast<int>(std::min<std::int64_t>(stepper.batch(), steps - stepper.simulation().steps())));
    ASSERT_NO_THROW(stepper.verify()) << experiment.title;
  }
  const std::vector<double>& values = stepper.diagnostics();
  for (const Expectation& expected : experiment.expected) {
    EXPECT_NEAR(values.at(description.diagnosticIndex(expected.key)), expected.value, expected.tolerance + 1e-12)
        << experiment.title << ": " << expected.key;
  }
}

std::string experimentName(const testing::TestParamInfo<Case>& info) {
  return fmt::format("{}_{}", info.param.description->id, info.param.index + 1);
}
INSTANTIATE_TEST_SUITE_P(All, EveryExperiment, testing::ValuesIn(everyExperiment()), experimentName);

}  // namespace
}  // namespace simscope
