// The row below the figure's other controls: the chosen tool, its shape, size and strength.
#include "app/gui/panels/figure/mouse_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels/figure/shape_choice.h"
#include "app/session/tool_views.h"
#include "sims/core/words.h"

namespace simscope::gui {

namespace {

constexpr double kWeakest = 0.1, kStrongest = 10;
constexpr float kTipGap = 14, kRoomy = 380;
constexpr const char* kManyStrokes = "999+ strokes";

double logPlace(double value, double low, double high) {
  return std::log(value / low) / std::log(high / low);
}
double logValue(double place, double low, double high) {
  return low * std::pow(high / low, place);
}

const char* howTo(Gesture gesture) {
  switch (gesture) {
    case Gesture::Launch:
      return "Press where it starts, drag in the direction of motion, and release. Esc or the right button cancels.";
    case Gesture::Place:
      return "Press or drag on the figure: the object follows the mouse. The right button moves the view.";
    case Gesture::Edit:
      return "Click an object; then drag the tip of its arrow, turn the wheel over it, or type. Elsewhere the mouse "
             "moves the view.";
    case Gesture::Paint:
      break;
  }
  return "Press and drag on the figure. The right or the middle button moves the view.";
}

}  // namespace

std::vector<MouseTools::Offer> MouseTools::offers(const Session& session) const {
  const Description& description = *session.scene.description;
  std::vector<Offer> offers{{"", "Pan", "The mouse moves the view  (0 or Esc)"}};
  for (const ToolInfo* each : offered(session)) {
    const ToolInfo& tool = *each;
    const std::string number = offers.size() <= 9 ? fmt::format("  ({})", offers.size()) : std::string();
    const std::string& title = titleOf(tool);
    Offer offer{tool.key, title, title + number + "\n" + howTo(tool.gesture)};
    offer.fits = actsWithin(description, tool, session.scene.figure.view);
    if (!offer.fits) {
      offer.help =
          title + "\n" +
          (tool.view.empty() ? std::string("Works only in a view with the simulation's own axes.")
                             : fmt::format("Works only in the view \"{}\".", description.view(tool.view).title));
    }
    offers.push_back(std::move(offer));
  }
  if (!session.takesInput()) {
    for (Offer& offer : offers)
      offer.help = "Not possible while recording from the start: the recording must match its scene.";
  }
  return offers;
}

// All shapes that any of the tools draws in what is shown: the row keeps its width whichever is taken.
std::vector<DrawnShape> MouseTools::offeredShapes(const Session& session) {
  std::vector<DrawnShape> most;
  for (const ToolInfo* tool : offered(session)) {
    if (!drawsShapesWithin(*session.scene.description, *tool, session.scene.figure.view)) continue;
    if (std::vector<DrawnShape> shapes = shapesOf(*tool); shapes.size() > most.size()) most = std::move(shapes);
  }
  return most;
}

void MouseTools::drawBar(Session& session, Ui& ui) {
  if (auto wanted = session.takeTool()) tool_ = *std::move(wanted);
  if (!info(session)) tool_.clear();
  if (offered(session).empty()) return;
  const float origin = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x, gap = ui.px(kTipGap);
  const float tips = labelledSliderWidth(ui, "Radius") + gap + labelledSliderWidth(ui, "Strength");
  const float strokes = gap + pillWidth(ui, kManyStrokes);
  const std::size_t most = offeredShapes(session).size();
  const float buttons = most > 0 ? shapeChoiceWidth(ui, most, false) + gap : 0;
  // The same rows with and without strokes, and without a tool, too: the figure does not jump, unless it is small.
  const ScopedDisabled busy(!session.takesInput());
  const float used = drawOffers(ui, offers(session), room);
  const ToolInfo* tool = info(session);
  const bool one_row = used + gap + buttons + tips + strokes <= room;
  bool begun = one_row, drawn = false;
  if (one_row) ImGui::SameLine(0, gap);
  if (most > 0) {
    const bool as_list = !one_row && buttons + tips > room;
    const float list = shapeChoiceWidth(ui, most, true);
    if (as_list && used + gap + list <= room && !shapesAtHand(session).empty()) ImGui::SameLine(0, gap);
    drawn = drawShapes(session, ui, as_list);
    begun = drawn && !as_list;
    if (begun) ImGui::SameLine(0, gap);
    begun = begun || one_row;
  }
  if (tool && tool->gesture != Gesture::Place && tool->gesture != Gesture::Edit) {
    drawTips(session, ui, *tool);
  } else if (begun || ImGui::GetContentRegionAvail().y > ui.px(kRoomy)) {
    ImGui::Dummy({0, ImGui::GetFrameHeight()});
  }
  drawStrokes(session, ui, origin + room);
}

// False where the tool at hand draws none.
bool MouseTools::drawShapes(Session& session, Ui& ui, bool as_list) {
  const std::vector<DrawnShape> shapes = shapesAtHand(session);
  if (shapes.empty()) return false;
  DrawnShape chosen = shape(session);
  drawShapeChoice(ui, shapes, chosen, as_list);
  if (chosen != shape(session)) shape_ = chosen;
  return true;
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
      "Strokes are part of the scene. Click to clear them: the run goes back to before the first stroke";
  const ScopedDisabled recording(session.recording());
  if (removablePill(ui, "strokes", label, help)) session.clearStrokes();
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
      const ScopedDisabled unfit(!offer.fits);
      if (chip(ui, name(offer).c_str(), offer.title, ui.colours().accent, tool_ == offer.key)) tool_ = offer.key;
      tooltip(ui, offer.help);
    }
    return width;
  }
  const auto taken = std::find_if(offers.begin(), offers.end(), [&](const Offer& each) { return each.key == tool_; });
  const Offer& shown = taken == offers.end() ? offers.front() : *taken;
  width = std::min(std::max(ui.px(130), comboWidth(shown.title.c_str(), "Tool")), room);
  ImGui::SetNextItemWidth(width);
  const bool open = beginCombo(ui, "##tool", "Tool", shown.title.c_str());
  ui.mark("tools");
  if (open) {
    for (const Offer& offer : offers) {
      const ScopedDisabled unfit(!offer.fits);
      if (ImGui::Selectable(offer.title.c_str(), offer.key == tool_)) tool_ = offer.key;
      ui.mark(name(offer));
      tooltip(ui, offer.help);
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui, shown.help);
  }
  return width;
}

