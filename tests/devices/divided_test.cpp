// Runs that several devices make: what they show is what one device shows, to the bit.
#include "sims/core/divided.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sims/core/registry.h"
#include "sims/core/timeline/stepper.h"
#include "tests/ranks/slab_runs.h"

namespace simscope {
namespace {

using compute::Device;
using compute::DevicePtr;
using testing::HasSubstr;

class Slabs : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Devices, Slabs, testing::Values("cpu+cpu", "cpu+cpu+cpu"),
                         [](const auto& made) { return std::string(made.param) == "cpu+cpu" ? "Two" : "Three"; });

TEST_P(Slabs, ShowWhatOneDeviceShows) {
  const DevicePtr lone = Device::open("cpu", 1), several = Device::open(GetParam(), 2);
  slab_runs::Looks looks{.count = 0, .wrong = [](const std::string& what) { ADD_FAILURE() << what; }};
  for (const slab_runs::Case& each : slab_runs::cases()) {
    const std::vector<slab_runs::Look> alone = slab_runs::play(each, lone);
    slab_runs::play(each, several, &alone, &looks);
  }
  EXPECT_GT(looks.count, 100);
}

TEST_P(Slabs, FindTheStepAtWhichARunBreaksDown) {
  const DevicePtr lone = Device::open("cpu", 1), several = Device::open(GetParam(), 2);
  for (const slab_runs::Case& each : slab_runs::badCases()) {
    const std::string one = slab_runs::failureOf(each, lone);
    EXPECT_THAT(one, HasSubstr("from step"));
    EXPECT_EQ(slab_runs::failureOf(each, several), one) << each.name;
  }
}

struct Run {
  const char* name;
  const char* simulation;
  const char* preset;  // empty: defaults
  slab_runs::Changes changes;
  int steps = 3;
};
const Run kRuns[] = {
    {"all_pairs", "nbody", "plummer", {{"bodies", "1003"}}},
    {"tree", "nbody", "galaxies_million", {{"bodies", "3001"}}},
    {"plasma_tree", "nbody", "plasma", {{"bodies", "601"}, {"method", "tree"}}},
    {"yoshida", "nbody", "random", {{"bodies", "501"}, {"integrator", "yoshida4"}}},
    {"few_bodies", "nbody", "plummer", {{"bodies", "65"}}},
    {"kepler", "nbody", "kepler", {}, 100},
    {"darts", "monte_carlo_pi", "", {{"chains", "5"}, {"darts_per_step", "7001"}}},
    {"sobol", "monte_carlo_pi", "", {{"method", "sobol"}, {"darts_per_step", "2501"}}},
    {"resonance", "histograms", "", {{"events_per_step", "20011"}}},
    {"higgs", "histograms", "", {{"process", "higgs"}, {"events_per_step", "5003"}}},
    {"gas", "maxwell_boltzmann", "", {{"molecules", "10007"}}},
    {"gathered_gas", "maxwell_boltzmann", "", {{"molecules", "1003"}, {"gather", "true"}}},
};

ParameterSet parametersOf(const Run& run) {
  const Description& description = simulationById(run.simulation);
  ParameterSet set = *run.preset ? description.preset(run.preset) : description.defaults();
  for (const auto& [key, value] : run.changes) set.setText(key, value);
  return set;
}

void expectSameState(const State& one, const State& other) {
  EXPECT_EQ(one.steps, other.steps);
  EXPECT_EQ(one.time, other.time);
  ASSERT_EQ(one.arrays.size(), other.arrays.size());
  for (std::size_t i = 0; i < one.arrays.size(); ++i) {
    EXPECT_EQ(one.arrays[i].name, other.arrays[i].name);
    EXPECT_TRUE(one.arrays[i].bytes == other.arrays[i].bytes) << one.arrays[i].name;
  }
}

void expectSameFrame(const Frame& one, const Frame& other) {
  ASSERT_EQ(one.channels.size(), other.channels.size());
  for (const Channel& each : one.channels) {
    const Channel* const theirs = other.find(each.key);
    ASSERT_TRUE(theirs) << each.key;
    ASSERT_EQ(each.data.bytes(), theirs->data.bytes()) << each.key;
    EXPECT_EQ(std::memcmp(each.data.data(), theirs->data.data(), each.data.bytes()), 0) << each.key;
  }
}

class Divided : public testing::TestWithParam<Run> {};
INSTANTIATE_TEST_SUITE_P(All, Divided, testing::ValuesIn(kRuns),
                         [](const auto& made) { return std::string(made.param.name); });

TEST_P(Divided, RunsShowWhatOneDeviceShows) {
  const Description& description = simulationById(GetParam().simulation);
  const ParameterSet parameters = parametersOf(GetParam());
  Stepper alone(description, Device::open("cpu", 1), parameters, 11);
  for (const char* const spec : {"cpu+cpu", "cpu+cpu+cpu"}) {
    SCOPED_TRACE(spec);
    alone.reset(11);
    Stepper several(description, Device::open(spec, 2), parameters, 11);
    Frame one, other;
    for (int i = 0; i < 3; ++i) {
      alone.step(GetParam().steps);
      several.step(GetParam().steps);
      alone.verify();
      several.verify();
      const std::vector<double>&mine = alone.diagnostics(), &theirs = several.diagnostics();
      EXPECT_EQ(std::memcmp(mine.data(), theirs.data(), mine.size() * sizeof(double)), 0);
      alone.present(one);
      several.present(other);
      expectSameFrame(one, other);
      EXPECT_EQ(one.time, other.time);
    }
    expectSameState(alone.save(), several.save());
  }
}

// From one device to several, back, and on a copy that one of them has written.
TEST_P(Divided, RunsGoOnWhereverTheyAre) {
  const Description& description = simulationById(GetParam().simulation);
  const ParameterSet parameters = parametersOf(GetParam());
  Stepper alone(description, Device::open("cpu", 1), parameters, 3),
      moved(description, Device::open("cpu", 1), parameters, 3);
  // A device as the run is moved: what is made anew from the state is so for both.
  const auto both = [&](const char* spec) {
    moved.step(2);
    alone.step(2);
    moved.moveTo(Device::open(spec, 2));
    alone.moveTo(Device::open("cpu", 1));
  };
  for (const char* const spec : {"cpu+cpu", "cpu", "cpu+cpu+cpu", "cpu+cpu"}) {
    both(spec);
    SCOPED_TRACE(spec);
    expectSameState(alone.save(), moved.save());
  }
}

// Undo and the past keep copies on every device.
TEST(DividedPast, IsGoneBackToToTheBit) {
  const Description& heat = simulationById("heat");
  ParameterSet parameters = heat.defaults();
  parameters.setText("grid_points", "131");
  const auto states = [&](const char* spec) {
    Stepper stepper(heat, Device::open(spec, 2), parameters, 5);
    stepper.keepPast(std::size_t{64} << 20);
    std::vector<State> all;
    const auto go = [&](std::int64_t step) {
      stepper.goTo(step);
      while (stepper.advanceReplay()) {
      }
      all.push_back(stepper.save());
    };
    for (int i = 0; i < 4; ++i) {
      stepper.step(10);
      stepper.verify();
      Brush brush{.tool = "heat", .x = 10.0 * i - 20, .y = 7.0 * i - 9, .radius = 6, .strength = 1, .begins = true};
      EXPECT_TRUE(stepper.poke(brush));
      ParameterSet changed = stepper.base();
      changed.setText("diffusivity", std::to_string(1 + i));
      stepper.configure(changed);
    }
    EXPECT_GE(stepper.keptStates(), 3u) << "copies before the strokes";
    for (const std::int64_t step : {35, 12, 20, 3, 40}) go(step);
    stepper.step(7);
    all.push_back(stepper.save());
    Timeline without = stepper.timeline();
    without.strokes.erase(without.strokes.begin() + 1);
    stepper.setTimeline(without);
    all.push_back(stepper.save());
    return all;
  };
  const std::vector<State> one = states("cpu"), two = states("cpu+cpu");
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    SCOPED_TRACE(i);
    expectSameState(one[i], two[i]);
  }
}

