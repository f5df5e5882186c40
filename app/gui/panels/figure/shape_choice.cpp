#include "app/gui/panels/figure/shape_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace simscope::gui {

namespace {

constexpr float kShapeGap = 2;
constexpr const char* kListLabel = "Shape";
constexpr double kDegrees = 57.29577951308232;

void drawGlyph(ImDrawList& list, DrawnShape shape, ImVec2 c, float r, ImU32 colour) {
  const float stroke = std::max(1.0f, r / 5);
  switch (shape) {
    case DrawnShape::Freehand:
      list.AddBezierCubic({c.x - r, c.y + 0.7f * r}, {c.x - 0.4f * r, c.y - 2.2f * r}, {c.x + 0.2f * r, c.y + 2.2f * r},
                          {c.x + r, c.y - 0.7f * r}, colour, 1.3f * stroke, 24);
      break;
    case DrawnShape::Line:
      list.AddLine({c.x - 0.85f * r, c.y + 0.75f * r}, {c.x + 0.85f * r, c.y - 0.75f * r}, colour, 1.3f * stroke);
      break;
    case DrawnShape::Rectangle:
      list.AddRect({c.x - r, c.y - 0.7f * r}, {c.x + r, c.y + 0.7f * r}, colour, 0, 0, 1.3f * stroke);
      break;
    case DrawnShape::FilledRectangle:
      list.AddRectFilled({c.x - r, c.y - 0.7f * r}, {c.x + r, c.y + 0.7f * r}, colour);
      break;
    case DrawnShape::Ellipse:
      list.AddCircle(c, 0.85f * r, colour, 24, 1.3f * stroke);
      break;
    case DrawnShape::FilledEllipse:
      list.AddCircleFilled(c, 0.9f * r, colour, 24);
      break;
    case DrawnShape::Fill: {
      // A tilted bucket, and a drop from it.
      const ImVec2 bucket[] = {{c.x - 0.95f * r, c.y + 0.05f * r},
                               {c.x - 0.15f * r, c.y - 0.85f * r},
                               {c.x + 0.6f * r, c.y - 0.1f * r},
                               {c.x - 0.2f * r, c.y + 0.8f * r}};
      list.AddPolyline(bucket, 4, colour, ImDrawFlags_Closed, stroke);
      const ImVec2 paint[] = {bucket[0], {c.x + 0.6f * r, c.y - 0.1f * r}, bucket[3]};
      list.AddTriangleFilled(paint[0], paint[1], paint[2], colour);
      list.AddTriangleFilled({c.x + 0.85f * r, c.y}, {c.x + 1.1f * r, c.y + 0.55f * r},
                             {c.x + 0.6f * r, c.y + 0.55f * r}, colour);
      list.AddCircleFilled({c.x + 0.85f * r, c.y + 0.6f * r}, 0.26f * r, colour, 12);
      break;
    }
  }
}

std::string helpOf(DrawnShape shape) {
  const DrawnShapeInfo& info = infoOf(shape);
  return fmt::format("{}: {}.\nD: next shape. Esc: cancel the shape being drawn.", info.title, info.help);
}

bool shapeButton(Ui& ui, DrawnShape shape, bool on) {
  const UiColours& p = ui.colours();
  const float side = ImGui::GetFrameHeight(), alpha = ImGui::GetStyle().Alpha;
  const std::string name = std::string("shape:") + infoOf(shape).key;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(name.c_str(), {side, side});
  const bool over = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + side, at.y + side);
  if (on || over) list.AddRectFilled(at, end, toU32(over ? p.hovered : p.raised, alpha), ui.px(4));
  if (on) list.AddRect(at, end, toU32(p.accent, alpha), ui.px(4), 0, std::max(1.0f, ui.scale));
  drawGlyph(list, shape, {at.x + side / 2, at.y + side / 2}, 0.27f * side, toU32(on ? p.text : p.dim, alpha));
  ui.mark(name);
  tooltip(ui, helpOf(shape));
  return pressed;
}

}  // namespace

float shapeChoiceWidth(const Ui& ui, std::size_t count, bool as_list) {
  const auto n = static_cast<float>(count);
  if (!as_list) return n * ImGui::GetFrameHeight() + std::max(n - 1, 0.0f) * ui.px(kShapeGap);
  float widest = 0;
  for (int i = 0; i <= static_cast<int>(DrawnShape::Fill); ++i) {
    widest = std::max(widest, comboWidth(infoOf(static_cast<DrawnShape>(i)).title, kListLabel));
  }
  return widest;
}

void drawShapeChoice(Ui& ui, std::span<const DrawnShape> shapes, DrawnShape& chosen, bool as_list) {
  if (!as_list) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (i > 0) ImGui::SameLine(0, ui.px(kShapeGap));
      if (shapeButton(ui, shapes[i], shapes[i] == chosen)) chosen = shapes[i];
    }
    return;
  }
  ImGui::SetNextItemWidth(shapeChoiceWidth(ui, shapes.size(), true));
  const bool open = beginCombo(ui, "##shapes", kListLabel, infoOf(chosen).title);
  ui.mark("shapes");
  if (!open) return tooltip(ui, helpOf(chosen));
  for (const DrawnShape each : shapes) {
    if (ImGui::Selectable(infoOf(each).title, each == chosen)) chosen = each;
    ui.mark(std::string("shape:") + infoOf(each).key);
    tooltip(ui, helpOf(each));
  }
  ImGui::EndCombo();
}

void drawShapePreview(const Ui& ui, ImDrawList& list, const PanelArea& panel, const Rect& place,
                      const ShapePreview& preview) {
  std::vector<ImVec2> points;
  const bool dot = preview.start == preview.end;
  const std::vector<Spot> outline =
      outlineOf(dot ? DrawnShape::Line : preview.shape, preview.start, preview.end, preview.radius);
  for (const Spot& spot : outline) {
    if (const auto pixel = pixelOf(panel, Domain::Plane, spot)) {
      points.emplace_back(place.x + static_cast<float>(pixel->x) / ui.pixel_ratio,
                          place.y + static_cast<float>(pixel->y) / ui.pixel_ratio);
    }
  }
  if (points.empty()) return;
  const int count = static_cast<int>(points.size());
  const ImU32 tint = toU32(ui.colours().accent, 0.45f), dark = IM_COL32(0, 0, 0, 150),
              light = IM_COL32(255, 255, 255, 235);
  const float thin = std::max(1.0f, ui.scale);
  if (!hasLine(preview.shape)) {
    if (dot) return;
    list.AddConvexPolyFilled(points.data(), count - 1, tint);
  } else {
    list.AddPolyline(points.data(), count, tint, 0, std::max(2 * preview.line, 1.0f));
    if (preview.line > 2 * thin) {
      for (const ImVec2& end : {points.front(), points.back()}) list.AddCircleFilled(end, preview.line, tint);
    }
  }
  list.AddPolyline(points.data(), count, dark, 0, 3 * thin);
  list.AddPolyline(points.data(), count, light, 0, 1.2f * thin);
}

std::string sizeText(const ShapePreview& preview, const std::string& unit) {
  const double dx = preview.end.x - preview.start.x, dy = preview.end.y - preview.start.y;
  const std::string tail = unit.empty() ? "" : " " + unit;
  if (preview.shape == DrawnShape::Line) {
    return fmt::format("{}{}   {:.0f}°", shortNumber(std::hypot(dx, dy)), tail, kDegrees * std::atan2(dy, dx) + 0.0);
  }
  return fmt::format("{} × {}{}", shortNumber(std::abs(dx)), shortNumber(std::abs(dy)), tail);
}

}  // namespace simscope::gui
