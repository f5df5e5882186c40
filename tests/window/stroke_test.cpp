#include "app/session/mouse_stroke.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace simscope::gui {
namespace {

constexpr MouseStroke::Tip kTip{.radius = 4, .strength = 2};

TEST(AStroke, OnAFieldBeginsWithThePress) {
  MouseStroke stroke("heat", Gesture::Paint, Domain::Plane);
  const std::vector<Brush> events = stroke.press({3, -5}, kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].tool, "heat");
  EXPECT_EQ(events[0].x, 3);
  EXPECT_EQ(events[0].y, -5);
  EXPECT_EQ(events[0].dx, 0);
  EXPECT_EQ(events[0].dy, 0);
  EXPECT_EQ(events[0].radius, 4);
  EXPECT_EQ(events[0].strength, 2);
  EXPECT_TRUE(events[0].begins);
  EXPECT_FALSE(stroke.move({4, -5}, kTip).at(0).begins) << "only the first event begins the run's stroke";
  EXPECT_TRUE(stroke.release(kTip).empty());
}

TEST(AStroke, LeavesNoGapsInAFastDrag) {
  MouseStroke stroke("heat", Gesture::Paint, Domain::Plane);
  stroke.press({0, 0}, kTip);
  const std::vector<Brush> events = stroke.move({30, -40}, kTip);
  EXPECT_EQ(events.size(), 25u);
  double x = 0, y = 0;
  for (const Brush& event : events) {
    EXPECT_LE(std::hypot(event.dx, event.dy), 0.5 * kTip.radius * (1 + 1e-12));
    x += event.dx;
    y += event.dy;
    EXPECT_NEAR(event.x, x, 1e-12);
    EXPECT_NEAR(event.y, y, 1e-12);
  }
  EXPECT_EQ(events.back().x, 30);
  EXPECT_EQ(events.back().y, -40);
  EXPECT_EQ(stroke.move({30.5, -40}, kTip).size(), 1u) << "a small motion is one event";
  EXPECT_TRUE(stroke.move({30.5, -40}, kTip).empty()) << "and none is none";
}

TEST(AStroke, OnCurvesHasADirectionFromItsFirstEventOn) {
  MouseStroke stroke("kick", Gesture::Paint, Domain::Line);
  EXPECT_TRUE(stroke.press({10, 0.7}, kTip).empty());
  EXPECT_TRUE(stroke.move({10, 0.2}, kTip).empty()) << "y is a value there, no place";
  const std::vector<Brush> events = stroke.move({9, 0.5}, kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].dx, -1);
  EXPECT_TRUE(events[0].begins);
  EXPECT_EQ(events[0].y, 0);
  EXPECT_EQ(events[0].dy, 0);
  EXPECT_TRUE(stroke.release(kTip).empty());
}

TEST(AStroke, OnCurvesAClickIsOneEvent) {
  MouseStroke stroke("kick", Gesture::Paint, Domain::Line);
  stroke.press({10, 0.7}, kTip);
  const std::vector<Brush> events = stroke.release(kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].x, 10);
  EXPECT_EQ(events[0].dx, 0);
  EXPECT_TRUE(stroke.release(kTip).empty());
}

TEST(AStroke, InSpacePaintsInThreeDimensions) {
  MouseStroke stroke("heat", Gesture::Paint, Domain::Space);
  EXPECT_EQ(stroke.press({1, 2, 3}, kTip).front().z, 3);
  const std::vector<Brush> events = stroke.move({1, 2, 13}, kTip);
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events.front().dz, 2);
  EXPECT_EQ(events.back().z, 13);
}

TEST(ALaunch, IsOneEventAtTheReleaseWithTheWholeDrag) {
  MouseStroke stroke("packet", Gesture::Launch, Domain::Space);
  EXPECT_TRUE(stroke.press({1, 2, 3}, kTip).empty());
  EXPECT_TRUE(stroke.move({5, 5, 5}, kTip).empty());
  EXPECT_TRUE(stroke.move({2, 4, 7}, kTip).empty());
  const std::vector<Brush> events = stroke.release(kTip);
  ASSERT_EQ(events.size(), 1u);
  const Brush& event = events.front();
  EXPECT_EQ(event.tool, "packet");
  EXPECT_EQ((std::array{event.x, event.y, event.z}), (std::array{1.0, 2.0, 3.0}));
  EXPECT_EQ((std::array{event.dx, event.dy, event.dz}), (std::array{1.0, 2.0, 4.0}));
  EXPECT_EQ(event.strength, 2);
  EXPECT_TRUE(stroke.release(kTip).empty()) << "once";
}

TEST(ALaunch, WithoutADragStartsAtRest) {
  MouseStroke stroke("packet", Gesture::Launch, Domain::Plane);
  stroke.press({1, 2, 9}, kTip);
  const std::vector<Brush> events = stroke.release(kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].x, 1);
  EXPECT_EQ(events[0].z, 0) << "in the plane there is none";
  EXPECT_EQ(events[0].dx, 0);
  EXPECT_EQ(events[0].dy, 0);
}

TEST(ALaunch, OnCurvesGoesAlongX) {
  MouseStroke stroke("packet", Gesture::Launch, Domain::Line);
  stroke.press({1, 2}, kTip);
  stroke.move({4, 7}, kTip);
  const Brush event = stroke.release(kTip).front();
  EXPECT_EQ(event.dx, 3);
  EXPECT_EQ(event.y, 0);
  EXPECT_EQ(event.dy, 0);
}

TEST(APlace, FollowsTheMouseWithoutRadiusOrStrength) {
  MouseStroke stroke("probe", Gesture::Place, Domain::Plane);
  std::vector<Brush> events = stroke.press({1, 2}, kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].radius, 0);
  EXPECT_EQ(events[0].strength, 1);
  events = stroke.move({50, 2}, kTip);
  ASSERT_EQ(events.size(), 1u) << "however far the mouse went";
  EXPECT_EQ(events[0].x, 50);
  EXPECT_EQ(events[0].dx, 49);
  EXPECT_TRUE(stroke.move({50, 2}, kTip).empty());
  EXPECT_TRUE(stroke.release(kTip).empty());
}

TEST(AStroke, PassesOverPlacesThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  MouseStroke stroke("heat", Gesture::Paint, Domain::Plane);
  EXPECT_TRUE(stroke.press({nan, 0}, kTip).empty());
  EXPECT_TRUE(stroke.move({1, 1}, kTip).empty()) << "it has not begun";
  EXPECT_EQ(stroke.press({0, 0}, kTip).size(), 1u);
  EXPECT_TRUE(stroke.move({nan, 0}, kTip).empty());
  EXPECT_EQ(stroke.move({1, 0}, kTip).size(), 1u);
  EXPECT_EQ(stroke.move({50, 0}, {.radius = 0, .strength = 1}).size(), 1u) << "no radius: no spacing";
  EXPECT_LE(stroke.move({1e9, 0}, {.radius = 1e-9, .strength = 1}).size(), 4096u);
}

}  // namespace
}  // namespace simscope::gui
