// What a session does in the past of its run, and how fast it shows it.
#include "app/session/past_range.h"
#include "sims/core/registry.h"
#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

class InThePast : public ASession {
 protected:
  void settle() {
    for (int i = 0; i < 3; ++i) {
      untilSettled();
      session.commitEdits(false);
    }
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) session.step();
    settle();
  }
  void stroke(double x) {
    session.poke({.tool = "brush", .x = x, .radius = 1, .begins = true});
    settle();
  }
  double painted() const { return session.status.diagnostics.at(1); }
  std::size_t strokes() const { return session.scene.timeline.strokes.size(); }
  std::string undoLabel() const { return session.undoLabel() ? *session.undoLabel() : ""; }

  // At step 12: a stroke at 4, speed 4 from 6 on, a stroke at 8.
  void live() {
    steps(4);
    stroke(0.2);
    steps(2);
    set("speed", 4.0);
    settle();
    steps(2);
    stroke(0.4);
    steps(4);
    ASSERT_EQ(session.status.steps, 12);
    ASSERT_EQ(session.undoDepth(), 3u);
  }
};

TEST_F(InThePast, ShowsWhatWasThereAndReturnsToThePresent) {
  live();
  session.scrub(5, false);
  EXPECT_TRUE(session.inPast());
  settle();
  EXPECT_EQ(session.status.steps, 5);
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(painted(), 1);
  EXPECT_EQ(session.undoDepth(), 3u) << "looking changes nothing";
  session.stepBack();
  session.stepBack();
  settle();
  EXPECT_EQ(session.status.steps, 3);
  EXPECT_EQ(painted(), 0);
  for (int i = 0; i < 4; ++i) session.step();
  settle();
  EXPECT_EQ(session.status.steps, 7);
  EXPECT_EQ(text("speed"), "4");
  session.undo();  // back to the present
  settle();
  EXPECT_FALSE(session.inPast());
  EXPECT_EQ(session.status.steps, 12);
  EXPECT_EQ(text("speed"), "4");
  EXPECT_EQ(painted(), 2);
  EXPECT_EQ(strokes(), 2u);
  EXPECT_EQ(session.undoDepth(), 3u);
}

TEST_F(InThePast, PlayingOnIsABranchThatUndoBringsBack) {
  live();
  const std::size_t samples = session.history.samples();
  session.scrub(5, false);
  settle();
  session.togglePlay();
  until([&] { return session.status.steps > 20; });
  session.togglePlay();
  settle();
  EXPECT_FALSE(session.inPast());
  EXPECT_EQ(strokes(), 1u);
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(painted(), 1);
  EXPECT_EQ(undoLabel(), "Going on from step 5");
  EXPECT_EQ(session.undoDepth(), 4u);
  const std::int64_t branch = session.status.steps;
  session.undo();
  settle();
  EXPECT_EQ(session.status.steps, 12);
  EXPECT_EQ(strokes(), 2u);
  EXPECT_EQ(text("speed"), "4");
  EXPECT_EQ(session.status.parameters.real("speed"), 4);
  EXPECT_EQ(painted(), 2);
  EXPECT_EQ(session.history.samples(), samples);
  EXPECT_EQ(undoLabel(), "Brush stroke");
  session.redo();
  settle();
  EXPECT_EQ(session.status.steps, branch);
  EXPECT_EQ(strokes(), 1u);
  EXPECT_EQ(text("speed"), "1");
  session.undo();
  session.undo();  // the stroke of step 8
  settle();
  EXPECT_EQ(strokes(), 1u);
  EXPECT_EQ(session.status.steps, 8);
  EXPECT_EQ(text("speed"), "4");
}

TEST_F(InThePast, AChangeThereIsABranchOfItsOwnName) {
  live();
  session.scrub(7, false);
  settle();
  set("speed", 2.0);
  settle();
  EXPECT_FALSE(session.inPast());
  EXPECT_EQ(session.status.steps, 7);
  EXPECT_EQ(session.status.parameters.real("speed"), 2);
  EXPECT_EQ(undoLabel(), "Speed");
  EXPECT_EQ(strokes(), 1u);
  session.undo();
  settle();
  EXPECT_EQ(session.status.steps, 12);
  EXPECT_EQ(text("speed"), "4");
  EXPECT_EQ(session.status.parameters.real("speed"), 4);

  session.scrub(6, false);
  settle();
  stroke(0.9);
  settle();
  EXPECT_EQ(strokes(), 2u);
  EXPECT_EQ(session.scene.timeline.strokes[1].events[0].step, 6);
  while (session.undoDepth() > 3) {  // branch and stroke are one step, or two
    session.undo();
    settle();
  }
  EXPECT_EQ(session.status.steps, 12);
  EXPECT_EQ(painted(), 2);
}

