#include "app/gui/window/layout.h"

#include <algorithm>
#include <cmath>

namespace simscope::gui {

namespace {

constexpr float kGap = 6;

// Moves `value` by the mouse while the handle is held.
void splitter(const Ui& ui, const char* id, const Rect& place, bool vertical, float& value, float direction,
              float initial) {
  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::InvisibleButton(id, {std::max(place.width, 1.0f), std::max(place.height, 1.0f)});
  const bool held = ImGui::IsItemActive();
  if (held || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    const float middle_x = std::round(place.x + place.width / 2), middle_y = std::round(place.y + place.height / 2);
    const ImU32 colour = toU32(ui.colours().accent, held ? 0.9f : 0.5f);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (vertical) {
      list.AddLine({middle_x, place.y}, {middle_x, place.bottom()}, colour, ui.px(2));
    } else {
      list.AddLine({place.x, middle_y}, {place.right(), middle_y}, colour, ui.px(2));
    }
  }
  if (held) {
    const ImVec2 delta = ImGui::GetIO().MouseDelta;
    value += direction * (vertical ? delta.x : delta.y) / ui.scale;
    if (ImGui::IsMouseDoubleClicked(0)) value = initial;
  }
}

}  // namespace

Layout Splitters::arrange(const Ui& ui, float width, float height) const {
  const float gap = ui.px(kGap);
  const float status = ui.px(30);
  const float transport = ui.px(72);  // the slider of time, and the row of buttons
  const float inner_width = width - 2 * gap;
  const float top = gap;
  const float status_top = height - status;
  const float inner_height = status_top - gap - top;

  const float right = std::round(std::clamp(right_ * ui.scale, ui.px(220), std::max(ui.px(220), inner_width * 0.31f)));
  const float left = std::round(std::clamp(left_ * ui.scale, ui.px(130), std::max(ui.px(130), inner_width * 0.182f)));
  const float plots = std::round(std::clamp(plots_ * ui.scale, ui.px(90), std::max(ui.px(90), inner_height * 0.24f)));

  const float main_width = inner_width - right - gap;
  const float plots_top = status_top - gap - plots;
  const float transport_top = plots_top - gap - transport;
  const float figure_height = std::max(transport_top - gap - top, 1.0f);

  Layout at;
  at.simulations = {gap, top, left, figure_height};
  at.figure = {gap + left + gap, top, std::max(main_width - left - gap, 1.0f), figure_height};
  at.transport = {gap, transport_top, main_width, transport};
  at.plots = {gap, plots_top, main_width, plots};
  at.parameters = {gap + main_width + gap, top, right, inner_height};
  at.status = {0, status_top, width, status};
  return at;
}

void Splitters::handle(const Ui& ui, const Layout& at) {
  const float gap = ui.px(kGap);
  // The stored widths follow what the window allows, so that a handle answers at once.
  if (!ImGui::IsMouseDown(0)) {
    left_ = std::max(left_, 130.0f);
    right_ = std::max(right_, 220.0f);
    plots_ = std::max(plots_, 90.0f);
  }
  splitter(ui, "##split_left", {at.simulations.right(), at.simulations.y, gap, at.simulations.height}, true, left_, 1,
           kLeft);
  splitter(ui, "##split_right", {at.figure.right(), at.parameters.y, gap, at.parameters.height}, true, right_, -1,
           kRight);
  splitter(ui, "##split_plots", {at.plots.x, at.transport.bottom(), at.plots.width, gap}, false, plots_, -1, kPlots);
}

}  // namespace simscope::gui
