// Runs in lockstep with who takes their frames, and runs that end.
#include "sims/core/run/runner_testing.h"

namespace simscope {
namespace {

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

TEST(Runner, LockstepStepsInTheBatchesOfTheStepper) {
  Runner runner(fake::description(), with({}), 1, "cpu", 1);
  runner.waitUntilIdle();
  fake::counts().takeBatches();
  runner.setLockstep(250'001);
  runner.stepOnce();
  EXPECT_EQ(await(runner, [](const RunnerStatus& s) { return s.steps > 0; }).steps, 250'001);
  EXPECT_THAT(fake::counts().takeBatches(), testing::ElementsAre(100'000, 100'000, 50'001));
}

}  // namespace
}  // namespace simscope
