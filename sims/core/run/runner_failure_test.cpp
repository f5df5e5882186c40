// Commands that the runner refuses, and runs that fail.
#include <future>

#include "sims/compute/fault.h"
#include "sims/core/run/runner_testing.h"

namespace simscope {
namespace {

TEST(Runner, FailedCommandIsSaidAndTheRunGoesOn) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace(kFast);
  runner.play();
  await(runner, [](const RunnerStatus& s) { return s.steps > 10; });
  const CommandId failed = runner.setParameters(with({{"trouble", "memory"}, {"cells", "16"}}));
  RunnerStatus status = settled(runner);
  ASSERT_THAT(status.refused, testing::SizeIs(1));
  EXPECT_EQ(status.refused[0].id, failed);
  EXPECT_EQ(status.refused[0].error, "no memory for the fake");
  EXPECT_EQ(status.refused[0].parameter, "");
  EXPECT_EQ(status.message, "") << "the run itself meets no trouble";
  EXPECT_TRUE(status.playing);
  EXPECT_EQ(status.parameters, with({}));
  const std::int64_t steps = status.steps;
  await(runner, [&](const RunnerStatus& s) { return s.steps > steps + 30; });

  const CommandId device = runner.setDevice("quantum");
  const CommandId load = runner.load(std::make_shared<State>());
  const CommandId others = runner.setParameters(fake::otherDescription().defaults());
  const CommandId reset = runner.reset();
  status = settled(runner);
  EXPECT_TRUE(status.playing);
  EXPECT_EQ(status.handled, reset);
  EXPECT_THAT(status.refused, testing::ElementsAre(idIs(failed), idIs(device), idIs(load), idIs(others)));
  EXPECT_THAT(status.refused[1].error, testing::HasSubstr("quantum"));
}

TEST(Runner, TwoRefusalsBetweenTwoLooksAreBothToldWithTheirParameters) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  const CommandId trouble = runner.setParameters(with({{"trouble", "refused"}, {"growth", "2"}}));
  const CommandId quantum = runner.setDevice("quantum");
  RunnerStatus status = settled(runner);
  ASSERT_THAT(status.refused, testing::ElementsAre(idIs(trouble), idIs(quantum)));
  EXPECT_EQ(status.refused[0].parameter, "trouble");
  EXPECT_EQ(status.refused[0].error, "trouble = refused cannot be had");
  EXPECT_EQ(status.refused[1].parameter, "");

  // However seldom anybody looks: they stay until they were heard, one by one.
  const CommandId pace = runner.setPace(kFast);
  EXPECT_THAT(settled(runner).refused, testing::ElementsAre(idIs(trouble), idIs(quantum)));
  runner.acknowledge(1);
  EXPECT_THAT(settled(runner).refused, testing::ElementsAre(idIs(quantum)));
  runner.acknowledge(7);
  status = settled(runner);
  EXPECT_THAT(status.refused, testing::IsEmpty());
  EXPECT_EQ(status.handled, pace);
}

// A change carries its own parameters alone: one that is refused takes no later one with it.
TEST(Runner, AChangeLeavesTheOtherParametersAsTheRunHasThem) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.waitUntilIdle();
  const ParameterSet wanted = with({{"trouble", "refused"}, {"growth", "2"}});
  const std::size_t trouble = wanted.find("trouble"), growth = wanted.find("growth");
  const CommandId refused = runner.change(wanted, {trouble});
  const CommandId taken = runner.change(wanted, {growth});
  EXPECT_GT(taken, refused);
  RunnerStatus status = settled(runner);
  ASSERT_THAT(status.refused, testing::ElementsAre(idIs(refused)));
  EXPECT_EQ(status.refused[0].wanted, wanted);
  EXPECT_THAT(status.refused[0].changed, testing::ElementsAre(trouble));
  EXPECT_EQ(status.parameters, with({{"growth", "2"}}));
  const ParameterSet foreign = fake::otherDescription().defaults();
  const CommandId other = runner.change(foreign, {0});
  status = settled(runner);
  EXPECT_THAT(status.refused, testing::ElementsAre(idIs(refused), idIs(other)));
  EXPECT_EQ(status.parameters, with({{"growth", "2"}}));
}

