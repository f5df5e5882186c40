// What a session takes back and redoes.
#include <algorithm>

#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

class Undoing : public ASession {
 protected:
  // Until the run has answered, and what it was asked for is a step.
  void settle() {
    untilSettled();
    session.commitEdits(false);
  }
  std::string undoLabel() const { return session.undoLabel() ? *session.undoLabel() : ""; }
  void stroke(double x) {
    session.poke({.tool = "brush", .x = x, .radius = 1, .begins = true});
    session.poke({.tool = "brush", .x = x + 0.1, .radius = 1});
  }
  double painted() const { return session.status.diagnostics.at(1); }
  std::size_t strokes() const { return session.scene.timeline.strokes.size(); }
};

TEST_F(Undoing, AParameterChangesTheRunBackAndForth) {
  set("speed", 4.0);
  settle();
  EXPECT_EQ(undoLabel(), "Speed");
  session.undo();
  settle();
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(session.status.parameters.real("speed"), 1);
  EXPECT_EQ(undoLabel(), "");
  session.redo();
  settle();
  EXPECT_EQ(session.status.parameters.real("speed"), 4);
  EXPECT_EQ(session.undoDepth(), 1u);
}

TEST_F(Undoing, ASimulationThatIsStartedWithOneOfItsPresetsIsOneStep) {
  session.scene.figure.theme = render::Theme::Light;
  session.start(sampleSimulation(), "above");
  settle();
  EXPECT_EQ(session.scene.preset, "above");
  EXPECT_EQ(session.status.parameters, sampleSimulation().preset("above"));
  EXPECT_EQ(session.scene.figure.theme, render::Theme::Light);
  EXPECT_EQ(session.undoDepth(), 1u);
  session.undo();
  settle();
  EXPECT_EQ(session.scene.preset, "usual");
}

TEST_F(Undoing, WhatTheMouseDragsIsOneStep) {
  for (const double speed : {2.0, 3.0, 4.0}) {
    set("speed", speed);
    untilSettled();
    session.commitEdits(true);
  }
  settle();
  EXPECT_EQ(session.undoDepth(), 1u);
  session.undo();
  settle();
  EXPECT_EQ(text("speed"), "1");
}

TEST_F(Undoing, WhatTheRunRefusedIsNoStep) {
  set("formula", std::string("x*y + q"));
  session.commitEdits(false);
  EXPECT_EQ(session.undoDepth(), 0u) << "the run has not answered yet";
  until([&] { return !session.refusals.empty(); });
  settle();
  EXPECT_EQ(session.undoDepth(), 0u);
  session.selectPreset("broken");
  until([&] { return !session.messages.empty(); });
  settle();
  EXPECT_EQ(session.undoDepth(), 0u);
}

TEST_F(Undoing, AStrokeTakesTheRunBackToBeforeIt) {
  session.step();
  stroke(0.2);
  settle();
  session.step();
  stroke(-0.3);
  settle();
  EXPECT_EQ(painted(), 4);
  ASSERT_EQ(strokes(), 2u);
  EXPECT_EQ(undoLabel(), "Brush stroke");
  const std::int64_t steps = session.status.steps;
  session.undo();
  EXPECT_EQ(strokes(), 1u);
  settle();
  EXPECT_EQ(strokes(), 1u);
  EXPECT_EQ(painted(), 2);
  EXPECT_LE(session.status.steps, steps);
  session.undo();
  settle();
  EXPECT_EQ(painted(), 0);
  session.redo();
  session.redo();
  settle();
  EXPECT_EQ(strokes(), 2u);
  EXPECT_EQ(session.undoDepth(), 2u);
  EXPECT_TRUE(session.messages.empty());
}

TEST_F(Undoing, StrokesDrawnWhileTheRunGoesBackComeAfterIt) {
  stroke(0.2);
  settle();
  session.undo();
  stroke(0.7);  // the run has not answered yet
  settle();
  settle();
  ASSERT_EQ(strokes(), 1u);
  EXPECT_EQ(session.scene.timeline.strokes[0].events[0].brush.x, 0.7);
  EXPECT_EQ(session.redoLabel(), nullptr);
}

TEST_F(Undoing, ClearedStrokesComeBack) {
  stroke(0.2);
  stroke(0.4);
  settle();
  EXPECT_EQ(session.undoDepth(), 2u);
  session.clearStrokes();
  settle();
  EXPECT_EQ(painted(), 0);
  EXPECT_EQ(undoLabel(), "All strokes");
  session.undo();
  settle();
  EXPECT_EQ(strokes(), 2u);
}

TEST_F(Undoing, ALoopTakesNoDrawingAwayUnlessToldTo) {
  session.selectPreset("loops");
  settle();
  stroke(0.5);
  settle();
  ASSERT_EQ(strokes(), 1u);
  const std::uint64_t epoch = session.status.epoch;
  session.togglePlay();
  until([&] { return session.status.steps > 30; });
  EXPECT_EQ(session.status.epoch, epoch);
  session.setAtEnd(AtEnd::Loop);  // with the stroke at hand
  session.reset();
  until([&] { return session.status.epoch > epoch + 2; });
  session.togglePlay();
  settle();
  EXPECT_EQ(strokes(), 1u);
  session.undo();
  settle();
  EXPECT_EQ(strokes(), 0u);
}

TEST_F(Undoing, APresetAndASeedAreSteps) {
  session.setSeed(7);
  settle();
  EXPECT_EQ(undoLabel(), "Seed");
  session.selectPreset("above");
  settle();
  EXPECT_EQ(undoLabel(), "Preset From above");
  session.undo();
  settle();
  EXPECT_EQ(session.scene.preset, "usual");
  EXPECT_EQ(session.scene.figure.view, "");
  EXPECT_FALSE(session.scene.figure.camera);
  session.undo();
  settle();
  EXPECT_EQ(session.status.seed, 1u);
  EXPECT_EQ(session.scene.seed, 1u);
}

TEST_F(Undoing, KeyframesMoveTheRunAndLeaveTheScenesParameters) {
  session.setTimeline({.strokes = {}, .tracks = {{"speed", {{0, 2}, {1, 6}}}}}, "Keyframe of Speed");
  settle();
  EXPECT_EQ(undoLabel(), "Keyframe of Speed");
  for (int i = 0; i < 5; ++i) session.step();
  settle();
  EXPECT_GT(session.status.parameters.real("speed"), 2);
  EXPECT_EQ(text("speed"), "1");
  // Neither an answer nor a refusal takes the keyframed value for the user's.
  set("formula", std::string("q"));
  until([&] { return !session.refusals.empty(); });
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(text("formula"), "x*y");
  set("formula", std::string("x"));
  settle();
  EXPECT_EQ(undoLabel(), "Formula");
  session.selectPreset("broken");
  until([&] { return !session.messages.empty(); });
  settle();
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(session.scene.timeline.tracks.size(), 1u);
  session.undo();
  session.undo();
  settle();
  EXPECT_TRUE(session.scene.timeline.empty());
  EXPECT_EQ(session.status.parameters.real("speed"), 1);
}

TEST_F(Undoing, AKeyframeThatDoesNotFitChangesNothing) {
  EXPECT_THROW(session.setTimeline({.strokes = {}, .tracks = {{"speed", {{0, 99}}}}}, "x"), UsageError);
  settle();
  EXPECT_TRUE(session.scene.timeline.empty());
  EXPECT_EQ(session.undoDepth(), 0u);
}

}  // namespace
}  // namespace simscope::gui
