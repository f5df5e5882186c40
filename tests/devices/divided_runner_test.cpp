// The window's runner above a run of several devices: commands, a live switch, and the way on where one is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sims/core/run/runner_testing.h"
#include "tests/devices/devices_testing.h"

namespace simscope {
namespace {

using devices_test::Faults;
using devices_test::smallHeat;
using testing::AllOf;
using testing::HasSubstr;

TEST(DividedRunner, PlaysAndTellsOfEveryDevice) {
  Runner runner(simulationById("heat"), smallHeat("515"), 7, "cpu+cpu", 2);
  runner.play();
  const RunnerStatus playing = await(runner, [](const RunnerStatus& s) { return s.steps > 50 && s.step_us > 0; });
  EXPECT_EQ(playing.message, "");
  EXPECT_EQ(playing.device.id, "cpu+cpu");
  EXPECT_EQ(playing.device.members.size(), 2u);
  EXPECT_EQ(playing.device.link, "host memory");
  EXPECT_THAT(playing.method, HasSubstr("2 devices, by host memory"));
  runner.pause();
  const RunnerStatus status = settled(runner);
  ASSERT_EQ(status.memory.members.size(), 2u);
  // Half of the rows each, and a halo, twice.
  for (const std::size_t bytes : status.memory.members) EXPECT_GT(bytes, 2u * 515 * 515 / 2 * sizeof(float));
  EXPECT_GE(status.memory.simulation + status.memory.frames, status.memory.members[0] + status.memory.members[1]);
  EXPECT_GT(status.launches_per_frame, 0);
  ASSERT_NE(runner.newestFrame(), nullptr);
  EXPECT_EQ(runner.newestFrame()->steps, status.steps);
  EXPECT_EQ(runner.newestFrame()->device->info().id, "cpu+cpu");
}

TEST(DividedRunner, GoesFromOneToSeveralAndBack) {
  Runner alone(simulationById("heat"), smallHeat(), 7, "cpu", 1),
      moved(simulationById("heat"), smallHeat(), 7, "cpu", 1);
  for (const char* const spec : {"cpu+cpu", "cpu", "cpu+cpu+cpu", "cpu+cpu", "cpu"}) {
    for (Runner* const each : {&alone, &moved}) {
      each->setPace({.steps_per_frame = 4, .frames_per_second = 0});
      each->stepOnce();
      Brush brush{.tool = "heat", .x = 5, .y = 5, .radius = 9, .strength = 1, .begins = true};
      each->poke(brush);
      each->setDevice(each == &moved ? spec : "cpu", 2);
      each->stepOnce();
    }
    const RunnerStatus one = settled(alone), other = settled(moved);
    EXPECT_EQ(other.device.id, spec);
    EXPECT_EQ(devices_test::bitsOf(one.diagnostics), devices_test::bitsOf(other.diagnostics)) << spec;
    EXPECT_EQ(other.message, "");
    EXPECT_THAT(other.refused, testing::IsEmpty());
  }
}

TEST(DividedRunner, ThatIsNotDividedRunsOnTheFirstAloneAndComesBack) {
  Runner runner(simulationById("heat"), smallHeat(), 7, "cpu+cpu", 2);
  EXPECT_EQ(settled(runner).device.id, "cpu+cpu");
  const Description& lorentz = simulationById("lorentz");
  runner.select(lorentz, lorentz.defaults(), 1);
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.device.id, "cpu");
  EXPECT_THAT(status.message,
              AllOf(HasSubstr("The run uses only cpu"), HasSubstr("a run of lorentz cannot be divided among devices")));
  // Asked for by name, they say why not.
  runner.setDevice("cpu+cpu", 2);
  status = settled(runner);
  ASSERT_EQ(status.refused.size(), 1u);
  EXPECT_THAT(status.refused[0].error, HasSubstr("a run of lorentz cannot be divided among devices"));
  EXPECT_EQ(status.device.id, "cpu");
  runner.select(simulationById("heat"), smallHeat(), 7);
  status = settled(runner);
  EXPECT_EQ(status.device.id, "cpu+cpu");
  EXPECT_EQ(status.message, "");
}

TEST(DividedRunner, GoesOnOnTheProcessorWhereOneDeviceIsLost) {
  for (const char* const fault : {"rank:40", "rank_memory:40"}) {
    SCOPED_TRACE(fault);
    Runner runner(simulationById("heat"), smallHeat(), 7, "cpu+cpu", 2);
    settled(runner);
    const Faults faults(fault);
    runner.setPace({.steps_per_frame = 3, .frames_per_second = 0});
    runner.play();
    const RunnerStatus after = await(runner, [](const RunnerStatus& s) { return s.device.id == "cpu"; });
    EXPECT_THAT(after.message, AllOf(HasSubstr("cpu: "), HasSubstr("The run continues on the CPU")));
    await(runner, [&](const RunnerStatus& s) { return s.playing && s.steps > after.steps + 20; });
  }
}

TEST(DividedRunner, FindsNaNAndStops) {
  const Description& reaction = simulationById("reaction_diffusion");
  ParameterSet parameters = reaction.defaults();
  parameters.setText("grid_points", "64");
  parameters.setText("time_step", "9");
  const auto stopped = [&](const char* spec) {
    Runner runner(reaction, parameters, 7, spec, 2);
    runner.setPace({.steps_per_frame = 10, .frames_per_second = 0});
    runner.play();
    return await(runner, [](const RunnerStatus& s) { return s.stopped; });
  };
  const RunnerStatus one = stopped("cpu"), two = stopped("cpu+cpu");
  EXPECT_THAT(one.message, HasSubstr("from step"));
  EXPECT_EQ(two.message, one.message);
}

}  // namespace
}  // namespace simscope