TEST(Runner, FailureAtTheStartIsSaidAndCanBeCured) {
  Runner runner(fake::description(), with({{"trouble", "memory"}}), 1, "cpu", 1);
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.message, "no memory for the fake");
  EXPECT_EQ(runner.newestFrame(), nullptr);
  EXPECT_EQ(status.description, &fake::description());
  const CommandId play = runner.play(), step = runner.stepOnce();
  status = settled(runner);
  EXPECT_FALSE(status.playing);
  EXPECT_EQ(status.message, "no memory for the fake") << "the cause is not hidden";
  ASSERT_THAT(status.refused, testing::ElementsAre(idIs(play), idIs(step)));
  EXPECT_EQ(status.refused[0].error, status.message);
  runner.setParameters(with({{"trouble", "refused"}}));
  EXPECT_EQ(settled(runner).message, "trouble = refused cannot be had") << "the cause is another one now";
  runner.setParameters(with({}));
  status = settled(runner);
  EXPECT_EQ(status.message, "");
  EXPECT_EQ(status.frame, 1u);

  Runner nowhere(fake::description(), with({}), 1, "nowhere");
  EXPECT_THAT(settled(nowhere).message, testing::HasSubstr("nowhere"));
  nowhere.setDevice("cpu", 1);
  EXPECT_EQ(settled(nowhere).frame, 1u);
}

TEST(Runner, NotFiniteStopsTheRunWithStepAndCause) {
  Runner runner(fake::description(), with({{"growth", "10"}}), 1, "cpu", 1);
  runner.setPace({.steps_per_frame = 25, .frames_per_second = 0});
  runner.play();
  RunnerStatus status = await(runner, [](const RunnerStatus& s) { return s.stopped; });
  status = settled(runner);
  EXPECT_FALSE(status.playing);
  EXPECT_THAT(status.message, testing::AllOf(testing::HasSubstr("step 39"), testing::HasSubstr("growth is too large")));
  EXPECT_EQ(status.steps, 38) << "at the last good state";
  EXPECT_THAT(status.findings, testing::SizeIs(1));
  runner.play();
  runner.stepOnce();
  status = settled(runner);
  EXPECT_FALSE(status.playing);
  EXPECT_EQ(status.steps, 38);
  ASSERT_THAT(status.refused, testing::SizeIs(2));
  EXPECT_EQ(status.refused[0].error, status.message) << "asked to go on, it says again why it does not";
  runner.reset();
  status = settled(runner);
  EXPECT_FALSE(status.stopped);
  EXPECT_EQ(status.message, "");
  runner.stepOnce();
  EXPECT_EQ(settled(runner).steps, 25);
}

TEST(Runner, FailingStepOrPicturePausesTheRun) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace(kFast);
  runner.play();
  runner.setParameters(with({{"trouble", "step"}}));
  RunnerStatus status = await(runner, [](const RunnerStatus& s) { return !s.playing; });
  EXPECT_EQ(settled(runner).message, "the fake step fails");
  runner.setParameters(with({}));
  runner.play();
  const std::int64_t steps = status.steps;
  await(runner, [&](const RunnerStatus& s) { return s.steps > steps; });
  runner.setParameters(with({{"trouble", "present"}}));
  await(runner, [](const RunnerStatus& s) { return !s.playing; });
  EXPECT_EQ(settled(runner).message, "the fake picture fails");
}

// A device that is lost takes all that lay on it along.
class LosesItsDevice : public testing::Test {
 protected:
  void TearDown() override { compute::setFaults(""); }
};

TEST_F(LosesItsDevice, AndGoesOnFromTheLastStateThatWasCopied) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace(kFast);
  for (int i = 0; i < 4; ++i) runner.stepOnce();
  settled(runner);
  const State there = saved(runner);
  runner.load(std::make_shared<State>(there));
  const std::uint64_t epoch = settled(runner).epoch;
  compute::setFaults("device:3");
  runner.play();
  RunnerStatus status = await(runner, [](const RunnerStatus& s) { return s.message_count > 0; });
  status = await(runner, [](const RunnerStatus& s) { return s.steps > 40; });
  EXPECT_TRUE(status.playing) << "without being asked";
  EXPECT_GT(status.epoch, epoch) << "its plots begin anew";
  EXPECT_EQ(status.device.id, "cpu");
  EXPECT_THAT(status.message,
              testing::AllOf(testing::HasSubstr("taken away"), testing::HasSubstr("continues on the CPU"),
                             testing::HasSubstr("step 12")));
  // And it is the run that it would have been.
  runner.pause();
  settled(runner);
  const State after = saved(runner);
  Runner other(fake::description(), with({}), 1, "cpu", 1);
  other.setPace({.steps_per_frame = static_cast<int>(after.steps), .frames_per_second = 0});
  other.stepOnce();
  settled(other);
  EXPECT_EQ(saved(other).arrays[0].bytes, after.arrays[0].bytes);
}

