#include "app/gui/panels/figure/measure_drawing.h"

#include <algorithm>
#include <cmath>

#include "app/gui/panels/figure/tool_cursor.h"

namespace simscope::gui {

namespace {

// Light on dark, as the tools' cursors are: seen over any colour of a field.
constexpr ImU32 kShade = IM_COL32(0, 0, 0, 170);
constexpr ImU32 kBright = IM_COL32(255, 255, 255, 235);

void handle(const Ui& ui, ImDrawList& list, ImVec2 at, ImU32 colour) {
  list.AddCircleFilled(at, ui.px(5.5f), kShade, 18);
  list.AddCircleFilled(at, ui.px(4), colour, 16);
}

// Short strokes across the line, as a ruler has them.
void rulerTicks(const Ui& ui, ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float width, bool ends_only) {
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (!(length > 1)) return;
  const ImVec2 across(-dy / length, dx / length);
  const int parts = ends_only || length < ui.px(60) ? 1 : 10;
  for (int i = 0; i <= parts; ++i) {
    const float along = static_cast<float>(i) / static_cast<float>(parts);
    const bool end = i == 0 || i == parts;
    const float inner = i == 5 ? 6 : 4;
    const float half = ui.px(end ? 8 : inner);
    const ImVec2 at(from.x + dx * along, from.y + dy * along);
    list.AddLine({at.x - across.x * half, at.y - across.y * half}, {at.x + across.x * half, at.y + across.y * half},
                 colour, width);
  }
}

}  // namespace

void drawMark(const Ui& ui, ImDrawList& list, const Rect& plot, const DrawnMark& mark) {
  const ImU32 colour = mark.selected ? toU32(ui.colours().accent) : kBright;
  const float thin = std::max(1.0f, ui.scale);
  ImVec2 label = mark.from;
  if (mark.kind == FieldMark::Kind::Probe) {
    for (const bool under : {true, false}) {
      const ImU32 ink = under ? kShade : colour;
      const float width = (under ? 3.4f : 1.5f) * thin;
      list.AddCircle(mark.from, ui.px(6), ink, 24, width);
      for (const ImVec2 way : {ImVec2(1, 0), ImVec2(-1, 0), ImVec2(0, 1), ImVec2(0, -1)}) {
        list.AddLine({mark.from.x + way.x * ui.px(6), mark.from.y + way.y * ui.px(6)},
                     {mark.from.x + way.x * ui.px(11), mark.from.y + way.y * ui.px(11)}, ink, width);
      }
    }
  } else {
    const bool ruler = mark.kind == FieldMark::Kind::Ruler;
    for (const bool under : {true, false}) {
      const ImU32 ink = under ? kShade : colour;
      const float width = (under ? 3.6f : 1.6f) * thin;
      list.AddLine(mark.from, mark.to, ink, width);
      if (ruler) rulerTicks(ui, list, mark.from, mark.to, ink, width, false);
    }
    handle(ui, list, mark.from, colour);
    handle(ui, list, mark.to, colour);
    label = ruler ? ImVec2((mark.from.x + mark.to.x) / 2, (mark.from.y + mark.to.y) / 2) : mark.to;
  }
  if (!mark.text.empty()) drawTag(ui, list, plot, label, mark.text);
}

}  // namespace simscope::gui
