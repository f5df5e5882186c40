#include "app/gui/window/layout.h"

#include <algorithm>
#include <cmath>

namespace simscope::gui {

namespace {

constexpr float kGap = 6, kBar = 40, kTransport = 560;
constexpr float kLowest = 300;
// Beyond this size the panels have a part of what a window has more, as a 4K screen at 100 %.
constexpr float kLargeWidth = 1600, kLargeHeight = 960;
constexpr float kLeftMore = 0.035f, kRightMore = 0.05f, kPlotsMore = 0.16f;
constexpr float kTransportHeight = 64;  // the slider of time, and the row of buttons

constexpr float kLeastLeft = 150, kLeastRight = 220, kLeastPlots = 90;
constexpr float kArrow = 16;  // units that an arrow moves a handle

// The size of a panel in units, beside its splitter.
struct Handle {
  const char* name;
  bool vertical;
  float direction;  // of the mouse that makes the panel larger: 1 right or down, -1 left or up
  float least, initial;
};

// What the arrows ask for that point the way of the mouse; Home restores.
void moveByKeys(const Ui& ui, const Handle& handle, float shown, float& value) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const int way = handle.vertical ? pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow)
                                  : pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow);
  const bool home = pressed(ImGuiKey_Home);
  if (way == 0 && !home) return;
  ui.focus.keepArrow();
  // From what the window had room for.
  const float moved = std::min(value, shown) + handle.direction * kArrow * static_cast<float>(way);
  value = home ? handle.initial : std::max(moved, handle.least);
}

// Moves `value` by the mouse while the handle is held, or by the arrows. shown: units that the panel has at present.
void splitter(Ui& ui, const Handle& handle, const Rect& place, float shown, float& value) {
  const auto [name, vertical, direction, least, initial] = handle;
  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::InvisibleButton(name, {std::max(place.width, 1.0f), std::max(place.height, 1.0f)});
  ui.mark(name, true, false);  // its line is drawn between the panels; a ring would lie below them
  const bool held = ImGui::IsItemActive(), has_keys = ui.focus.onLastItem();
  if (has_keys) moveByKeys(ui, handle, shown, value);
  const bool under_mouse = held || (ImGui::IsItemHovered() && !has_keys);
  if (under_mouse) ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  if (under_mouse || has_keys) {
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

float presenterLetters(float width, float height) {
  constexpr float kLarger = 1.6f;
  // What is left, in units: to the transport's row, and to the figure above it.
  constexpr float kLeastWidth = 480, kLeastHeight = 400;
  return std::clamp(std::min(width / kLeastWidth, height / kLeastHeight), 1.0f, kLarger);
}

Layout Splitters::arrange(float scale, float width, float height, const PanelFolds& folds) const {
  const auto px = [&](float units) { return std::round(units * scale); };
  const bool with_left = folds.open(SidePanel::Simulations), with_right = folds.open(SidePanel::Parameters);
  const bool with_plots = folds.open(SidePanel::Plots);
  const float gap = px(kGap);
  const bool lowest = height < px(kLowest);  // the figure comes before the line of numbers
  const float bar = px(kBar), status = lowest ? 0 : px(30), transport = px(kTransportHeight);
  const float inner_width = width - 2 * gap;
  const float top = bar;
  const float status_top = height - status;
  const float inner_height = std::max(status_top - gap - top, 1.0f);
  const float wider = std::max(width / scale - kLargeWidth, 0.0f),
              higher = std::max(height / scale - kLargeHeight, 0.0f);
  // One panel alone has more of a small window.
  const bool both = with_left && with_right;
  const auto side = [&](float wanted, float least, float part) {
    const float most = std::max(px(least), inner_width * part);
    return std::round(std::min(std::clamp(wanted * scale, px(least), most), inner_width * 0.62f));
  };
  const float right = with_right ? side(right_ + kRightMore * wider, kLeastRight, both ? 0.34f : 0.5f) : 0;
  const float left = with_left ? side(left_ + kLeftMore * wider, kLeastLeft, both ? 0.2f : 0.4f) : 0;
  const float plots = std::round(std::clamp((plots_ + kPlotsMore * higher) * scale, px(kLeastPlots),
                                            std::max(px(kLeastPlots), inner_height * 0.24f)));

  const float main_width = with_right ? inner_width - right - gap : inner_width;
  // Where the transport had no room beside the parameters, it goes below them.
  const bool below = main_width < px(kTransport);
  const float lower_width = below ? inner_width : main_width;
  const float plots_top = with_plots ? status_top - gap - plots : status_top;
  const float transport_top = plots_top - gap - transport;
  const float figure_height = std::max(transport_top - gap - top, 1.0f);
  const float figure_left = with_left ? gap + left + gap : gap;

  Layout at;
  at.bar = {0, 0, width, bar};
  if (with_left) at.simulations = {gap, top, left, figure_height};
  at.figure = {figure_left, top, std::max(gap + main_width - figure_left, 1.0f), figure_height};
  at.transport = {gap, transport_top, lower_width, transport};
  if (with_plots) at.plots = {gap, plots_top, lower_width, plots};
  if (with_right) at.parameters = {gap + main_width + gap, top, right, below ? figure_height : inner_height};
  if (!lowest) at.status = {0, status_top, width, status};
  return at;
}

Layout Splitters::present(float scale, float width, float height) {
  const float gap = std::round(kGap * scale), transport = std::round(kTransportHeight * scale);
  Layout at;
  at.figure = {0, 0, width, std::max(height - transport - gap, 1.0f)};
  at.transport = {0, at.figure.bottom() + gap, width, transport};
  return at;
}

void Splitters::handle(Ui& ui, const Layout& at) {
  const float gap = ui.px(kGap);
  // The stored widths follow what the window allows, so that a handle answers at once.
  if (!ImGui::IsMouseDown(0)) {
    left_ = std::max(left_, kLeastLeft);
    right_ = std::max(right_, kLeastRight);
    plots_ = std::max(plots_, kLeastPlots);
  }
  const Rect &left = at.simulations, &right = at.parameters, &plots = at.plots;
  if (left.width > 0)
    splitter(ui, {"split:simulations", true, 1, kLeastLeft, kLeft}, {left.right(), left.y, gap, left.height},
             left.width / ui.scale, left_);
  if (right.width > 0)
    splitter(ui, {"split:parameters", true, -1, kLeastRight, kRight}, {at.figure.right(), right.y, gap, right.height},
             right.width / ui.scale, right_);
  if (plots.width > 0)
    splitter(ui, {"split:plots", false, -1, kLeastPlots, kPlots}, {plots.x, at.transport.bottom(), plots.width, gap},
             plots.height / ui.scale, plots_);
}

}  // namespace simscope::gui