void MouseTools::drawTips(const Session& session, Ui& ui, const ToolInfo& tool) {
  const ScopedColour letters(ImGuiCol_Text, ui.colours().dim);
  Settings& settings = settingsOf(session, tool);
  if (tool.gesture == Gesture::Paint) {
    const double low = least(), high = most();
    const double radius = radiusOf(session, tool);
    double place = logPlace(radius, low, high);
    if (const ScopedDisabled none(!hasLine(shape(session)));
        labelledSlider(ui,
                       {"tool_radius", "Radius",
                        "Radius of the tool, in units of the axis  (Shift and wheel). Zoom in for a smaller radius; "
                        "the smallest is one cell wide",
                        units_per_point_ > 0 ? shortNumber(units_per_point_ * radius) : std::string()},
                       place, logPlace(std::clamp(tool.size * reference_, low, high), low, high))) {
      settings.share = logValue(place, low, high) / reference_;
    }
    ImGui::SameLine(0, ui.px(kTipGap));
  }
  double place = logPlace(settings.strength, kWeakest, kStrongest);
  if (labelledSlider(ui,
                     {"tool_strength", "Strength", "Strength of the tool; 1 is normal", shortNumber(settings.strength)},
                     place, logPlace(1, kWeakest, kStrongest))) {
    // The usual strength is easy to hit.
    const double wanted = logValue(place, kWeakest, kStrongest);
    settings.strength = std::abs(std::log(wanted)) < 0.06 ? 1 : wanted;
  }
}

}  // namespace simscope::gui
