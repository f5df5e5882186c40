#include "app/gui/panels/plots/plot_view.h"

#include <algorithm>
#include <cmath>

#include "app/gui/panels/plots/plot_export.h"

namespace simscope::gui {

namespace {

constexpr double kWheelStep = 1.2, kArrowStep = 0.05;  // of the width

bool within(const Rect& place, ImVec2 at) {
  return at.x >= place.x && at.x < place.right() && at.y >= place.y && at.y < place.bottom();
}

// Three dots that open the menu.
bool menuButton(Ui& ui, const std::string& id, const Rect& place) {
  ImGui::SetCursorScreenPos({place.x, place.y});
  const bool pressed = ImGui::InvisibleButton(id.c_str(), {place.width, place.height});
  const bool over = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (over) {
    list.AddRectFilled({place.x, place.y}, {place.right(), place.bottom()}, toU32(ui.colours().hovered), ui.px(3));
  }
  for (const float step : {-1.0f, 0.0f, 1.0f}) {
    list.AddCircleFilled({place.x + place.width / 2 + step * ui.px(5), place.y + place.height / 2}, ui.px(1.5f),
                         toU32(over ? ui.colours().text : ui.colours().dim), 8);
  }
  ui.mark(id);
  tooltip(ui, "Axes, files, separate window  (also by a right click on the plot)");
  return pressed;
}

}  // namespace

void PlotView::begin(bool log_x, bool log_y) {
  if (begun_) return;
  begun_ = true;
  zoom_.log_x = log_x;
  zoom_.log_y = log_y;
}

PlotView::Response PlotView::draw(Session& session, Ui& ui, const Plot& plot, const Rect& place, bool in_window,
                                  const std::function<void()>& more) {
  const ScopedId id(plot.key);
  const float line = smallTextSize(ui, " ").y;
  const Rect dots{place.right() - ui.px(22), place.y - ui.px(1), ui.px(22), line + ui.px(2)};
  // Of two items at one place the first has the mouse.
  bool open = menuButton(ui, "plot_menu:" + plot.key, dots);
  ImGui::SetCursorScreenPos({place.x, place.y});
  const bool pressed = ImGui::InvisibleButton("plot", {std::max(place.width, 1.0f), std::max(place.height, 1.0f)});
  ui.mark("plot_of:" + plot.key);
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive(), has_keys = ui.focus.onLastItem();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const PlotLayout layout = drawPlot(ui, *ImGui::GetWindowDrawList(), plot, zoom_, place, dots.width + ui.px(6),
                                     hovered ? std::optional(mouse) : std::nullopt);
  if (ui.probing) ui.probes["axes:" + plot.key] = layout.plot;
  if (has_keys && layout.scales) followKeys(ui, layout);
  drawLegendStops(ui, plot, layout);
  bool on_legend = false;
  for (const PlotLayout::Entry& entry : layout.legend) {
    if (!hovered || !within(entry.place, mouse)) continue;
    on_legend = true;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!ImGui::IsMouseClicked(0)) continue;
    if (!zoom_.hidden.erase(entry.key)) zoom_.hidden.insert(entry.key);
  }
  if (layout.scales && !on_legend) followMouse(ui, layout, hovered, active);
  open = open || (hovered && ImGui::IsMouseReleased(1)) || (has_keys && pressed);
  if (open) ImGui::OpenPopup("menu");
  Response response = drawMenu(session, ui, plot, in_window, more);
  if (layout.scales && !on_legend && hovered && within(layout.plot, mouse)) {
    response.pointed = layout.scales->x.value((mouse.x - layout.plot.x) / layout.plot.width);
    constexpr float kStill = 3;  // pixels; beyond, it was dragged
    const bool still = ImGui::GetIO().MouseDragMaxDistanceSqr[0] < kStill * kStill;
    if (ImGui::IsMouseReleased(0) && still) response.picked = response.pointed;
  }
  return response;
}

