#include "app/gui/mouse_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/view_controls.h"

namespace simscope::gui {

namespace {

constexpr float kSmallestRadius = 3, kLargestRadius = 240, kUsualRadius = 36;
constexpr double kWeakest = 0.1, kStrongest = 10;
constexpr float kResizePerNotch = 1.15f;

bool same(const AxisInfo& a, const AxisInfo& b) {
  return a.title == b.title && a.unit == b.unit;
}

// A view shows places of the simulation where its axes are those of the first view. Others may be spectra.
bool showsPlaces(const Description& description, const Shown& view) {
  if (!description.fields.empty()) {
    const FieldView& first = description.fields.front();
    if (view.field) return same(view.field->x, first.x) && same(view.field->y, first.y);
    return view.curves && same(view.curves->x, first.x);
  }
  return view.curves && same(view.curves->x, description.views.front().x);
}

double logPlace(double value, double low, double high) {
  return std::log(value / low) / std::log(high / low);
}
double logValue(double place, double low, double high) {
  return low * std::pow(high / low, place);
}

// Words and a slider in the height of a row.
struct TipSlider {
  const char* id;
  const char* label;
  const char* help;
  std::string shown;
};
constexpr float kSliderWidth = 76, kNumberWidth = 46, kTipGap = 14;

float tipWidth(const Ui& ui, const char* label) {
  return ImGui::CalcTextSize(label).x + ui.px(6 + kSliderWidth + 6 + kNumberWidth);
}

bool tipSlider(Ui& ui, const TipSlider& slider, double& place, double usual) {
  const float top = ImGui::GetCursorPosY();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(slider.label);
  tooltip(ui, slider.help);
  ImGui::SameLine(0, ui.px(6));
  ImGui::SetCursorPosY(top + (ImGui::GetFrameHeight() - ui.px(16)) / 2);
  bool released = false;
  const bool moved = sliderBar(ui, slider.id, ui.px(kSliderWidth), place, usual, released);
  ui.mark(slider.id);
  tooltip(ui, slider.help);
  ImGui::SameLine(0, ui.px(6));
  ImGui::SetCursorPosY(top);
  const float left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  clippedText(slider.shown, ui.px(kNumberWidth), ui.colours().dim);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPos({left + ui.px(kNumberWidth), top});
  ImGui::Dummy({0, ImGui::GetFrameHeight()});
  return moved;
}

}  // namespace

void MouseTools::forgetStranger(const Session& session) {
  for (const ToolInfo& tool : session.scene.description->tools) {
    if (tool.key == tool_) return;
  }
  tool_.clear();
}

void MouseTools::choose(const Session& session, int number) {
  const auto& tools = session.scene.description->tools;
  if (number == 0) drop();
  if (number > 0 && static_cast<std::size_t>(number) <= tools.size()) {
    tool_ = tools[static_cast<std::size_t>(number) - 1].key;
  }
}

bool MouseTools::active(const Session& session) const {
  return !tool_.empty() && !session.recording() &&
         showsPlaces(*session.scene.description, shownOf(*session.scene.description, session.scene.figure.view));
}

void MouseTools::resize(float notches) {
  radius_ = std::clamp(radius_ * std::pow(kResizePerNotch, notches), kSmallestRadius, kLargestRadius);
}

void MouseTools::drawBar(Session& session, Ui& ui) {
  forgetStranger(session);
  const Description& description = *session.scene.description;
  if (description.tools.empty()) return;
  const bool fits = showsPlaces(description, shownOf(description, session.scene.figure.view));
  const std::string locked = !fits                 ? "Tools act on a view over the simulation's own axes."
                             : session.recording() ? "Not while a recording is under way: it must show its scene's run."
                                                   : "";
  std::vector<Offer> offers{{"", "Pan", locked.empty() ? "Drag moves the axes  (0 or Esc)" : locked}};
  for (const auto& [key, title, gesture, view] : description.tools) {
    const std::string number = offers.size() <= 9 ? fmt::format("  ({})", offers.size()) : std::string();
    offers.push_back({key, title,
                      !locked.empty() ? locked
                                      : title + number +
                                            "\nPress and drag on the figure. The right or the middle button moves the "
                                            "axes then."});
  }

  const float room = ImGui::GetContentRegionAvail().x;
  const float tips = tipWidth(ui, "Radius") + ui.px(kTipGap) + tipWidth(ui, "Strength");
  ImGui::BeginDisabled(!locked.empty());
  const float used = drawOffers(ui, offers, room);
  if (used + ui.px(kTipGap) + tips <= room) ImGui::SameLine(0, ui.px(kTipGap));
  // The room is kept without a tool, too: the figure does not jump when one is taken.
  if (tool_.empty()) {
    ImGui::Dummy({0, ImGui::GetFrameHeight()});
  } else {
    drawTips(ui);
  }
  ImGui::EndDisabled();
}

// Chips where one row holds them, else a list. The width that they take.
float MouseTools::drawOffers(Ui& ui, const std::vector<Offer>& offers, float room) {
  const float gap = ui.px(6);
  float width = -gap;
  for (const Offer& offer : offers) width += gap + chipWidth(ui, offer.title);
  const auto name = [](const Offer& offer) { return "tool:" + (offer.key.empty() ? "pan" : offer.key); };
  if (width <= room) {
    for (std::size_t i = 0; i < offers.size(); ++i) {
      if (i > 0) ImGui::SameLine(0, gap);
      const Offer& offer = offers[i];
      if (chip(ui, name(offer).c_str(), offer.title, ui.colours().accent, tool_ == offer.key)) tool_ = offer.key;
      tooltip(ui, offer.help);
    }
    return width;
  }
  const auto taken = std::find_if(offers.begin(), offers.end(), [&](const Offer& each) { return each.key == tool_; });
  const Offer& shown = taken == offers.end() ? offers.front() : *taken;
  width = std::min(ui.px(130), room);
  ImGui::SetNextItemWidth(width);
  const bool open = ImGui::BeginCombo("##tool", shown.title.c_str());
  ui.mark("tools");
  if (open) {
    for (const Offer& offer : offers) {
      if (ImGui::Selectable(offer.title.c_str(), offer.key == tool_)) tool_ = offer.key;
      ui.mark(name(offer));
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui, shown.help);
  }
  return width;
}

void MouseTools::drawTips(Ui& ui) {
  ImGui::PushStyleColor(ImGuiCol_Text, ui.colours().dim);
  double place = logPlace(radius_, kSmallestRadius, kLargestRadius);
  const double radius = units_per_point_ * ui.px(radius_);
  if (tipSlider(ui,
                {"tool_radius", "Radius", "How far the tool reaches, in units of the axis  (Shift and wheel)",
                 units_per_point_ > 0 ? shortNumber(radius) : std::string()},
                place, logPlace(kUsualRadius, kSmallestRadius, kLargestRadius))) {
    radius_ = static_cast<float>(logValue(place, kSmallestRadius, kLargestRadius));
  }
  ImGui::SameLine(0, ui.px(kTipGap));
  place = logPlace(strength_, kWeakest, kStrongest);
  if (tipSlider(ui, {"tool_strength", "Strength", "How much the tool does; 1 is usual", shortNumber(strength_)}, place,
                logPlace(1, kWeakest, kStrongest))) {
    // The usual strength is easy to hit.
    const double wanted = logValue(place, kWeakest, kStrongest);
    strength_ = std::abs(std::log(wanted)) < 0.06 ? 1 : wanted;
  }
  ImGui::PopStyleColor();
}

void MouseTools::followMouse(Session& session, const Ui& ui, const render::PlotArea& area, const Rect& place,
                             bool over_plot) {
  forgetStranger(session);
  units_per_point_ = (area.x.high - area.x.low) / area.width * ui.pixel_ratio;
  if (!active(session)) {
    stroke_.reset();
    return;
  }
  const ImGuiIO& io = ImGui::GetIO();
  const double x = area.xAt((io.MousePos.x - place.x) * ui.pixel_ratio);
  const double y = area.yAt((io.MousePos.y - place.y) * ui.pixel_ratio);
  const Stroke::Tip tip{units_per_point_ * ui.px(radius_), strength_};
  const auto send = [&](std::vector<Brush> events) {
    for (Brush& event : events) session.poke(std::move(event));
  };
  if (over_plot && ImGui::IsItemActive() && ImGui::IsMouseClicked(0)) {
    const Description& description = *session.scene.description;
    stroke_.emplace(tool_, shownOf(description, session.scene.figure.view).field != nullptr);
    send(stroke_->press(x, y, tip));
  } else if (stroke_) {
    send(stroke_->move(x, y, tip));
  }
  if (stroke_ && !ImGui::IsMouseDown(0)) {
    send(stroke_->release(tip));
    stroke_.reset();
  }
}

void MouseTools::drawCursor(const Session& session, const Ui& ui, ImDrawList& list, const Rect& plot) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float radius = ui.px(radius_);
  const float thin = std::max(1.0f, ui.scale);
  // Light on dark: seen over any colour of a field.
  const ImU32 dark = IM_COL32(0, 0, 0, 150), light = IM_COL32(255, 255, 255, stroke_ ? 255 : 200);
  list.PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
  if (shownOf(*session.scene.description, session.scene.figure.view).field) {
    list.AddCircle(mouse, radius, dark, 0, 3 * thin);
    list.AddCircle(mouse, radius, light, 0, 1.3f * thin);
  } else {
    const ImVec4& accent = ui.colours().accent;
    const float low = mouse.x - radius, high = mouse.x + radius;
    list.AddRectFilled({low, plot.y}, {high, plot.bottom()}, toU32(accent, stroke_ ? 0.20f : 0.12f));
    list.AddLine({low, plot.y}, {low, plot.bottom()}, toU32(accent, 0.7f), thin);
    list.AddLine({high, plot.y}, {high, plot.bottom()}, toU32(accent, 0.7f), thin);
  }
  list.PopClipRect();
}

}  // namespace simscope::gui
