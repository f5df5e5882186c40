// The mouse moves what parameters say of the plane, and undo takes a gesture back at once.
#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

class Navigating : public ASession {
 protected:
  Navigating() { session.scene.figure.view = "window"; }
  void settle() {
    untilSettled();
    session.commitEdits(false);
  }
  double real(const char* key) const { return session.scene.parameters.real(key); }
};

TEST_F(Navigating, ChangesTheParametersAndTheRunFollows) {
  ASSERT_TRUE(session.navigate({.view = "window", .x = 0.75, .y = 0.5, .factor = 2}));
  settle();
  EXPECT_EQ(real("magnification"), 2);
  EXPECT_EQ(real("middle_x"), 1.5) << "2, which is under the mouse, stays there";
  EXPECT_EQ(real("middle_y"), 0);
  EXPECT_EQ(session.status.parameters.real("middle_x"), 1.5);
  ASSERT_TRUE(session.navigate({.view = "window", .dx = 0.5, .dy = 0.25}));
  settle();
  EXPECT_EQ(real("middle_x"), 0.5);
  EXPECT_EQ(real("middle_y"), -0.375);
  EXPECT_FALSE(session.scene.figure.x || session.scene.figure.y) << "the axes have their whole length";
}

TEST_F(Navigating, IsNothingOnAViewWithAxesOfItsOwn) {
  const ParameterSet before = session.scene.parameters;
  EXPECT_FALSE(session.navigate({.view = "map", .factor = 2}));
  session.scene.figure.view = "map";
  session.fitWindow();
  EXPECT_EQ(session.scene.parameters, before);
}

TEST_F(Navigating, FitsToThePresetsPlaceAndLeavesAllElse) {
  set("speed", 4.0);
  session.navigate({.view = "window", .x = 0.2, .factor = 3});
  session.fitWindow();
  settle();
  EXPECT_EQ(real("magnification"), 1);
  EXPECT_EQ(real("middle_x"), 1);
  EXPECT_EQ(real("speed"), 4);
}

// As the window does: what follows soon is still in the hand.
TEST_F(Navigating, IsOneStepOfUndoAGesture) {
  double now = 100;
  const auto picture = [&](double seconds) {
    session.runner().waitUntilIdle();
    session.poll(now += seconds);
    session.commitEdits(session.navigating());
  };
  picture(0.1);
  const std::size_t before = session.undoDepth();  // the choice of the view
  for (int notch = 0; notch < 5; ++notch) {
    session.navigate({.view = "window", .x = 0.7, .factor = 1.2});
    picture(0.1);
    EXPECT_TRUE(session.navigating());
  }
  EXPECT_EQ(session.undoDepth(), before);
  picture(2);
  EXPECT_FALSE(session.navigating());
  ASSERT_EQ(session.undoDepth(), before + 1);
  ASSERT_NE(session.undoLabel(), nullptr);
  EXPECT_EQ(*session.undoLabel(), "Zoom and pan");
  session.navigate({.view = "window", .dx = 0.1});
  picture(2);
  EXPECT_EQ(session.undoDepth(), before + 2) << "another gesture";
  session.undo();
  session.undo();
  settle();
  EXPECT_EQ(real("magnification"), 1);
  EXPECT_EQ(session.status.parameters.real("middle_x"), 1);
}

}  // namespace
}  // namespace simscope::gui
