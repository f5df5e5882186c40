#include "app/gui/panels/figure/mouse_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/session/tool_views.h"
#include "sims/core/words.h"

namespace simscope::gui {

namespace {

constexpr float kSmallestRadius = 3, kLargestRadius = 240, kUsualRadius = 36;
constexpr double kWeakest = 0.1, kStrongest = 10;
constexpr float kResizePerNotch = 1.15f;

double logPlace(double value, double low, double high) {
  return std::log(value / low) / std::log(high / low);
}
double logValue(double place, double low, double high) {
  return low * std::pow(high / low, place);
}

const PanelArea* panelOf(std::span<const PanelArea> panels, const std::string& view) {
  const auto found = std::find_if(panels.begin(), panels.end(), [&](const PanelArea& p) { return p.view == view; });
  return found == panels.end() ? nullptr : &*found;
}

const char* howTo(Gesture gesture) {
  switch (gesture) {
    case Gesture::Launch:
      return "Press where it starts, drag in the direction of motion, and release. Esc or the right button cancels.";
    case Gesture::Place:
      return "Press or drag on the figure: it follows the mouse. The right button moves the view meanwhile.";
    case Gesture::Paint:
      break;
  }
  return "Press and drag on the figure. The right or the middle button moves the view meanwhile.";
}

constexpr float kTipGap = 14, kRoomy = 380;
constexpr const char* kManyStrokes = "999+ strokes";

}  // namespace

std::vector<const ToolInfo*> MouseTools::offered(const Session& session) {
  std::vector<const ToolInfo*> tools;
  for (const ToolInfo& tool : session.scene.description->tools) {
    if (tool.relevant.holds(session.scene.parameters)) tools.push_back(&tool);
  }
  return tools;
}

const ToolInfo* MouseTools::info(const Session& session) const {
  for (const ToolInfo* tool : offered(session)) {
    if (tool->key == tool_) return tool;
  }
  return nullptr;
}

void MouseTools::choose(const Session& session, int number) {
  const std::vector<const ToolInfo*> tools = offered(session);
  if (number == 0) tool_.clear();
  if (number > 0 && static_cast<std::size_t>(number) <= tools.size()) {
    tool_ = tools[static_cast<std::size_t>(number) - 1]->key;
  }
}

void MouseTools::escape() {
  if (stroke_ && stroke_->gesture() == Gesture::Launch) {
    stroke_.reset();
    called_off_ = true;
  } else {
    tool_.clear();
  }
}

const ToolInfo* MouseTools::actingOn(const Session& session, const std::string& view) const {
  const ToolInfo* tool = session.takesInput() ? info(session) : nullptr;
  const Description& description = *session.scene.description;
  return tool && actsOn(description, *tool, description.view(view)) ? tool : nullptr;
}

bool MouseTools::hasRadius(const Session& session) const {
  const ToolInfo* tool = info(session);
  return tool && tool->gesture == Gesture::Paint;
}

void MouseTools::resize(float notches) {
  radius_ = std::clamp(radius_ * std::pow(kResizePerNotch, notches), kSmallestRadius, kLargestRadius);
}

std::vector<MouseTools::Offer> MouseTools::offers(const Session& session) const {
  const Description& description = *session.scene.description;
  std::vector<Offer> offers{{"", "Pan", "The mouse moves the view  (0 or Esc)"}};
  for (const ToolInfo* each : offered(session)) {
    const ToolInfo& tool = *each;
    const std::string number = offers.size() <= 9 ? fmt::format("  ({})", offers.size()) : std::string();
    Offer offer{tool.key, tool.title, tool.title + number + "\n" + howTo(tool.gesture)};
    offer.fits = actsWithin(description, tool, session.scene.figure.view);
    if (!offer.fits) {
      offer.help = tool.title + "\n" +
                   (tool.view.empty() ? std::string("It acts on a view over the simulation's own axes.")
                                      : fmt::format("It acts on the view \"{}\".", description.view(tool.view).title));
    }
    offers.push_back(std::move(offer));
  }
  if (!session.takesInput()) {
    for (Offer& offer : offers)
      offer.help = "Not while the run is recorded from its start: the recording must show its scene's run.";
  }
  return offers;
}

void MouseTools::drawBar(Session& session, Ui& ui) {
  if (!info(session)) tool_.clear();
  if (offered(session).empty()) return;
  const float origin = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
  const float tips = labelledSliderWidth(ui, "Radius") + ui.px(kTipGap) + labelledSliderWidth(ui, "Strength");
  // The same rows with and without strokes, and without a tool, too: the figure does not jump, unless it is small.
  const float strokes = ui.px(kTipGap) + pillWidth(ui, kManyStrokes);
  ImGui::BeginDisabled(!session.takesInput());
  const float used = drawOffers(ui, offers(session), room);
  if (used + ui.px(kTipGap) + tips + strokes <= room) ImGui::SameLine(0, ui.px(kTipGap));
  const ToolInfo* tool = info(session);
  if (tool && tool->gesture != Gesture::Place) {
    drawTips(ui, *tool);
  } else if (ImGui::GetContentRegionAvail().y > ui.px(kRoomy)) {
    ImGui::Dummy({0, ImGui::GetFrameHeight()});
  }
  drawStrokes(session, ui, origin + room);
  ImGui::EndDisabled();
}

// At the end of the row that is being drawn; nothing where it is full.
void MouseTools::drawStrokes(Session& session, Ui& ui, float right) {
  const std::size_t count = session.scene.timeline.strokes.size();
  if (count == 0) return;
  const std::string label = count < 1000 ? counted(static_cast<std::int64_t>(count), "stroke") : kManyStrokes;
  ImGui::SameLine(0, 0);
  const float left = right - pillWidth(ui, label);
  if (left < ImGui::GetCursorPosX()) return ImGui::NewLine();
  ImGui::SetCursorPosX(left);
  const char* const help =
      "Strokes are part of the scene. Click to clear them: the run goes back to before the first one";
  ImGui::BeginDisabled(session.recording());
  if (removablePill(ui, "strokes", label, help)) session.clearStrokes();
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
      ImGui::BeginDisabled(!offer.fits);
      if (chip(ui, name(offer).c_str(), offer.title, ui.colours().accent, tool_ == offer.key)) tool_ = offer.key;
      tooltip(ui, offer.help);
      ImGui::EndDisabled();
    }
    return width;
  }
  const auto taken = std::find_if(offers.begin(), offers.end(), [&](const Offer& each) { return each.key == tool_; });
  const Offer& shown = taken == offers.end() ? offers.front() : *taken;
  width = std::min(ui.px(130), room);
  ImGui::SetNextItemWidth(width);
  const bool open = beginCombo(ui, "##tool", shown.title.c_str());
  ui.mark("tools");
  if (open) {
    for (const Offer& offer : offers) {
      ImGui::BeginDisabled(!offer.fits);
      if (ImGui::Selectable(offer.title.c_str(), offer.key == tool_)) tool_ = offer.key;
      ui.mark(name(offer));
      tooltip(ui, offer.help);
      ImGui::EndDisabled();
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui, shown.help);
  }
  return width;
}

