#include "app/gui/panels/parameters/parameter_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace simscope::gui {

std::string digitsThatFit(const std::string& number, float width) {
  const auto fits = [&](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= width; };
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (fits(number) || error != std::errc() || end != number.data() + number.size()) return number;
  constexpr int kMost = 15;
  for (int digits = kMost; digits > 1; --digits) {
    if (std::string text = fmt::format("{:.{}g}", value, digits); fits(text)) return text;
  }
  return fmt::format("{:.1g}", value);
}

std::optional<std::string> ParameterField::draw(Ui& ui, std::size_t index, const std::string& mark, const Shown& shown,
                                                float width) {
  const UiColours& p = ui.colours();
  const bool typing_here = index_ == index;
  std::string known = shown.text;
  std::string& text = typing_here ? text_ : known;
  escaped_ = false;
  if (focus_ == index) {
    ui.focus.ask(mark);  // Dear ImGui 1.90 gives it to no first window
    focus_ = SIZE_MAX;
  }
  const RefusedFrame frame(ui, shown.refused);
  // Painted below with the digits that fit; what is typed has all of them.
  const ScopedColour letters(ImGuiCol_Text, typing_here ? p.text : ImVec4(0, 0, 0, 0));
  ImGui::SetNextItemWidth(width);
  const bool entered =
      textLine("##value", "", text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool active = ImGui::IsItemActive(), left = ImGui::IsItemDeactivated();
  const bool edited = ImGui::IsItemDeactivatedAfterEdit();
  ui.mark(mark);
  if (!typing_here) {
    const ImVec2 low = ImGui::GetItemRectMin(), padding = ImGui::GetStyle().FramePadding;
    const std::string digits = digitsThatFit(shown.text, width - 2 * padding.x);
    ImGui::GetWindowDrawList()->PushClipRect(low, ImGui::GetItemRectMax(), true);
    ImGui::GetWindowDrawList()->AddText({low.x + padding.x, low.y + padding.y},
                                        toU32(shown.refused ? p.error : p.text, ImGui::GetStyle().Alpha),
                                        digits.c_str());
    ImGui::GetWindowDrawList()->PopClipRect();
  }

  std::optional<std::string> wanted;
  if (left && ui.escape_typing) {
    escaped_ = true;
  } else if (entered || edited) {
    wanted = text;
  }
  if (active && !typing_here) {
    index_ = index;
    text_ = std::move(known);
    unit_ = shown.unit;
  } else if (left && typing_here) {
    index_ = SIZE_MAX;
  }
  return wanted;
}

}  // namespace simscope::gui
