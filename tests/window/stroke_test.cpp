#include "app/gui/stroke.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace simscope::gui {
namespace {

constexpr Stroke::Tip kTip{.radius = 4, .strength = 2};

TEST(AStroke, OnAFieldBeginsWithThePress) {
  Stroke stroke("heat", true);
  const std::vector<Brush> events = stroke.press(3, -5, kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].tool, "heat");
  EXPECT_EQ(events[0].x, 3);
  EXPECT_EQ(events[0].y, -5);
  EXPECT_EQ(events[0].dx, 0);
  EXPECT_EQ(events[0].dy, 0);
  EXPECT_EQ(events[0].radius, 4);
  EXPECT_EQ(events[0].strength, 2);
  EXPECT_TRUE(stroke.release(kTip).empty());
}

TEST(AStroke, LeavesNoGapsInAFastDrag) {
  Stroke stroke("heat", true);
  stroke.press(0, 0, kTip);
  const std::vector<Brush> events = stroke.move(30, -40, kTip);
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
  EXPECT_EQ(stroke.move(30.5, -40, kTip).size(), 1u) << "a small motion is one event";
  EXPECT_TRUE(stroke.move(30.5, -40, kTip).empty()) << "and none is none";
}

TEST(AStroke, OnCurvesHasADirectionFromItsFirstEventOn) {
  Stroke stroke("kick", false);
  EXPECT_TRUE(stroke.press(10, 0.7, kTip).empty());
  EXPECT_TRUE(stroke.move(10, 0.2, kTip).empty()) << "y is a value there, no place";
  const std::vector<Brush> events = stroke.move(9, 0.5, kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].dx, -1);
  EXPECT_EQ(events[0].y, 0);
  EXPECT_EQ(events[0].dy, 0);
  EXPECT_TRUE(stroke.release(kTip).empty());
}

TEST(AStroke, OnCurvesAClickIsOneEvent) {
  Stroke stroke("kick", false);
  stroke.press(10, 0.7, kTip);
  const std::vector<Brush> events = stroke.release(kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].x, 10);
  EXPECT_EQ(events[0].dx, 0);
  EXPECT_TRUE(stroke.release(kTip).empty());
}

TEST(AStroke, PassesOverPlacesThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Stroke stroke("heat", true);
  EXPECT_TRUE(stroke.press(nan, 0, kTip).empty());
  EXPECT_TRUE(stroke.move(1, 1, kTip).empty()) << "it has not begun";
  EXPECT_EQ(stroke.press(0, 0, kTip).size(), 1u);
  EXPECT_TRUE(stroke.move(nan, 0, kTip).empty());
  EXPECT_EQ(stroke.move(1, 0, kTip).size(), 1u);
  EXPECT_EQ(stroke.move(50, 0, {.radius = 0, .strength = 1}).size(), 1u) << "no radius: no spacing";
  EXPECT_LE(stroke.move(1e9, 0, {.radius = 1e-9, .strength = 1}).size(), 4096u);
}

}  // namespace
}  // namespace simscope::gui
