#include "app/session/opened_run.h"

#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

class AnOpenedRun : public ASession {
 protected:
  sweep::Plan plan(const std::string& axis) const {
    std::vector<std::string> notes;
    const Description& description = *session.scene.description;
    return sweep::makePlan(session.scene, {sweep::readAxis(description, axis)}, {description.diagnostics.front().key},
                           5, notes);
  }
  void settle() {
    untilSettled();
    session.commitEdits(false);
  }
};

TEST_F(AnOpenedRun, PlaysFromItsBeginningAndIsOneStepOfUndo) {
  session.step();
  until([&] { return session.status.steps > 0; });
  settle();
  const std::string before = text("speed");
  const std::uint64_t epoch = session.status.epoch;
  openRun(session, plan("speed=2:4:3"), 1);
  until([&] { return session.status.epoch != epoch && session.playing(); });
  EXPECT_EQ(text("speed"), "3");
  session.togglePlay();
  settle();
  ASSERT_NE(session.undoLabel(), nullptr);
  session.undo();
  settle();
  EXPECT_EQ(text("speed"), before);
}

TEST_F(AnOpenedRun, BringsTheWholeSceneWhereAnotherIsOpen) {
  const sweep::Plan made = plan("ring=10:30:3");
  Timeline other = session.scene.timeline;
  Track track;
  track.key = "speed";
  track.keyframes = {{0, 1}, {1, 2}};
  other.tracks.push_back(track);
  session.setTimeline(other, "Keyframes");
  settle();
  openRun(session, made, 2);
  settle();
  EXPECT_EQ(text("ring"), "30");
  EXPECT_TRUE(session.scene.timeline.tracks.empty());
  session.undo();
  settle();
  EXPECT_EQ(session.scene.timeline.tracks.size(), 1u);
}

}  // namespace
}  // namespace simscope::gui
