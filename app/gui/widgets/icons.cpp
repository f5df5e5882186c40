#include "app/gui/widgets/icons.h"

#include <cmath>
#include <initializer_list>

namespace simscope::gui {
namespace {

constexpr float kPi = 3.14159265f;

void arrowHead(ImDrawList& list, ImVec2 tip, float angle, float size, ImU32 colour) {
  const auto at = [&](float turn, float length) {
    return ImVec2(tip.x + length * std::cos(angle + turn), tip.y + length * std::sin(angle + turn));
  };
  list.AddTriangleFilled(at(0, size), at(2.2f, size), at(-2.2f, size), colour);
}

void drawReset(ImDrawList& list, ImVec2 c, float r, float stroke, ImU32 colour) {
  // An arc open at the upper left, its head turned against the clock.
  list.PathArcTo(c, r * 0.78f, -0.70f * kPi, 0.95f * kPi, 24);
  list.PathStroke(colour, 0, stroke);
  const float angle = -0.70f * kPi;
  arrowHead(list, {c.x + 0.78f * r * std::cos(angle), c.y + 0.78f * r * std::sin(angle)}, angle - kPi / 2, r * 0.48f,
            colour);
}

// An arrow that goes over the top and points back; `way` -1: to the left.
void drawTurn(ImDrawList& list, ImVec2 c, float r, float way, float stroke, ImU32 colour) {
  const ImVec2 tip(c.x + way * r * 0.55f, c.y - r * 0.25f);
  list.PathArcTo({c.x, c.y + r * 0.25f}, r * 0.5f, -0.5f * kPi, way < 0 ? 0.5f * kPi : -1.5f * kPi, 16);
  list.PathStroke(colour, 0, stroke);
  list.AddLine({c.x, c.y - r * 0.25f}, tip, colour, stroke);
  list.AddLine({c.x, c.y + r * 0.75f}, {c.x + way * r * 0.45f, c.y + r * 0.75f}, colour, stroke);
  arrowHead(list, tip, way < 0 ? kPi : 0, r * 0.45f, colour);
}

void drawPicture(ImDrawList& list, ImVec2 c, float r, float stroke, ImU32 colour) {
  list.AddRect({c.x - r, c.y - r * 0.62f}, {c.x + r, c.y + r * 0.8f}, colour, r * 0.25f, 0, stroke);
  list.AddRectFilled({c.x - r * 0.4f, c.y - r * 0.92f}, {c.x + r * 0.4f, c.y - r * 0.6f}, colour, r * 0.1f);
  list.AddCircle({c.x, c.y + r * 0.1f}, r * 0.38f, colour, 16, stroke);
}

void drawFit(ImDrawList& list, ImVec2 c, float r, float stroke, ImU32 colour) {
  for (const float sx : {-1.0f, 1.0f}) {
    for (const float sy : {-1.0f, 1.0f}) {
      const ImVec2 corner(c.x + sx * r * 0.85f, c.y + sy * r * 0.85f);
      const ImVec2 points[] = {{corner.x - sx * r * 0.6f, corner.y}, corner, {corner.x, corner.y - sy * r * 0.6f}};
      list.AddPolyline(points, 3, colour, 0, stroke);
    }
  }
}

void drawRuler(ImDrawList& list, ImVec2 c, float r, float stroke, ImU32 colour) {
  list.AddRect({c.x - r, c.y - r * 0.45f}, {c.x + r, c.y + r * 0.45f}, colour, 0, 0, stroke);
  for (const float x : {-0.5f, 0.0f, 0.5f}) {
    list.AddLine({c.x + x * r, c.y - r * 0.45f}, {c.x + x * r, c.y + r * (x == 0 ? 0.15f : -0.05f)}, colour, stroke);
  }
}

// A window with one side of it filled.
void drawPanel(ImDrawList& list, Icon icon, ImVec2 c, float r, float stroke, ImU32 colour) {
  const ImVec2 low(std::round(c.x - r), std::round(c.y - 0.8f * r)),
      high(std::round(c.x + r), std::round(c.y + 0.8f * r));
  const float across = 0.7f * r, down = 0.55f * r;
  ImVec2 from = low, to = high;
  if (icon == Icon::PanelLeft) to.x = low.x + across;
  if (icon == Icon::PanelRight) from.x = high.x - across;
  if (icon == Icon::PanelBelow) from.y = high.y - down;
  list.AddRectFilled(from, to, colour, r * 0.15f);
  list.AddRect(low, high, colour, r * 0.25f, 0, stroke);
}

}  // namespace

void drawIcon(ImDrawList& list, Icon icon, ImVec2 c, float size, ImU32 colour) {
  const float r = size / 2;
  const float stroke = std::fmax(1.0f, size / 9);
  switch (icon) {
    case Icon::None:
      break;
    case Icon::Play:
      list.AddTriangleFilled({c.x - r * 0.65f, c.y - r * 0.9f}, {c.x - r * 0.65f, c.y + r * 0.9f},
                             {c.x + r * 0.95f, c.y}, colour);
      break;
    case Icon::Pause:
      list.AddRectFilled({c.x - r * 0.7f, c.y - r * 0.85f}, {c.x - r * 0.18f, c.y + r * 0.85f}, colour);
      list.AddRectFilled({c.x + r * 0.18f, c.y - r * 0.85f}, {c.x + r * 0.7f, c.y + r * 0.85f}, colour);
      break;
    case Icon::Step:
      list.AddTriangleFilled({c.x - r * 0.8f, c.y - r * 0.85f}, {c.x - r * 0.8f, c.y + r * 0.85f},
                             {c.x + r * 0.4f, c.y}, colour);
      list.AddRectFilled({c.x + r * 0.45f, c.y - r * 0.85f}, {c.x + r * 0.8f, c.y + r * 0.85f}, colour);
      break;
    case Icon::StepBack:
      list.AddTriangleFilled({c.x + r * 0.8f, c.y - r * 0.85f}, {c.x - r * 0.4f, c.y},
                             {c.x + r * 0.8f, c.y + r * 0.85f}, colour);
      list.AddRectFilled({c.x - r * 0.8f, c.y - r * 0.85f}, {c.x - r * 0.45f, c.y + r * 0.85f}, colour);
      break;
    case Icon::Reset:
    case Icon::Restarts:
      drawReset(list, c, r, stroke, colour);
      break;
    case Icon::Undo:
      drawTurn(list, c, r, -1, stroke, colour);
      break;
    case Icon::Redo:
      drawTurn(list, c, r, 1, stroke, colour);
      break;
    case Icon::Measure:
      drawRuler(list, c, r, stroke, colour);
      break;
    case Icon::Record:
      list.AddCircleFilled(c, r * 0.8f, colour, 24);
      break;
    case Icon::Picture:
      drawPicture(list, c, r, stroke, colour);
      break;
    case Icon::Fit:
      drawFit(list, c, r, stroke, colour);
      break;
    case Icon::Theme:
      list.AddCircle(c, r * 0.85f, colour, 24, stroke);
      list.PathArcTo(c, r * 0.85f, -kPi / 2, kPi / 2, 16);
      list.PathFillConvex(colour);
      break;
    case Icon::Help:
      break;
    case Icon::PanelLeft:
    case Icon::PanelRight:
    case Icon::PanelBelow:
      drawPanel(list, icon, c, r, stroke, colour);
      break;
    case Icon::FullScreen:
      drawFit(list, c, r, 1.2f * stroke, colour);
      break;
    case Icon::Present:
      list.AddRect({c.x - r, c.y - 0.8f * r}, {c.x + r, c.y + 0.45f * r}, colour, r * 0.15f, 0, stroke);
      list.AddLine({c.x, c.y + 0.45f * r}, {c.x, c.y + r}, colour, stroke);
      list.AddLine({c.x - 0.45f * r, c.y + r}, {c.x + 0.45f * r, c.y + r}, colour, stroke);
      break;
    case Icon::Search:
      list.AddCircle({c.x - 0.2f * r, c.y - 0.2f * r}, 0.6f * r, colour, 20, stroke);
      list.AddLine({c.x + 0.25f * r, c.y + 0.25f * r}, {c.x + 0.9f * r, c.y + 0.9f * r}, colour, 1.3f * stroke);
      break;
    case Icon::Cross:
      list.AddLine({c.x - r * 0.6f, c.y - r * 0.6f}, {c.x + r * 0.6f, c.y + r * 0.6f}, colour, stroke);
      list.AddLine({c.x - r * 0.6f, c.y + r * 0.6f}, {c.x + r * 0.6f, c.y - r * 0.6f}, colour, stroke);
      break;
    case Icon::Plus:
      list.AddLine({c.x, c.y - r * 0.6f}, {c.x, c.y + r * 0.6f}, colour, stroke);
      [[fallthrough]];
    case Icon::Minus:
      list.AddLine({c.x - r * 0.6f, c.y}, {c.x + r * 0.6f, c.y}, colour, stroke);
      break;
  }
}

}  // namespace simscope::gui
