// The runner's way through the past, and the pace of simulated time.
#include "sims/core/run/runner_testing.h"

namespace simscope {
namespace {

class RunnerPast : public testing::Test {
 protected:
  Runner runner{fake::description(), with({{"growth", "0.999"}}), 7, "cpu", 1};
  void SetUp() override {
    runner.keepPast(0);
    runner.setPace({.steps_per_frame = 5, .frames_per_second = 0});
  }
  void steps(int frames) {
    for (int i = 0; i < frames; ++i) runner.stepOnce();
    runner.waitUntilIdle();
  }
};

TEST_F(RunnerPast, StepsBackAndForthAndBranches) {
  steps(4);
  runner.setParameters(with({{"growth", "0.5"}}));
  steps(4);
  const std::vector<std::byte> last = saved(runner).arrays[0].bytes;
  const std::uint64_t epoch = runner.status().epoch;
  for (int i = 0; i < 5; ++i) runner.stepBack();
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps, 15);
  EXPECT_TRUE(status.past.inside);
  EXPECT_EQ(status.past.last, 40);
  EXPECT_EQ(status.parameters.real("growth"), 0.999);
  EXPECT_EQ(status.base.real("growth"), 0.999);
  EXPECT_EQ(status.epoch, epoch) << "it is the same run";
  EXPECT_EQ(runner.newestFrame()->steps, 15);
  EXPECT_EQ(status.diagnostics_steps, 15);
  runner.stepOnce();
  runner.stepOnce();
  EXPECT_EQ(settled(runner).parameters.real("growth"), 0.5);
  for (int i = 0; i < 9; ++i) runner.stepOnce();
  status = settled(runner);
  EXPECT_FALSE(status.past.inside);
  EXPECT_GE(status.steps, 40);
  runner.goTo(40);
  runner.waitUntilIdle();
  EXPECT_EQ(saved(runner).arrays[0].bytes, last);

  runner.goTo(10);
  runner.branch(1);
  runner.stepOnce();
  status = settled(runner);
  EXPECT_EQ(status.steps, 15);
  EXPECT_FALSE(status.past.inside);
  EXPECT_EQ(status.parameters.real("growth"), 0.999);
  ASSERT_THAT(status.past.lines, testing::ElementsAre(1));
  runner.resume(1, 2);
  status = settled(runner);
  EXPECT_EQ(status.parameters.real("growth"), 0.5);
  EXPECT_GE(status.steps, 40);
  const CommandId unknown = runner.resume(9, 3);
  EXPECT_THAT(settled(runner).refused, testing::ElementsAre(idIs(unknown)));
}

TEST_F(RunnerPast, PausesToGoBackAndPlaysOnThroughWhatHasBeen) {
  runner.setPace(kFast);
  runner.play();
  await(runner, [](const RunnerStatus& s) { return s.steps > 300; });
  runner.goTo(100);
  EXPECT_FALSE(runner.status().playing) << "at once";
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps, 100);
  const std::int64_t last = status.past.last;
  runner.play();
  await(runner, [&](const RunnerStatus& s) { return s.steps > last && !s.past.inside; });
  runner.pause();
  const State state = saved(runner);
  Stepper plain(fake::description(), compute::Device::open("cpu", 1), with({{"growth", "0.999"}}), 7);
  plain.step(static_cast<int>(state.steps));
  EXPECT_EQ(state.arrays[0].bytes, plain.save().arrays[0].bytes);
}

// As a slider is dragged: the last one counts, and pictures come on the way.
TEST_F(RunnerPast, WhereItWentIsForgottenOnceItIsSentElsewhere) {
  steps(40);
  for (int i = 0; i < 200; ++i) runner.goTo(i, true);
  runner.goTo(77);
  const RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps, 77);
  EXPECT_EQ(status.diagnostics_steps, 77);
  EXPECT_EQ(runner.newestFrame()->steps, 77);
}

TEST_F(RunnerPast, ALongWayShowsPicturesAndCanBeStopped) {
  runner.keepPast(std::nullopt);
  steps(40);
  fake::gate().close();
  runner.goTo(190);
  fake::gate().awaitArrival();
  await(runner, [](const RunnerStatus& s) { return s.replay && s.replay->travels && s.replay->to == 190; });
  runner.endReplay();
  fake::gate().open();
  const RunnerStatus status = settled(runner);
  EXPECT_TRUE(status.past.inside);
  EXPECT_LE(status.steps, 190);
  runner.goTo(1'000'000);
  EXPECT_EQ(settled(runner).steps, 200) << "the present";
}

TEST_F(RunnerPast, TellsWhatItIsAtWhileAStepIsLong) {
  EXPECT_EQ(settled(runner).work.kind, RunnerStatus::Work::None);
  fake::gate().close();
  runner.stepOnce();
  fake::gate().awaitArrival();
  const RunnerStatus status = await(runner, [](const RunnerStatus& s) { return s.work.seconds > 0.05; });
  EXPECT_EQ(status.work.kind, RunnerStatus::Work::Steps);
  fake::gate().open();
  EXPECT_EQ(settled(runner).work.kind, RunnerStatus::Work::None);
}

TEST_F(RunnerPast, SpeedIsSimulatedTimeASecond) {
  // A step of the fake is half a unit: 50 units a second are 100 steps a second.
  runner.setPace({.mode = Pace::Mode::Speed, .steps_per_frame = 7, .frames_per_second = 60, .speed = 50});
  const auto start = std::chrono::steady_clock::now();
  runner.play();
  const RunnerStatus half = await(runner, [](const RunnerStatus& s) { return s.steps >= 50; });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GT(seconds, 0.4);
  EXPECT_LT(static_cast<double>(half.steps), 100 * seconds + 8);
  // Slower than the display: frames wait for steps.
  runner.setPace({.mode = Pace::Mode::Speed, .frames_per_second = 0, .speed = 5});
  const std::int64_t from = settled(runner).steps;
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LE(runner.status().steps - from, 9);
  runner.pause();
  const std::int64_t before = settled(runner).steps;
  runner.setPace({.mode = Pace::Mode::Speed, .steps_per_frame = 7, .speed = 5});
  runner.stepOnce();
  EXPECT_EQ(settled(runner).steps, before + 7) << "by hand it is a frame's";
  // More than there is time for.
  runner.setPace({.mode = Pace::Mode::Speed, .frames_per_second = 60, .speed = 1e12});
  runner.play();
  await(runner, [](const RunnerStatus& s) { return s.behind; });
}

}  // namespace
}  // namespace simscope