TEST_F(InThePast, AResetAndAPresetBeginWithThePresentsScene) {
  live();
  session.scrub(2, false);
  settle();
  session.reset();
  settle();
  EXPECT_EQ(text("speed"), "4");
  EXPECT_EQ(session.status.steps, 0);
  EXPECT_EQ(strokes(), 2u);
  steps(12);
  EXPECT_EQ(painted(), 2);
  session.scrub(2, false);
  settle();
  session.selectPreset("above");
  settle();
  EXPECT_FALSE(session.inPast());
  EXPECT_EQ(undoLabel(), "Preset From above");
  session.undo();
  settle();
  EXPECT_EQ(text("speed"), "4");
  EXPECT_EQ(strokes(), 2u);
}

TEST_F(InThePast, TheMemoryForItIsChosen) {
  steps(3);
  session.setPastMemory(5 << 20);
  settle();
  EXPECT_EQ(session.status.past.budget, std::size_t{5} << 20);
  session.setPastMemory(0);
  settle();
  EXPECT_GT(session.status.past.budget, std::size_t{5} << 20);
}

TEST(PastRange, HasThePastThePresentAndTheEnd) {
  RunnerStatus status;
  status.steps = status.past.last = 100;
  status.time = 10;
  status.time_step = 0.1;
  PastRange range = pastRange(status, RunEnd{.step = 400});
  EXPECT_EQ(range.right, 400);
  EXPECT_DOUBLE_EQ(range.placeOf(100), 0.25);
  EXPECT_EQ(range.stepAt(0.125), 50);
  EXPECT_EQ(range.stepAt(0.9), 100) << "the future is not there yet";
  EXPECT_EQ(range.stepAt(-1), 0);
  range = pastRange(status, RunEnd{.step = 80});
  EXPECT_EQ(range.right, 100);
  EXPECT_EQ(range.end, 80);
  EXPECT_NEAR(timeOfStep(status, 50), 5, 1e-9);
  status.steps = status.past.last = 0;
  range = pastRange(status, std::nullopt);
  EXPECT_EQ(range.stepAt(1), 0);
  EXPECT_EQ(workText(status), "");
  status.work.kind = RunnerStatus::Work::Steps;
  status.work.steps = 1;
  status.work.seconds = 2.5;
  EXPECT_EQ(workText(status), "computing 1 step, 2.5 s");
}

// The cure of a step that is too long makes the film no slower.
TEST(SessionSpeed, StaysWhenTheTimeStepChanges) {
  const Description* const tunneling = &simulationById("tunneling");
  SessionOptions options;
  options.scene = Scene::fromPreset(*tunneling, tunneling->presets.front().key);
  options.device = "cpu";
  options.threads = 1;
  Session session(options);
  const auto settle = [&] {
    for (int i = 0; i < 3; ++i) {
      session.runner().waitUntilIdle();
      session.poll(0);
      session.commitEdits(false);
    }
  };
  settle();
  const double speed = session.speed();
  EXPECT_DOUBLE_EQ(speed, session.usualSpeed());
  const int steps = session.pace.steps_per_frame;
  const std::size_t index = session.scene.parameters.find("time_step");
  const double step = session.scene.parameters.real("time_step");
  session.setParameter(index, step / 10);
  settle();
  EXPECT_EQ(session.speed(), speed);
  EXPECT_EQ(session.pace.steps_per_frame, 10 * steps);
  EXPECT_EQ(session.scene.steps_per_frame, 10 * steps) << "a recording is as fast";
  session.undo();
  settle();
  EXPECT_EQ(session.scene.parameters.real("time_step"), step);
  EXPECT_EQ(session.pace.steps_per_frame, steps);
  EXPECT_EQ(session.speed(), speed);
  session.setSpeed(2 * speed);
  EXPECT_EQ(session.pace.steps_per_frame, 2 * steps);
  EXPECT_EQ(session.speed(), 2 * speed);
  session.setSpeed(-1);
  EXPECT_EQ(session.speed(), 2 * speed);
}

}  // namespace
}  // namespace simscope::gui
