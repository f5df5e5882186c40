#include "app/gui/widgets/hint_card.h"

#include <algorithm>
#include <cmath>

namespace simscope::gui {

namespace {

constexpr float kHintWidth = 300, kPointer = 9;

}  // namespace

HintAnswer drawHint(Ui& ui, const Hint& hint, const Rect& place) {
  const UiColours& p = ui.colours();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(kHintWidth), screen.x - ui.px(24)), pad = ui.px(12), gap = ui.px(kPointer + 3);
  const float wrap = width - 2 * pad;
  const float text = ImGui::CalcTextSize(hint.text, nullptr, false, wrap).y;
  const float height = text + ImGui::GetFrameHeight() + 2 * pad + ui.px(6);
  // Above what lies below, below what lies above, and left of what lies at the right.
  const float middle_x = place.x + place.width / 2, middle_y = place.y + place.height / 2;
  const bool tall = place.height > screen.y / 2, right = tall && middle_x > screen.x * 0.6f;
  ImVec2 at;
  if (right) {
    at = {place.x - gap - width, place.y + ui.px(60)};
  } else if (tall || hint.place == Hint::Place::Figure) {
    at = {place.x + ui.px(70), place.y + ui.px(90)};
  } else {
    at = {middle_x - width / 2, middle_y > screen.y / 2 ? place.y - gap - height : place.bottom() + gap};
  }
  at.x = std::round(std::clamp(at.x, ui.px(8), std::max(ui.px(8), screen.x - width - ui.px(8))));
  at.y = std::round(std::clamp(at.y, ui.px(8), std::max(ui.px(8), screen.y - height - ui.px(8))));

  HintAnswer answer = HintAnswer::None;
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({width, height});
  beginFloating("##hint", pad, p.accent);
  if (!tall && hint.place != Hint::Place::Figure) {
    const float x = std::clamp(middle_x, at.x + ui.px(20), at.x + width - ui.px(20)), r = ui.px(kPointer);
    const bool above = at.y < place.y;
    const float base = above ? at.y + height - ui.px(1) : at.y + ui.px(1), tip = above ? base + r : base - r;
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddTriangleFilled({x - r, base}, {x + r, base}, {x, tip}, toU32(p.accent));
  }
  {
    const ScopedWrap within(pad + wrap);
    ImGui::TextUnformatted(hint.text);
  }
  ImGui::SetCursorPosY(height - pad - ImGui::GetFrameHeight());
  if (iconButton(ui, "hint:done", Icon::None, "Got it", "", Emphasis::Accent)) answer = HintAnswer::GotIt;
  ImGui::SameLine();
  if (iconButton(ui, "hint:none", Icon::None, "No more hints", "", Emphasis::Quiet)) answer = HintAnswer::NoMore;
  ui.popups.emplace_back("hint");
  ImGui::End();
  return answer;
}

}  // namespace simscope::gui
