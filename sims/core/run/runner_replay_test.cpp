// Runs that go back to before a change, and are computed anew from there.
#include "sims/core/run/runner_testing.h"

namespace simscope {
namespace {

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
  EXPECT_EQ(arrived.past.states, 2u) << "before the strokes that it passed";
}

TEST_F(RunnerReplay, ParametersThatWaitForTheEndAreRefusedThereTogether) {
  goBackTo(strokesAt({20, 40}));
  fake::counts().poke_ms = 50;  // commands come between the strokes on the way
  runner.setParameters(with({{"growth", "0.99"}, {"trouble", "refused"}}));
  runner.setPace(kFast);  // so that the next set does not take its place
  const CommandId worse = runner.setParameters(with({{"growth", "0.5"}, {"trouble", "refused"}}));
  EXPECT_THAT(runner.status().refused, testing::IsEmpty());
  fake::gate().open();
  const RunnerStatus status = settled(runner);
  fake::counts().poke_ms = 0;
  EXPECT_FALSE(status.replay);
  EXPECT_EQ(status.steps, 50);
  ASSERT_THAT(status.refused, testing::ElementsAre(idIs(worse)));
  EXPECT_EQ(status.refused[0].wanted, with({{"growth", "0.5"}, {"trouble", "refused"}}));
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
  ASSERT_THAT(status.refused, testing::ElementsAre(idIs(bad)));
  EXPECT_FALSE(status.changes_wait);
}

TEST_F(RunnerReplay, AChangeThatWaitedIsRefusedAsOne) {
  goBackTo(strokesAt({20, 40}));
  const ParameterSet wanted = with({{"growth", "0.99"}, {"trouble", "refused"}});
  const CommandId bad = runner.change(wanted, {wanted.find("trouble")});
  fake::gate().open();
  const RunnerStatus status = settled(runner);
  ASSERT_THAT(status.refused, testing::ElementsAre(idIs(bad)));
  EXPECT_THAT(status.refused[0].changed, testing::ElementsAre(wanted.find("trouble")));
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

}  // namespace
}  // namespace simscope
