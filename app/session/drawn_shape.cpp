#include "app/session/drawn_shape.h"

#include <algorithm>
#include <cmath>

namespace simscope {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kTurn = kPi / 12;
constexpr int kFewestSides = 24, kMostSides = 180;

std::vector<Spot> ellipse(const Spot& a, const Spot& b, double radius) {
  const double half_x = 0.5 * (b.x - a.x), half_y = 0.5 * (b.y - a.y);
  const double large = std::max(std::abs(half_x), std::abs(half_y));
  const double error = std::max(0.1 * radius, large / 200);
  const double wanted = error < large ? kPi / std::acos(1 - error / large) : kFewestSides;
  const int sides = static_cast<int>(std::clamp(std::ceil(wanted), 1.0 * kFewestSides, 1.0 * kMostSides));
  std::vector<Spot> spots;
  for (int i = 0; i <= sides; ++i) {
    const double angle = 2 * kPi * (i % sides) / sides;
    spots.push_back({a.x + half_x * (1 + std::cos(angle)), a.y + half_y * (1 + std::sin(angle)), 0});
  }
  return spots;
}

}  // namespace

const DrawnShapeInfo& infoOf(DrawnShape shape) {
  static constexpr DrawnShapeInfo kInfos[] = {
      {"freehand", "Freehand", "Follows the mouse"},
      {"line", "Line", "From the press to the release; with Shift in steps of 15°"},
      {"rectangle", "Rectangle", "Its outline, between two corners; with Shift a square"},
      {"filled_rectangle", "Filled rectangle", "Between two corners; with Shift a square"},
      {"ellipse", "Ellipse", "Its outline, between two corners; with Shift a circle"},
      {"filled_ellipse", "Filled ellipse", "Between two corners; with Shift a disc"},
      {"fill", "Fill", "The area around a click, bounded by what is drawn"},
  };
  return kInfos[static_cast<std::size_t>(shape)];
}

std::vector<DrawnShape> shapesOf(const ToolInfo& tool) {
  if (tool.gesture != Gesture::Paint) return {};
  std::vector<DrawnShape> shapes;
  for (int i = 0; i <= static_cast<int>(DrawnShape::FilledEllipse); ++i) shapes.push_back(static_cast<DrawnShape>(i));
  if (tool.fills) shapes.push_back(DrawnShape::Fill);
  return shapes;
}

bool hasLine(DrawnShape shape) {
  return shape != DrawnShape::FilledRectangle && shape != DrawnShape::FilledEllipse && shape != DrawnShape::Fill;
}

Spot straightened(DrawnShape shape, const Spot& start, const Spot& end) {
  if (shape == DrawnShape::Freehand || shape == DrawnShape::Fill) return end;
  const double dx = end.x - start.x, dy = end.y - start.y;
  if (shape == DrawnShape::Line) {
    const double angle = kTurn * std::round(std::atan2(dy, dx) / kTurn), length = std::hypot(dx, dy);
    return {start.x + length * std::cos(angle), start.y + length * std::sin(angle), end.z};
  }
  const double side = std::max(std::abs(dx), std::abs(dy));
  return {start.x + std::copysign(side, dx), start.y + std::copysign(side, dy), end.z};
}

std::vector<Spot> outlineOf(DrawnShape shape, const Spot& start, const Spot& end, double radius) {
  switch (shape) {
    case DrawnShape::Line:
      return {start, end};
    case DrawnShape::Rectangle:
    case DrawnShape::FilledRectangle:
      return {start, {end.x, start.y, 0}, end, {start.x, end.y, 0}, start};
    case DrawnShape::Ellipse:
    case DrawnShape::FilledEllipse:
      return ellipse(start, end, radius);
    case DrawnShape::Freehand:
    case DrawnShape::Fill:
      break;
  }
  return {};
}

std::vector<Brush> eventsOf(DrawnShape shape, const std::string& tool, const Spot& start, const Spot& end,
                            double radius, double strength) {
  std::vector<Brush> events;
  const auto add = [&](const Spot& from, const Spot& to, BrushShape covers) {
    events.push_back({.tool = tool,
                      .x = to.x,
                      .y = to.y,
                      .dx = to.x - from.x,
                      .dy = to.y - from.y,
                      .radius = covers == BrushShape::Way ? radius : 0,
                      .strength = strength,
                      .begins = events.empty(),
                      .shape = covers});
  };
  switch (shape) {
    case DrawnShape::Freehand:
      break;
    case DrawnShape::Fill:
      add(start, start, BrushShape::Region);
      break;
    case DrawnShape::FilledRectangle:
    case DrawnShape::FilledEllipse:
      if (start == end) break;
      add(start, end, shape == DrawnShape::FilledRectangle ? BrushShape::Rectangle : BrushShape::Ellipse);
      break;
    case DrawnShape::Line:
    case DrawnShape::Rectangle:
    case DrawnShape::Ellipse: {
      const std::vector<Spot> corners = outlineOf(start == end ? DrawnShape::Line : shape, start, end, radius);
      for (std::size_t i = 1; i < corners.size(); ++i) add(corners[i - 1], corners[i], BrushShape::Way);
      break;
    }
  }
  return events;
}

}  // namespace simscope
