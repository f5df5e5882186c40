#include "sims/core/run/runner.h"

#include <future>

#include "sims/core/run/runner_testing.h"

namespace simscope {
namespace {

TEST(Runner, StartsPausedWithTheFirstFrame) {
  Runner runner(fake::description(), with({}), 9, "cpu", 1);
  const RunnerStatus status = settled(runner);
  EXPECT_FALSE(status.playing);
  EXPECT_EQ(status.steps, 0);
  EXPECT_EQ(status.seed, 9u);
  EXPECT_EQ(status.device.id, "cpu");
  EXPECT_EQ(status.method, "loop");
  EXPECT_EQ(status.frame, 1u);
  EXPECT_EQ(status.epoch, 1u);
  EXPECT_EQ(status.diagnostics.size(), 3u);
  EXPECT_EQ(status.message, "");
  ASSERT_NE(runner.newestFrame(), nullptr);
  EXPECT_EQ(runner.newestFrame()->sequence, 1u);
}

TEST(Runner, PlaysUntilPausedAndShowsWhereItStands) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace(kFast);
  runner.play();
  EXPECT_TRUE(runner.status().playing) << "granted at once";
  await(runner, [](const RunnerStatus& s) { return s.steps > 100; });
  runner.pause();
  EXPECT_FALSE(runner.status().playing);
  const RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps_per_second, 0);
  EXPECT_EQ(runner.newestFrame()->steps, status.steps);
  EXPECT_EQ(settled(runner).frame, status.frame) << "paused, nothing is published";
}

TEST(Runner, CostlyDiagnosticsTakeATwentiethOfAPlayingRunAndAreItsOwnWhenItStands) {
  constexpr int kCostMs = 10;
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace({.steps_per_frame = 1, .frames_per_second = 500});
  runner.waitUntilIdle();
  fake::counts().diagnostics_ms = kCostMs;
  const auto start = std::chrono::steady_clock::now();
  const int before = fake::counts().diagnostics;
  runner.play();
  const RunnerStatus old = await(runner, [](const RunnerStatus& s) {
    return s.steps > 200 && s.diagnostics_ms >= kCostMs && s.diagnostics_steps < s.steps;
  });
  EXPECT_EQ(old.diagnostics[1], static_cast<double>(old.diagnostics_steps)) << "their age is that of the values";
  runner.pause();
  const RunnerStatus status = settled(runner);
  const std::chrono::duration<double, std::milli> played = std::chrono::steady_clock::now() - start;
  fake::counts().diagnostics_ms = 0;
  const int times = fake::counts().diagnostics - before;
  EXPECT_LE(times, 3 + played.count() / (20 * kCostMs)) << "the first two, those that are due, and the last";
  EXPECT_GE(times, 3);
  EXPECT_EQ(status.diagnostics_steps, status.steps);
  EXPECT_EQ(status.diagnostics[1], static_cast<double>(status.steps));
}

TEST(Runner, WhatStandsIsPublishedUntilItsDiagnosticsAreItsOwn) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace({.steps_per_frame = 1, .frames_per_second = 500});
  runner.waitUntilIdle();
  fake::counts().diagnostics_ms = 10;
  runner.play();
  await(runner, [](const RunnerStatus& s) { return s.diagnostics_ms >= 10 && s.diagnostics_steps < s.steps; });
  fake::counts().stands = true;
  await(runner, [](const RunnerStatus& s) { return s.diagnostics_steps == s.steps; });
  std::uint64_t frame = 0;
  await(runner, [&](const RunnerStatus& s) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return std::exchange(frame, s.frame) == runner.status().frame;
  });
  const RunnerStatus status = runner.status();
  EXPECT_EQ(status.diagnostics_steps, status.steps);
  EXPECT_TRUE(status.playing);
  fake::counts().diagnostics_ms = 0;
  fake::counts().stands = false;
  await(runner, [&](const RunnerStatus& s) { return s.frame > frame; });
}

TEST(Runner, StepsThatWaitForOthersAreTimedByTheHost) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace({.steps_per_frame = 1, .frames_per_second = 500});
  runner.waitUntilIdle();
  const auto timedIn = [&](bool waits) {
    fake::counts().waits = waits;
    const std::int64_t steps = runner.status().steps;
    runner.play();
    await(runner, [&](const RunnerStatus& s) { return s.steps > steps + 10; });
    const double before = fake::counts().timed_ms;
    await(runner, [&](const RunnerStatus& s) { return s.steps > steps + 30; });
    const double during = fake::counts().timed_ms - before;
    runner.pause();
    EXPECT_GT(settled(runner).step_us, 0);
    return during;
  };
  EXPECT_GT(timedIn(false), 0);
  EXPECT_EQ(timedIn(true), 0) << "the device's timers were used";
  fake::counts().waits = false;
}