TEST(DividedRefusal, SaysWhyAndWhatToDo) {
  const DevicePtr two = Device::open("cpu+cpu", 2);
  const auto begin = [&](const char* id, const slab_runs::Changes& changes) {
    ParameterSet set = simulationById(id).defaults();
    for (const auto& [key, value] : changes) set.setText(key, value);
    Stepper stepper(simulationById(id), two, set, 1);
  };
  EXPECT_THAT([&] { begin("lorentz", {}); },
              testing::ThrowsMessage<UsageError>(HasSubstr("a run of lorentz cannot be divided among devices")));
  EXPECT_THAT(
      [&] {
        begin("maxwell_boltzmann", {{"model", "discs"}});
      },
      testing::ThrowsMessage<UsageError>(HasSubstr("can be divided among devices only with ")));
  const DevicePtr many = Device::open("cpu+cpu+cpu+cpu+cpu", 5);
  ParameterSet small = simulationById("reaction_diffusion").defaults();
  small.setText("grid_points", "64");
  const std::string why = whyNotDivided(simulationById("reaction_diffusion"), small, 50, compute::Backend::Cpu);
  EXPECT_THAT(why, HasSubstr("with grid_points = 64 can be divided among "));
  EXPECT_EQ(whyNotDivided(simulationById("heat"), simulationById("heat").defaults(), 2, compute::Backend::Cuda), "");
}

}  // namespace
}  // namespace simscope
