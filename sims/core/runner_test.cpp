#include "sims/core/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "sims/core/fake_simulation.h"

namespace simscope {
namespace {

constexpr auto kLimit = std::chrono::seconds(60);

using fake::with;

// Polls until `condition` holds for the status; the status that it holds for, or a test failure after a minute.
template <class Condition>
RunnerStatus await(const Runner& runner, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  for (;;) {
    RunnerStatus status = runner.status();
    if (condition(status)) return status;
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << "waited in vain; step " << status.steps << ", message: " << status.message;
      return status;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

RunnerStatus settled(Runner& runner) {
  runner.waitUntilIdle();
  return runner.status();
}

State saved(Runner& runner) {
  State state;
  runner.save([&](State now) { state = std::move(now); });
  runner.waitUntilIdle();
  return state;
}

auto idIs(CommandId id) {
  return testing::Field("id", &RefusedCommand::id, id);
}

constexpr Pace kFast{.mode = Pace::Mode::StepsPerFrame, .steps_per_frame = 3, .frames_per_second = 0};

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

TEST(Runner, FailedCommandIsSaidAndTheRunGoesOn) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace(kFast);
  runner.play();
  await(runner, [](const RunnerStatus& s) { return s.steps > 10; });
  const CommandId failed = runner.setParameters(with({{"trouble", "memory"}, {"cells", "16"}}));
  RunnerStatus status = settled(runner);
  ASSERT_THAT(status.refused, testing::SizeIs(1));
  EXPECT_EQ(status.refused[0], (RefusedCommand{failed, failed, "no memory for the fake", ""}));
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

TEST(Runner, ACommandIsPendingUntilItIsHandledAndItsChangeIsInTheSameStatus) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.waitUntilIdle();
  fake::gate().close();
  const CommandId play = runner.play();
  fake::gate().awaitArrival();
  const CommandId first = runner.setParameters(with({{"growth", "2"}}));
  EXPECT_EQ(runner.setParameters(with({{"growth", "3"}})), first) << "it takes the place of the one that waits";
  const CommandId seed = runner.reset(5);
  EXPECT_GT(first, play);
  EXPECT_GT(seed, first);
  EXPECT_EQ(runner.status().handled, play);
  fake::gate().open();
  const RunnerStatus status = await(runner, [&](const RunnerStatus& s) { return s.handled >= first; });
  EXPECT_EQ(status.parameters.real("growth"), 3.0);
  EXPECT_EQ(settled(runner).handled, seed);
  EXPECT_THAT(runner.status().refused, testing::IsEmpty());
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

TEST(Runner, LockstepMakesOneFrameATakenFrame) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace({.mode = Pace::Mode::Budget, .frames_per_second = 0.001, .budget_ms = 1});
  runner.setLockstep(5);
  runner.play();
  std::int64_t expected = 5;
  for (int i = 0; i < 20; ++i, expected += 5) {
    await(runner, [&](const RunnerStatus& s) { return s.steps >= expected; });
    EXPECT_EQ(settled(runner).steps, expected) << "the run waits";
    EXPECT_EQ(runner.newestFrame()->steps, expected);
    if (i == 10) {
      Brush brush;
      brush.tool = "add";
      runner.poke(brush);
      runner.setParameters(with({{"growth", "0.9"}}));
      EXPECT_EQ(settled(runner).frame, static_cast<std::uint64_t>(i + 2)) << "no frame beside those of the steps";
    }
    runner.frameTaken();
  }
}

TEST(Runner, LockstepStopsNoCommand) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setLockstep(5);
  runner.play();
  await(runner, [](const RunnerStatus& s) { return s.steps == 5; });
  runner.reset(3);
  EXPECT_EQ(settled(runner).seed, 3u);
  runner.setDevice("cpu", 2);
  EXPECT_EQ(settled(runner).device.threads, 2);
  runner.pause();
  EXPECT_FALSE(settled(runner).playing);
  runner.stepOnce();
  runner.waitUntilIdle();  // the frame is not taken: there is nothing to wait for
  runner.frameTaken();
  EXPECT_EQ(await(runner, [](const RunnerStatus& s) { return s.steps == 5; }).steps, 5);
  runner.play();
  runner.setPace(kFast);
  runner.setLockstep(std::nullopt);
  await(runner, [](const RunnerStatus& s) { return s.steps > 100; });
  runner.setLockstep(4);
  await(runner, [](const RunnerStatus& s) { return s.steps > 100; });
  // Destroyed here with a frame that nobody takes.
}

TEST(Runner, LockstepLeftInTheMiddleOfAFrameShowsWhereTheRunStands) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.waitUntilIdle();
  runner.setLockstep(2000000000);
  fake::gate().close();
  runner.play();
  fake::gate().awaitArrival();
  runner.pause();
  runner.setLockstep(std::nullopt);
  fake::gate().open();
  std::int64_t steps = 0;
  runner.save([&](const State& state) { steps = state.steps; });
  EXPECT_EQ(settled(runner).steps, steps);
  EXPECT_GT(steps, 0);
  EXPECT_LT(steps, 2000000000);
  EXPECT_EQ(runner.newestFrame()->steps, steps);
}

// The steps and the epoch of every frame that a playing run shows, until the condition holds.
template <class Condition>
std::vector<RunnerStatus> watched(Runner& runner, Condition condition) {
  std::vector<RunnerStatus> seen;
  await(runner, [&](const RunnerStatus& s) {
    if (seen.empty() || seen.back().frame != s.frame) seen.push_back(s);
    return condition(s);
  });
  return seen;
}

TEST(Runner, StartsAgainWithItsSeedAndKeyframesAtTheEndOfALoop) {
  Runner runner(fake::description(), with({}), 7, "cpu", 1);
  Timeline keyframes;
  keyframes.tracks.push_back({"growth", {{0, 1}, {10, 1.001}}});
  runner.setTimeline(keyframes);
  runner.setPace({.steps_per_frame = 7, .frames_per_second = 500});
  runner.setEnd(RunEnd{.step = 17, .ending = Ending::Loop});
  const RunnerStatus before = settled(runner);
  fake::counts().takeBatches();
  runner.play();
  const auto frames = watched(runner, [&](const RunnerStatus& s) { return s.epoch >= before.epoch + 3; });
  runner.pause();
  const RunnerStatus after = settled(runner);
  EXPECT_TRUE(after.message.empty()) << after.message;
  EXPECT_THAT(after.refused, testing::IsEmpty());
  EXPECT_EQ(after.seed, 7u);
  EXPECT_EQ(*after.timeline, *before.timeline);
  for (const RunnerStatus& each : frames) {
    EXPECT_THAT(each.steps, testing::AnyOf(0, 7, 14, 17)) << "the end is a frame, and nothing lies beyond";
    if (each.steps == 0) {
      EXPECT_EQ(each.diagnostics, before.diagnostics);
    }
  }
}

TEST(Runner, PausesAtItsEndHoweverFastItGoesAndPlaysOnBeyond) {
  for (const Pace::Mode mode : {Pace::Mode::StepsPerFrame, Pace::Mode::Budget}) {
    Runner runner(fake::description(), with({}), 1, "cpu", 1);
    runner.setPace({.mode = mode, .steps_per_frame = 1000000, .frames_per_second = 0, .budget_ms = 50});
    runner.setEnd(RunEnd{.step = 1237, .ending = Ending::Pause});
    runner.play();
    const RunnerStatus end = await(runner, [](const RunnerStatus& s) { return s.at_end; });
    EXPECT_EQ(settled(runner).steps, 1237);
    EXPECT_EQ(runner.newestFrame()->steps, 1237) << "and it is shown";
    EXPECT_FALSE(end.playing);
    runner.play();
    EXPECT_FALSE(await(runner, [](const RunnerStatus& s) { return s.steps > 1237; }).at_end);
    runner.reset();
    await(runner, [](const RunnerStatus& s) { return s.at_end; });
    EXPECT_EQ(settled(runner).steps, 1237) << "playing goes on over a reset, to the same end";
  }
}

TEST(Runner, LosesNoWorkToALoop) {
  const auto brush = [] { return Brush{.tool = "add", .begins = true}; };
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  const auto playBeyond = [&](const char* what) {
    const std::uint64_t epoch = settled(runner).epoch;
    runner.play();
    await(runner, [](const RunnerStatus& s) { return s.steps > 40; });
    runner.pause();
    EXPECT_EQ(settled(runner).epoch, epoch) << what;
  };
  runner.setPace(kFast);
  runner.setEnd(RunEnd{.step = 20, .ending = Ending::Loop});
  for (int i = 0; i < 7; ++i) runner.stepOnce();
  EXPECT_EQ(settled(runner).steps, 21) << "single steps go on";
  playBeyond("beyond the end there is none");

  runner.reset();
  runner.poke(brush());
  playBeyond("a run with a stroke");

  runner.setTimeline({});
  runner.reset();
  runner.stepOnce();
  runner.load(std::make_shared<State>(saved(runner)));
  playBeyond("a run that was loaded");

  runner.reset();
  runner.setEnd(std::nullopt);
  playBeyond("told to go on");

  runner.reset();
  runner.poke(brush());
  runner.setEnd(RunEnd{.step = 20, .ending = Ending::Loop, .with_strokes = true});
  const RunnerStatus painted = settled(runner);
  runner.play();
  await(runner, [&](const RunnerStatus& s) { return s.epoch > painted.epoch && s.steps == 0; });
  runner.pause();
  EXPECT_EQ(settled(runner).timeline->strokes.size(), 1u) << "a loop that was asked for brings the stroke back";
}

TEST(Runner, LoopsOverNoNaN) {
  Runner runner(fake::description(), with({{"nan_step", "19"}}), 1, "cpu", 1);
  runner.setPace({.steps_per_frame = 4, .frames_per_second = 0});
  runner.setEnd(RunEnd{.step = 20, .ending = Ending::Loop});
  runner.play();
  EXPECT_THAT(await(runner, [](const RunnerStatus& s) { return s.stopped; }).message, testing::HasSubstr("step 19"));
}

TEST(Runner, EndsNoRecordingAndRefusesAnEndBeforeTheFirstStep) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setEnd(RunEnd{.step = 12});
  runner.setEnd(RunEnd{.step = 0, .ending = Ending::Pause});
  ASSERT_THAT(settled(runner).refused, testing::SizeIs(1));
  EXPECT_THAT(runner.status().refused[0].error, testing::HasSubstr("step 1 or later"));
  const std::uint64_t epoch = settled(runner).epoch;
  runner.setLockstep(5);
  runner.play();
  for (int i = 1; i <= 5; ++i) {
    await(runner, [&](const RunnerStatus& s) { return s.steps >= 5 * i; });
    EXPECT_EQ(settled(runner).steps, 5 * i);
    runner.frameTaken();
  }
  runner.pause();
  EXPECT_EQ(settled(runner).epoch, epoch);
  runner.setLockstep(std::nullopt);
  runner.select(fake::otherDescription(), fake::otherDescription().defaults(), 4);
  runner.setPace(kFast);
  runner.play();
  await(runner, [](const RunnerStatus& s) { return s.steps > 40; });
}