TEST(Runner, SingleStepIsOneFrame) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace(kFast);
  runner.stepOnce();
  runner.stepOnce();
  const RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps, 6);
  EXPECT_EQ(status.frame, 3u);
  EXPECT_FALSE(status.playing);
}

TEST(Runner, BudgetPaceAdvancesAndPublishes) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace({.mode = Pace::Mode::Budget, .frames_per_second = 0, .budget_ms = 2});
  runner.play();
  await(runner, [](const RunnerStatus& s) { return s.frame > 10 && s.steps > 100 && s.steps_per_second > 0; });
}

TEST(Runner, HugeFrameDoesNotHoldUpCommands) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace({.steps_per_frame = 2000000000, .frames_per_second = 0});
  runner.play();
  runner.setParameters(with({{"growth", "0.5"}}));
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.parameters.real("growth"), 0.5);
  runner.pause();
  status = settled(runner);
  EXPECT_LT(status.steps, 2000000000);
  EXPECT_EQ(runner.newestFrame()->steps, status.steps) << "shows where the run stands";
}

TEST(Runner, NothingWaitsForAStepUnderWay) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.waitUntilIdle();
  fake::gate().close();
  runner.play();
  fake::gate().awaitArrival();
  // Would hang here, were any of these to wait for the step.
  runner.setParameters(with({{"growth", "2"}}));
  runner.setParameters(with({{"growth", "3"}}));
  runner.pause();
  EXPECT_EQ(runner.status().steps, 0);
  EXPECT_NE(runner.newestFrame(), nullptr);
  fake::gate().open();
  EXPECT_EQ(settled(runner).parameters.real("growth"), 3.0) << "the newest counts";
}

TEST(Runner, ResetRestartsWithTheSeedGivenOrKept) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.stepOnce();
  runner.reset(77);
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps, 0);
  EXPECT_EQ(status.seed, 77u);
  EXPECT_EQ(status.epoch, 2u);
  runner.stepOnce();
  runner.reset();
  status = settled(runner);
  EXPECT_EQ(status.seed, 77u);
  EXPECT_EQ(status.epoch, 3u);
}

TEST(Runner, LiveParametersGoOnAndOthersRestart) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.stepOnce();
  runner.setParameters(with({{"growth", "2"}}));
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps, 1);
  EXPECT_EQ(status.epoch, 1u);
  EXPECT_EQ(status.parameters.real("growth"), 2.0);
  runner.setParameters(with({{"growth", "2"}, {"cells", "32"}}));
  status = settled(runner);
  EXPECT_EQ(status.steps, 0);
  EXPECT_EQ(status.epoch, 2u);
  EXPECT_EQ(runner.newestFrame()->find("x")->width, 32);
}

TEST(Runner, ACommandIsPendingUntilItIsHandledAndItsChangeIsInTheSameStatus) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.waitUntilIdle();
  fake::gate().close();
  const CommandId play = runner.play();
  fake::gate().awaitArrival();
  const CommandId first = runner.setParameters(with({{"growth", "2"}}));
  EXPECT_EQ(runner.setParameters(with({{"growth", "3"}})), first) << "it takes the place of the one that waits";
  const ParameterSet wanted = with({{"growth", "4"}, {"cells", "32"}});
  const CommandId change = runner.change(wanted, {wanted.find("growth")});
  EXPECT_GT(change, first);
  EXPECT_EQ(runner.change(with({{"growth", "3"}}), {wanted.find("growth")}), change) << "the same parameter";
  const CommandId seed = runner.reset(5);
  EXPECT_GT(first, play);
  EXPECT_GT(seed, change);
  EXPECT_EQ(runner.status().handled, play);
  fake::gate().open();
  const RunnerStatus status = await(runner, [&](const RunnerStatus& s) { return s.handled >= change; });
  EXPECT_EQ(status.parameters.real("growth"), 3.0);
  EXPECT_EQ(settled(runner).handled, seed);
  EXPECT_THAT(runner.status().refused, testing::IsEmpty());
}

TEST(Runner, SelectShowsTheOtherSimulationAlone) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  for (int i = 0; i < 4; ++i) {
    runner.stepOnce();
    runner.waitUntilIdle();
    runner.newestFrame();
  }
  runner.select(fake::otherDescription(), fake::otherDescription().defaults(), 3);
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.description, &fake::otherDescription());
  EXPECT_EQ(status.seed, 3u);
  for (int i = 0; i < 6; ++i) {
    const Frame* frame = runner.newestFrame();
    EXPECT_EQ(frame->channels.size(), 1u);
    EXPECT_NE(frame->find("y"), nullptr);
    runner.stepOnce();
    runner.waitUntilIdle();
  }
  runner.select(fake::description(), with({{"trouble", "memory"}}), 4);
  status = settled(runner);
  EXPECT_EQ(status.description, &fake::otherDescription()) << "as it was";
  ASSERT_THAT(status.refused, testing::SizeIs(1));
  EXPECT_EQ(status.refused[0].error, "no memory for the fake");
}