// The mouse is the plot's, which lies below them and came first; the keyboard comes to each.
void PlotView::drawLegendStops(Ui& ui, const Plot& plot, const PlotLayout& layout) {
  for (const PlotLayout::Entry& entry : layout.legend) {
    const std::string name = "legend:" + plot.key + ":" + entry.key;
    ImGui::SetCursorScreenPos({entry.place.x, entry.place.y});
    if (ImGui::InvisibleButton(name.c_str(), {entry.place.width, entry.place.height})) {
      if (!zoom_.hidden.erase(entry.key)) zoom_.hidden.insert(entry.key);
    }
    ui.mark(name);
  }
}

// Left and right move the axes, up and down zoom along x.
void PlotView::followKeys(const Ui& ui, const PlotLayout& layout) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const int across = pressed(ImGuiKey_LeftArrow) - pressed(ImGuiKey_RightArrow);
  const int nearer = pressed(ImGuiKey_UpArrow) - pressed(ImGuiKey_DownArrow);
  if (across == 0 && nearer == 0) return;
  ui.focus.keepArrow();
  if (across != 0) zoom_ = panned(std::move(zoom_), *layout.scales, kArrowStep * across, 0);
  if (nearer != 0) {
    zoom_ = zoomedAbout(std::move(zoom_), *layout.scales, 0.5, 0.5, std::pow(kWheelStep, -nearer), true, false);
  }
}

void PlotView::followMouse(const Ui& ui, const PlotLayout& layout, bool hovered, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  const Rect& at = layout.plot;
  const bool inside = hovered && within(at, io.MousePos);
  if (inside && ui.double_click) return zoom_.fit();
  if (inside && io.MouseWheel != 0 && !io.KeyShift) {
    const double x = (io.MousePos.x - at.x) / at.width, y = (at.bottom() - io.MousePos.y) / at.height;
    zoom_ = zoomedAbout(std::move(zoom_), *layout.scales, x, y, std::pow(kWheelStep, -io.MouseWheel), !io.KeyCtrl,
                        io.KeyCtrl);
  }
  if (active && ImGui::IsMouseDragging(0, 3)) {
    zoom_ = panned(std::move(zoom_), *layout.scales, io.MouseDelta.x / at.width, -io.MouseDelta.y / at.height);
  }
}

PlotView::Response PlotView::drawMenu(Session& session, Ui& ui, const Plot& plot, bool in_window,
                                      const std::function<void()>& more) {
  Response response;
  if (!ImGui::BeginPopup("menu")) return response;
  ui.popups.emplace_back("plot_menu");
  if (ui.escape) ImGui::CloseCurrentPopup();
  const auto entry = [&](const char* label, const char* name, bool checked = false) {
    const bool pressed = ImGui::MenuItem(label, nullptr, checked);
    ui.mark(std::string("plot_menu_") + name);
    return pressed;
  };
  if (entry("Fit", "fit")) zoom_.fit();
  if (entry("Logarithmic x", "log_x", zoom_.log_x)) {
    zoom_.log_x = !zoom_.log_x;
    zoom_.x.reset();
  }
  if (entry("Logarithmic y", "log_y", zoom_.log_y)) {
    zoom_.log_y = !zoom_.log_y;
    zoom_.y.reset();
  }
  if (more) more();
  ImGui::Separator();
  if (entry("Save as PNG", "png")) savePlotPicture(session, ui, plot, zoom_);
  if (entry("Save as CSV", "csv")) savePlotTable(session, plot, zoom_);
  if (entry("Copy as a picture", "copy_picture")) copyPlotPicture(session, ui, plot, zoom_);
  if (entry("Copy as CSV", "copy")) copyPlotTable(session, plot, zoom_);
  if (pinned_) {
    ImGui::EndPopup();
    return response;
  }
  ImGui::Separator();
  response.window = entry(in_window ? "Back to the panel" : "Separate window", "window");
  response.hide = entry("Hide", "hide");
  ImGui::EndPopup();
  return response;
}

}  // namespace simscope::gui