void MouseTools::drawTips(Ui& ui, const ToolInfo& tool) {
  ImGui::PushStyleColor(ImGuiCol_Text, ui.colours().dim);
  if (tool.gesture == Gesture::Paint) {
    double place = logPlace(radius_, kSmallestRadius, kLargestRadius);
    const double radius = units_per_point_ * ui.px(radius_);
    if (labelledSlider(ui,
                       {"tool_radius", "Radius", "Radius of the tool, in units of the axis  (Shift and wheel)",
                        units_per_point_ > 0 ? shortNumber(radius) : std::string()},
                       place, logPlace(kUsualRadius, kSmallestRadius, kLargestRadius))) {
      radius_ = static_cast<float>(logValue(place, kSmallestRadius, kLargestRadius));
    }
    ImGui::SameLine(0, ui.px(kTipGap));
  }
  double place = logPlace(strength_, kWeakest, kStrongest);
  if (labelledSlider(ui, {"tool_strength", "Strength", "Strength of the tool; 1 is normal", shortNumber(strength_)},
                     place, logPlace(1, kWeakest, kStrongest))) {
    // The usual strength is easy to hit.
    const double wanted = logValue(place, kWeakest, kStrongest);
    strength_ = std::abs(std::log(wanted)) < 0.06 ? 1 : wanted;
  }
  ImGui::PopStyleColor();
}

