#include "app/gui/panels/figure/tool_cursor.h"

#include <algorithm>
#include <cmath>

namespace simscope::gui {

namespace {

// Light on dark: seen over any colour of a field.
constexpr ImU32 kDark = IM_COL32(0, 0, 0, 150);
ImU32 light(bool held) {
  return IM_COL32(255, 255, 255, held ? 255 : 200);
}

float thin(const Ui& ui) {
  return std::max(1.0f, ui.scale);
}

}  // namespace

void drawReach(const Ui& ui, ImDrawList& list, Domain domain, const Rect& plot, ImVec2 mouse, float radius, bool held) {
  if (domain != Domain::Line) {
    list.AddCircle(mouse, radius, kDark, 0, 3 * thin(ui));
    list.AddCircle(mouse, radius, light(held), 0, 1.3f * thin(ui));
    return;
  }
  const ImVec4& accent = ui.colours().accent;
  const float low = mouse.x - radius, high = mouse.x + radius;
  list.AddRectFilled({low, plot.y}, {high, plot.bottom()}, toU32(accent, held ? 0.20f : 0.12f));
  list.AddLine({low, plot.y}, {low, plot.bottom()}, toU32(accent, 0.7f), thin(ui));
  list.AddLine({high, plot.y}, {high, plot.bottom()}, toU32(accent, 0.7f), thin(ui));
}

void drawCross(const Ui& ui, ImDrawList& list, ImVec2 mouse, bool held) {
  const float inner = ui.px(4), outer = ui.px(11);
  for (const bool under : {true, false}) {
    const ImU32 colour = under ? kDark : light(held);
    const float width = (under ? 3 : 1.3f) * thin(ui);
    for (const ImVec2 way : {ImVec2(1, 0), ImVec2(-1, 0), ImVec2(0, 1), ImVec2(0, -1)}) {
      list.AddLine({mouse.x + way.x * inner, mouse.y + way.y * inner},
                   {mouse.x + way.x * outer, mouse.y + way.y * outer}, colour, width);
    }
  }
}

void drawLaunch(const Ui& ui, ImDrawList& list, const Rect& plot, ImVec2 start, ImVec2 tip, const std::string& length) {
  const float dx = tip.x - start.x, dy = tip.y - start.y;
  const float pixels = std::hypot(dx, dy);
  const float head = std::min(ui.px(13), pixels * 0.6f);
  for (const bool under : {true, false}) {
    const ImU32 colour = under ? kDark : toU32(ui.colours().accent);
    const float width = ui.px(under ? 5 : 2.2f);
    list.AddCircleFilled(start, ui.px(under ? 5.5f : 4), colour, 20);
    if (pixels < ui.px(3)) continue;
    const ImVec2 along(dx / pixels, dy / pixels);
    const ImVec2 neck(tip.x - head * 0.8f * along.x, tip.y - head * 0.8f * along.y);
    list.AddLine(start, neck, colour, width);
    const float reach = head + (under ? ui.px(2) : 0), half = 0.45f * head + (under ? ui.px(2) : 0);
    const ImVec2 end(tip.x + (reach - head) * along.x, tip.y + (reach - head) * along.y);
    const ImVec2 back(tip.x - reach * along.x, tip.y - reach * along.y);
    list.AddTriangleFilled(end, {back.x - half * along.y, back.y + half * along.x},
                           {back.x + half * along.y, back.y - half * along.x}, colour);
  }
  if (pixels >= ui.px(3) && !length.empty()) drawTag(ui, list, plot, tip, length);
}

void drawTag(const Ui& ui, ImDrawList& list, const Rect& plot, ImVec2 at, const std::string& text) {
  const ScopedFont font(ui.fonts.small);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 pad(ui.px(7), ui.px(3));
  const float width = size.x + 2 * pad.x, height = size.y + 2 * pad.y;
  // To the right and above, or on the other side where the plot ends.
  float x = at.x + ui.px(14), y = at.y - ui.px(14) - height;
  if (x + width > plot.right()) x = at.x - ui.px(14) - width;
  if (y < plot.y) y = at.y + ui.px(14);
  x = std::round(std::clamp(x, plot.x, std::max(plot.x, plot.right() - width)));
  y = std::round(std::clamp(y, plot.y, std::max(plot.y, plot.bottom() - height)));
  list.AddRectFilled({x, y}, {x + width, y + height}, IM_COL32(12, 14, 19, 215), height / 2);
  list.AddText({x + pad.x, y + pad.y}, IM_COL32(236, 239, 244, 255), text.c_str());
}

}  // namespace simscope::gui