TEST_F(LosesItsDevice, AndBeginsAnewWhereNothingWasCopied) {
  Runner runner(fake::description(), with({{"growth", "1.5"}}), 7, "cpu", 1);
  runner.setPace(kFast);
  runner.stepOnce();
  settled(runner);
  compute::setFaults("device:1");
  runner.stepOnce();
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps, 0);
  EXPECT_EQ(status.seed, 7u);
  EXPECT_EQ(status.parameters, with({{"growth", "1.5"}}));
  EXPECT_THAT(status.message, testing::HasSubstr("from its beginning"));
  runner.stepOnce();
  EXPECT_EQ(settled(runner).steps, 3);
}

TEST_F(LosesItsDevice, ButHasNoWayOutOfTheHostsMemory) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace(kFast);
  runner.stepOnce();
  settled(runner);
  compute::setFaults("memory:1");
  runner.stepOnce();
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.message, "no memory, for a test");
  EXPECT_EQ(status.steps, 3) << "as it was";
  runner.stepOnce();
  EXPECT_EQ(settled(runner).steps, 6);
}

// The driver is there, and a library of CUDA's is not.
class MissesALibrary : public testing::Test {
 protected:
  void SetUp() override { compute::setFaults("library:1"); }
  void TearDown() override { compute::setFaults(""); }
};

TEST_F(MissesALibrary, AndIsOnTheCpuWhereNobodyAskedForAnotherDevice) {
  Runner runner(fake::description(), with({}), 1, "auto", 1);
  runner.setPace(kFast);
  runner.stepOnce();
  const RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps, 3);
  EXPECT_EQ(status.device.id, "cpu");
  EXPECT_EQ(status.message, "the fake's library is missing. The run is on the CPU instead.");
}

TEST_F(MissesALibrary, AndSaysSoOnTheDeviceThatWasAskedFor) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.stepOnce();
  const RunnerStatus status = settled(runner);
  EXPECT_EQ(status.message, "the fake's library is missing");
}

TEST(Runner, TellsWhatItsDeviceHoldsAndCould) {
  Runner runner(fake::description(), with({{"cells", "1024"}}), 1, "cpu", 1);
  runner.setPace(kFast);
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.memory.simulation, 4096u);
  EXPECT_EQ(status.memory.frames, 4096u) << "one frame was written so far";
  for (int i = 0; i < 3; ++i) runner.stepOnce();
  settled(runner);
  EXPECT_EQ(runner.status().memory.frames, 2u * 4096) << "nobody holds the third";
  EXPECT_FALSE(runner.status().limit);
  runner.measureLimit();
  status = settled(runner);
  ASSERT_TRUE(status.limit);
  EXPECT_GT(status.limit->copy_bytes_per_second, 1e8);
  EXPECT_NEAR(*status.limit->us(status.throughput), 8e6 / status.limit->copy_bytes_per_second, 1e-9);
  runner.setParameters(with({{"cells", "2048"}}));
  EXPECT_FALSE(settled(runner).limit) << "of another problem";
}

TEST(Runner, GoesOnOnceTheStrokeThatStoppedItIsRemoved) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.stepOnce();
  runner.poke({.tool = "add", .strength = 1e300, .begins = true});
  runner.stepOnce();
  EXPECT_TRUE(settled(runner).stopped);
  runner.setTimeline({});
  EXPECT_FALSE(settled(runner).stopped);
  runner.stepOnce();
  EXPECT_EQ(settled(runner).steps, 2);
}

}  // namespace
}  // namespace simscope