TEST(Runner, TellsTheTimelineAnewOnlyWhereItChanged) {
  Timeline timeline;
  timeline.strokes = {{"add", {{2, {.tool = "add", .begins = true}}}}};
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.setPace({.steps_per_frame = 5, .frames_per_second = 0});
  const auto first = settled(runner).timeline;
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(first->empty());
  runner.stepOnce();
  EXPECT_EQ(settled(runner).timeline, first);
  runner.poke({.tool = "add", .begins = true});
  const auto poked = settled(runner).timeline;
  ASSERT_EQ(poked->strokes.size(), 1u);
  EXPECT_EQ(poked->strokes[0].events[0].step, 5);

  runner.setTimeline(timeline);
  RunnerStatus status = settled(runner);
  EXPECT_EQ(*status.timeline, timeline);
  EXPECT_EQ(status.steps, 2) << "back to the first stroke that differs";
  EXPECT_EQ(status.epoch, 2u);
  EXPECT_EQ(runner.newestFrame()->steps, 2);
  EXPECT_NEAR(status.diagnostics[0], 2, 2e-3);
  runner.setTimeline({{{"none", {}}}, {}, 1});
  ASSERT_THAT(settled(runner).refused, testing::SizeIs(1));
  EXPECT_THAT(runner.status().refused[0].error, testing::HasSubstr("strokes[0].tool"));
  EXPECT_EQ(*settled(runner).timeline, timeline);

  runner.select(fake::description(), with({}), 4, timeline);
  runner.stepOnce();
  status = settled(runner);
  EXPECT_EQ(*status.timeline, timeline);
  EXPECT_NEAR(status.diagnostics[0], 2, 2e-3);
  runner.select(fake::otherDescription(), fake::otherDescription().defaults(), 4);
  EXPECT_TRUE(settled(runner).timeline->empty());
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

Timeline strokesAt(std::initializer_list<std::int64_t> steps) {
  Timeline timeline;
  for (const std::int64_t step : steps) timeline.strokes.push_back({"add", {{step, {.tool = "add", .begins = true}}}});
  return timeline;
}

State runFor(const Timeline& timeline, int steps) {
  Stepper stepper(fake::description(), compute::Device::open("cpu", 1), with({{"growth", "0.99"}}), 7);
  stepper.setTimeline(timeline);
  stepper.step(steps);
  return stepper.save();
}

// At step 60 with strokes at 20, 40, and 50, and no copies of its state to go back to; a gate is closed before the way.
class RunnerReplay : public testing::Test {
 protected:
  Runner runner{fake::description(), with({{"growth", "0.99"}}), 7, "cpu", 1};
  void SetUp() override {
    runner.setTimeline(strokesAt({20, 40, 50}));
    runner.load(std::make_shared<State>(runFor(strokesAt({20, 40, 50}), 60)));
    ASSERT_EQ(settled(runner).steps, 60);
    fake::gate().close();
  }
  void TearDown() override { fake::gate().open(); }
  void goBackTo(const Timeline& timeline) {
    runner.setTimeline(timeline);
    fake::gate().awaitArrival();
    await(runner, [&](const RunnerStatus& s) { return s.replay && *s.timeline == timeline; });
  }
};

TEST_F(RunnerReplay, TellsHowFarAndWaitsForNothing) {
  goBackTo(strokesAt({20, 40}));
  const RunnerStatus status = runner.status();
  EXPECT_EQ(status.replay->from, 0);
  EXPECT_EQ(status.replay->to, 50);
  EXPECT_TRUE(status.busy);
  runner.play();
  runner.setParameters(with({{"growth", "0.5"}}));
  runner.pause();
  EXPECT_EQ(runner.status().parameters.real("growth"), 0.99) << "it waits for the end of the way";
  fake::gate().open();
  const RunnerStatus arrived = settled(runner);
  EXPECT_FALSE(arrived.replay || arrived.busy);
  EXPECT_EQ(arrived.steps, 50);
  EXPECT_EQ(arrived.parameters.real("growth"), 0.5);
  EXPECT_EQ(saved(runner).arrays[0].bytes, runFor(strokesAt({20, 40}), 50).arrays[0].bytes);
  EXPECT_EQ(arrived.kept_states, 2u) << "before the strokes that it passed";
}

TEST_F(RunnerReplay, ParametersThatWaitForTheEndAreRefusedThereTogether) {
  goBackTo(strokesAt({20, 40}));
  fake::counts().poke_ms = 50;  // commands come between the strokes on the way
  const CommandId bad = runner.setParameters(with({{"growth", "0.99"}, {"trouble", "refused"}}));
  runner.setPace(kFast);  // so that the next set does not take its place
  const CommandId worse = runner.setParameters(with({{"growth", "0.5"}, {"trouble", "refused"}}));
  EXPECT_THAT(runner.status().refused, testing::IsEmpty());
  fake::gate().open();
  const RunnerStatus status = settled(runner);
  fake::counts().poke_ms = 0;
  EXPECT_FALSE(status.replay);
  EXPECT_EQ(status.steps, 50);
  ASSERT_THAT(status.refused, testing::ElementsAre(idIs(worse)));
  EXPECT_EQ(status.refused[0].first, bad);
  EXPECT_EQ(status.refused[0].parameter, "trouble");
  EXPECT_EQ(status.parameters, with({{"growth", "0.99"}}));
  EXPECT_EQ(status.message, "");
}

TEST_F(RunnerReplay, AResetIsDoneThoughWhatWaitedIsRefused) {
  goBackTo(strokesAt({20, 40}));
  fake::counts().poke_ms = 50;
  const CommandId bad = runner.setParameters(with({{"growth", "0.99"}, {"trouble", "refused"}}));
  runner.reset(9);
  fake::gate().open();
  const RunnerStatus status = settled(runner);
  fake::counts().poke_ms = 0;
  EXPECT_EQ(status.seed, 9u);
  EXPECT_EQ(status.steps, 0);
  EXPECT_THAT(status.refused, testing::ElementsAre(idIs(bad)));
}

// A scene with thousands of costly strokes at its first step: commands come between them, and the run can be kept where
// it is.
TEST(RunnerStrokes, OfOneStepTakeTheirTimeAndCanBeLeft) {
  Timeline many;
  for (int i = 0; i < 400; ++i) many.strokes.push_back(strokesAt({0}).strokes.front());
  const std::vector<std::byte> whole = runFor(many, 2).arrays[0].bytes;
  fake::counts().poke_ms = 3;
  Runner runner(fake::description(), with({{"growth", "0.99"}}), 7, "cpu", 1);
  runner.setTimeline(many);
  await(runner, [](const RunnerStatus& s) { return s.replay && s.replay->strokes_left > 0; });
  runner.endReplay();
  const RunnerStatus left = settled(runner);
  EXPECT_FALSE(left.replay);
  EXPECT_EQ(left.steps, 0);
  fake::counts().poke_ms = 1;
  runner.setPace({.steps_per_frame = 2, .frames_per_second = 0});
  runner.stepOnce();
  EXPECT_EQ(settled(runner).steps, 2);
  EXPECT_EQ(saved(runner).arrays[0].bytes, whole) << "the rest came before the step";
  fake::counts().poke_ms = 0;
}

TEST_F(RunnerReplay, ChangesItsAimAtOnce) {
  goBackTo(strokesAt({20, 40}));
  runner.setTimeline(strokesAt({20}));
  fake::gate().open();
  EXPECT_EQ(settled(runner).steps, 40);
  EXPECT_EQ(saved(runner).arrays[0].bytes, runFor(strokesAt({20}), 40).arrays[0].bytes);
  runner.setTimeline(strokesAt({20, 40, 50}));
  runner.setPace({.steps_per_frame = 20, .frames_per_second = 0});
  runner.stepOnce();
  EXPECT_EQ(settled(runner).steps, 60);
  EXPECT_EQ(saved(runner).arrays[0].bytes, runFor(strokesAt({20, 40, 50}), 60).arrays[0].bytes);
}

TEST_F(RunnerReplay, StaysWhereItIsWhenTold) {
  goBackTo(strokesAt({20, 40}));
  runner.endReplay();
  fake::gate().open();
  const RunnerStatus status = settled(runner);
  EXPECT_FALSE(status.replay);
  ASSERT_LE(status.steps, 50);
  EXPECT_EQ(runner.newestFrame()->steps, status.steps);
  EXPECT_EQ(saved(runner).arrays[0].bytes, runFor(strokesAt({20, 40}), static_cast<int>(status.steps)).arrays[0].bytes);
}

TEST_F(RunnerReplay, GivesWayToAResetAnotherRunOrTheEnd) {
  goBackTo(strokesAt({20, 40}));
  runner.reset(9);
  fake::gate().open();
  RunnerStatus status = settled(runner);
  EXPECT_EQ(status.steps, 0);
  EXPECT_EQ(status.seed, 9u);
  EXPECT_FALSE(status.replay);
  runner.load(std::make_shared<State>(runFor(strokesAt({20, 40}), 60)));
  runner.waitUntilIdle();
  fake::gate().close();
  goBackTo(strokesAt({}));
  runner.select(fake::otherDescription(), fake::otherDescription().defaults(), 1);
  fake::gate().open();
  EXPECT_EQ(settled(runner).description, &fake::otherDescription());
  EXPECT_FALSE(runner.status().replay);
}

// What depends on how steps are grouped, if only in the last bit, is then the same in every recording.
TEST(Runner, LockstepStepsInTheBatchesOfTheStepper) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.waitUntilIdle();
  fake::counts().takeBatches();
  runner.setLockstep(250'001);
  runner.stepOnce();
  EXPECT_EQ(await(runner, [](const RunnerStatus& s) { return s.steps > 0; }).steps, 250'001);
  EXPECT_THAT(fake::counts().takeBatches(), testing::ElementsAre(100'000, 100'000, 50'001));
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
