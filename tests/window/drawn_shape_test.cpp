// The shapes that a drag draws, as strokes.
#include "app/session/drawn_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/session/mouse_stroke.h"

namespace simscope::gui {
namespace {

constexpr MouseStroke::Tip kTip{.radius = 0.5, .strength = 2};
constexpr double kPi = 3.14159265358979323846;

bool covers(const std::vector<Brush>& events, double x, double y) {
  return std::any_of(events.begin(), events.end(),
                     [&](const Brush& each) { return each.covered(each.radius, 1e-9).holds(x, y); });
}

TEST(ADrawnShape, IsOneStrokeWhoseEventsBeginOnce) {
  for (int i = 1; i <= static_cast<int>(DrawnShape::Fill); ++i) {
    const auto events = eventsOf(static_cast<DrawnShape>(i), "wall", {0, 0}, {4, 2}, 0.5, 2);
    ASSERT_FALSE(events.empty()) << i;
    for (std::size_t k = 0; k < events.size(); ++k) {
      EXPECT_EQ(events[k].begins, k == 0) << i;
      EXPECT_EQ(events[k].tool, "wall");
      EXPECT_EQ(events[k].strength, 2);
    }
  }
  EXPECT_TRUE(eventsOf(DrawnShape::Freehand, "wall", {0, 0}, {4, 2}, 0.5, 2).empty());
}

TEST(ADrawnShape, OutlineIsCoveredAllAlongAndItsInsideIsNot) {
  const auto rectangle = eventsOf(DrawnShape::Rectangle, "wall", {-4, 3}, {6, -2}, 0.25, 1);
  ASSERT_EQ(rectangle.size(), 4u);
  const auto ellipse = eventsOf(DrawnShape::Ellipse, "wall", {-4, 3}, {6, -2}, 0.25, 1);
  for (int i = 0; i < 400; ++i) {
    const double share = i / 400.0, x = -4 + 10 * share, y = 3 - 5 * share, angle = 2 * kPi * share;
    for (const double at : {3.0, -2.0}) EXPECT_TRUE(covers(rectangle, x, at + 0.2)) << x;
    for (const double at : {-4.0, 6.0}) EXPECT_TRUE(covers(rectangle, at - 0.2, y)) << y;
    for (const double in : {-0.2, 0.2}) {
      EXPECT_TRUE(covers(ellipse, 1 + (5 + in) * std::cos(angle), 0.5 + (2.5 + in) * std::sin(angle))) << angle;
    }
    EXPECT_FALSE(covers(ellipse, 1 + 4.6 * std::cos(angle), 0.5 + 2.1 * std::sin(angle))) << angle;
  }
  EXPECT_FALSE(covers(rectangle, 1, 0.5));
  EXPECT_FALSE(covers(rectangle, -4.5, 3));
}

TEST(ADrawnShape, FilledIsOneEventThatCoversItsInside) {
  const auto square = eventsOf(DrawnShape::FilledRectangle, "wall", {-4, 3}, {6, -2}, 0.25, 1);
  const auto round = eventsOf(DrawnShape::FilledEllipse, "wall", {6, -2}, {-4, 3}, 0.25, 1);
  ASSERT_EQ(square.size(), 1u);
  ASSERT_EQ(round.size(), 1u);
  for (double y = -2.95; y < 4; y += 0.1) {
    for (double x = -4.95; x < 7; x += 0.1) {
      EXPECT_EQ(covers(square, x, y), x >= -4 && x <= 6 && y >= -2 && y <= 3) << x << ", " << y;
      EXPECT_EQ(covers(round, x, y), std::hypot((x - 1) / 5, (y - 0.5) / 2.5) <= 1) << x << ", " << y;
    }
  }
  EXPECT_TRUE(eventsOf(DrawnShape::FilledRectangle, "wall", {1, 1}, {1, 1}, 1, 1).empty()) << "a click";
  EXPECT_EQ(eventsOf(DrawnShape::Ellipse, "wall", {1, 1}, {1, 1}, 1, 1).size(), 1u) << "a dot";
}

TEST(ADrawnShape, HeldStraightIsASquareOrAtMultiplesOf15Degrees) {
  EXPECT_EQ(straightened(DrawnShape::Rectangle, {1, 1}, {4, -1}), (Spot{4, -2, 0}));
  EXPECT_EQ(straightened(DrawnShape::FilledEllipse, {1, 1}, {0, 5}), (Spot{-3, 5, 0}));
  for (int degrees = 0; degrees < 360; degrees += 15) {
    const double off = (degrees + 6) * kPi / 180, angle = degrees * kPi / 180;
    const Spot end = straightened(DrawnShape::Line, {2, 3}, {2 + 5 * std::cos(off), 3 + 5 * std::sin(off)});
    EXPECT_NEAR(end.x, 2 + 5 * std::cos(angle), 1e-12);
    EXPECT_NEAR(end.y, 3 + 5 * std::sin(angle), 1e-12);
  }
}

TEST(AStrokeOfAShape, ComesWithTheReleaseAndAFillWithThePress) {
  MouseStroke square("wall", Gesture::Paint, Domain::Plane, DrawnShape::FilledRectangle);
  EXPECT_TRUE(square.press({1, 1}, kTip).empty());
  EXPECT_TRUE(square.move({3, 9}, kTip).empty());
  EXPECT_TRUE(square.move({4, 2}, kTip, true).empty());
  EXPECT_EQ(square.last(), (Spot{4, 4, 0}));
  const auto events = square.release(kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].shape, BrushShape::Rectangle);
  EXPECT_EQ(events[0].dx, 3);
  EXPECT_EQ(events[0].dy, 3);
  EXPECT_TRUE(square.release(kTip).empty());

  MouseStroke fill("wall", Gesture::Paint, Domain::Plane, DrawnShape::Fill);
  const auto filled = fill.press({1, 2}, kTip);
  ASSERT_EQ(filled.size(), 1u);
  EXPECT_EQ(filled[0].shape, BrushShape::Region);
  EXPECT_EQ(filled[0].x, 1);
  EXPECT_EQ(filled[0].y, 2);
  EXPECT_TRUE(fill.move({3, 3}, kTip).empty());
  EXPECT_TRUE(fill.release(kTip).empty());
}

TEST(AStrokeOfAShape, IsFreehandOnALineAndForOtherGestures) {
  MouseStroke kick("kick", Gesture::Paint, Domain::Line, DrawnShape::FilledEllipse);
  kick.press({1, 0}, kTip);
  EXPECT_EQ(kick.move({2, 0}, kTip).front().shape, BrushShape::Way);
  MouseStroke launch("star", Gesture::Launch, Domain::Plane, DrawnShape::Rectangle);
  launch.press({1, 2}, kTip);
  launch.move({4, 6}, kTip);
  const Brush aimed = launch.aimed(kTip);
  const auto events = launch.release(kTip);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0], aimed) << "what is read while aiming is what is launched";
  EXPECT_EQ(events[0].shape, BrushShape::Way);
  EXPECT_TRUE(events[0].begins);
}

TEST(ATool, OffersTheShapesThatHaveAMeaning) {
  EXPECT_EQ(shapesOf({.key = "wall", .title = "Wall", .fills = true}).size(), 7u);
  EXPECT_EQ(shapesOf({.key = "seed", .title = "Seed"}).size(), 6u);
  EXPECT_TRUE(shapesOf({.key = "star", .title = "Star", .gesture = Gesture::Launch}).empty());
}

}  // namespace
}  // namespace simscope::gui