TEST(Runner, FramesHoldWhatIsShownAndNoMore) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.waitUntilIdle();
  const std::uint64_t first = runner.newestFrame()->sequence;
  ASSERT_TRUE(runner.newestFrame()->find("x"));
  runner.showChannels(std::vector<std::string>{"another"});
  runner.waitUntilIdle();
  EXPECT_GT(runner.newestFrame()->sequence, first) << "a run that stands shows it, too";
  EXPECT_TRUE(runner.newestFrame()->channels.empty());
  EXPECT_FALSE(runner.newestFrame()->wants("x"));
  runner.showChannels(std::vector<std::string>{"another", "x"});
  runner.waitUntilIdle();
  EXPECT_TRUE(runner.newestFrame()->find("x"));
  runner.showChannels(std::vector<std::string>{"another"});
  runner.select(fake::description(), with({}), 1);
  runner.waitUntilIdle();
  EXPECT_TRUE(runner.newestFrame()->find("x")) << "all again";
  EXPECT_TRUE(runner.newestFrame()->wants("anything"));
}

TEST(Runner, DeviceSwitchGoesOnFromTheSameState) {
  Runner runner(fake::description(), with({{"growth", "1.5"}}), 1, "cpu", 1);
  runner.setPace({.steps_per_frame = 7, .frames_per_second = 0});
  runner.stepOnce();
  const RunnerStatus before = settled(runner);
  runner.setDevice("cpu", 2);
  const RunnerStatus after = settled(runner);
  EXPECT_EQ(after.device.threads, 2);
  EXPECT_EQ(after.steps, 7);
  EXPECT_EQ(after.epoch, before.epoch);
  EXPECT_EQ(after.diagnostics, before.diagnostics);
  EXPECT_GT(after.frame, before.frame);
}

TEST(Runner, SaveAndLoadContinueTheRun) {
  Runner runner(fake::description(), with({{"growth", "1.5"}}), 1, "cpu", 1);
  runner.stepOnce();
  std::promise<State> saved;
  runner.save([&](State state) { saved.set_value(std::move(state)); });
  std::future<State> future = saved.get_future();
  ASSERT_EQ(future.wait_for(kLimit), std::future_status::ready);
  const State state = future.get();
  runner.stepOnce();
  const RunnerStatus later = settled(runner);
  runner.load(std::make_shared<State>(state));
  runner.stepOnce();
  const RunnerStatus again = settled(runner);
  EXPECT_EQ(again.steps, 2);
  EXPECT_EQ(again.diagnostics, later.diagnostics);
  EXPECT_EQ(again.epoch, later.epoch + 1);
  runner.save([](State) { throw Error("the disk is full"); });
  const RunnerStatus status = settled(runner);
  ASSERT_THAT(status.refused, testing::SizeIs(1));
  EXPECT_EQ(status.refused[0].error, "the disk is full");
}

TEST(Runner, PokeShowsWhilePausedAndOnlyWhereItDidSomething) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  const RunnerStatus before = settled(runner);
  Brush brush;
  brush.tool = "unknown";
  runner.poke(brush);
  EXPECT_EQ(settled(runner).frame, before.frame);
  brush.tool = "add";
  runner.poke(brush);
  const RunnerStatus after = settled(runner);
  EXPECT_EQ(after.frame, before.frame + 1);
  EXPECT_NEAR(after.diagnostics[0], before.diagnostics[0] + 1, 1e-6);
}

TEST(Runner, IsDestroyedInEveryStateAndLeavesNothing) {
  for (int i = 0; i < 4; ++i) {
    Runner playing(fake::description(), with({}), 1, "cpu", 1);
    playing.setPace({.steps_per_frame = 2000000000, .frames_per_second = 0});
    playing.play();
    Runner waiting(fake::description(), with({}), 1, "cpu", 1);
    waiting.setPace({.frames_per_second = 1e-9});
    waiting.play();
    Runner fresh(fake::description(), with({}), 1, "cpu", 1);
    if (i % 2) await(playing, [](const RunnerStatus& s) { return s.frame > 0; });
  }
  EXPECT_EQ(fake::counts().alive, 0);
}

TEST(Runner, SlowPaceAnswersToAFasterOne) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace({.frames_per_second = 1e-9});
  runner.play();
  await(runner, [](const RunnerStatus& s) { return s.steps == 1; });
  runner.setPace({.frames_per_second = 1000});
  await(runner, [](const RunnerStatus& s) { return s.steps > 10; });
}

}  // namespace
}  // namespace simscope