void MouseTools::followMouse(Session& session, const Ui& ui, std::span<const PanelArea> panels, PixelPlace mouse,
                             int panel) {
  if (!info(session)) tool_.clear();
  const PanelArea* under = panel >= 0 ? &panels[static_cast<std::size_t>(panel)] : nullptr;
  const ToolInfo* tool = under ? actingOn(session, under->view) : nullptr;
  const bool any_button = ImGui::IsMouseDown(0) || ImGui::IsMouseDown(1) || ImGui::IsMouseDown(2);
  called_off_ = called_off_ && any_button;

  const PanelArea* at = stroke_ ? panelOf(panels, stroke_view_) : under;
  if (stroke_ && (!at || !actingOn(session, at->view))) stroke_.reset();
  // The radius reads in the units of the panel that the tool is on, else of the first that it acts on.
  const auto acts = [&](const PanelArea& each) { return actingOn(session, each.view) != nullptr; };
  const auto first = std::find_if(panels.begin(), panels.end(), acts);
  if (at && acts(*at)) {
    units_per_point_ = unitsPerPixel(*at) * ui.pixel_ratio;
  } else if (first != panels.end()) {
    units_per_point_ = unitsPerPixel(*first) * ui.pixel_ratio;
  }
  if (stroke_ && stroke_->gesture() == Gesture::Launch && ImGui::IsMouseClicked(1)) escape();

  const MouseStroke::Tip tip{units_per_point_ * ui.px(radius_), strength_};
  const auto send = [&](std::vector<Brush> events) {
    for (Brush& event : events) session.poke(std::move(event));
  };
  if (tool && !holdsMouse() && ImGui::IsItemActive() && ImGui::IsMouseClicked(0)) {
    stroke_.emplace(tool_, tool->gesture, domainOf(session.scene.description->view(under->view)));
    stroke_view_ = under->view;
    send(stroke_->press(spotAt(*under, mouse), tip));
  } else if (stroke_) {
    send(stroke_->move(spotAt(*at, mouse), tip));
  }
  if (stroke_ && !ImGui::IsMouseDown(0)) {
    send(stroke_->release(tip));
    stroke_.reset();
  }
}

void MouseTools::drawCursor(const Session& session, const Ui& ui, ImDrawList& list, std::span<const PanelArea> panels,
                            const Rect& place, int panel) const {
  if (called_off_) return;
  const PanelArea* used = stroke_      ? panelOf(panels, stroke_view_)
                          : panel >= 0 ? &panels[static_cast<std::size_t>(panel)]
                                       : nullptr;
  const ToolInfo* tool = used ? actingOn(session, used->view) : nullptr;
  if (!tool) return;
  const PanelArea& at = *used;
  const auto x = [&](double pixel) { return place.x + static_cast<float>(pixel) / ui.pixel_ratio; };
  const auto y = [&](double pixel) { return place.y + static_cast<float>(pixel) / ui.pixel_ratio; };
  const Rect plot{x(at.area.left), y(at.area.top), static_cast<float>(at.area.width) / ui.pixel_ratio,
                  static_cast<float>(at.area.height) / ui.pixel_ratio};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  list.PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
  const View& view = session.scene.description->view(at.view);
  if (tool->gesture == Gesture::Paint) {
    drawReach(ui, list, domainOf(view), plot, mouse, ui.px(radius_), stroking());
  } else if (!stroke_ || tool->gesture == Gesture::Place || !stroke_->begun()) {
    drawCross(ui, list, mouse, stroking());
  } else if (const auto start = pixelOf(at, stroke_->domain(), stroke_->start())) {
    const bool line = stroke_->domain() == Domain::Line;
    const std::string& unit = xAxisOf(view).unit;
    const std::string length = shortNumber(distance(stroke_->start(), stroke_->last()));
    const ImVec2 from(x(start->x), line ? mouse.y : y(start->y));
    drawLaunch(ui, list, plot, from, mouse, unit.empty() ? length : length + " " + unit);
  }
  list.PopClipRect();
}

}  // namespace simscope::gui
