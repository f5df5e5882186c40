#include "app/gui/lab/knobs.h"

#include <algorithm>

#include "app/gui/panels/parameters/parameter_scale.h"
#include "app/gui/widgets/prose.h"
#include "sims/formula/quantity.h"

namespace simscope::gui {

namespace {

constexpr float kKnobTitle = 190, kKnobField = 130, kKnobSlider = 260;

}  // namespace

void Knobs::forget() {
  field_.forget();
  refused_.clear();
  places_.clear();
}

void Knobs::draw(Ui& ui, ParameterSet& parameters, float width) {
  const UiColours& p = ui.colours();
  const float title = std::min(ui.px(kKnobTitle), width * 0.4f), gap = ui.px(10);
  const float field = std::min(ui.px(kKnobField), width - title - gap);
  const float slider = std::min(ui.px(kKnobSlider), width - title - field - 2 * gap);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters.matters(i)) continue;
    const ParameterInfo& info = parameters.infos()[i];
    const ScopedId id(i);
    const float left = ImGui::GetCursorPosX();
    ImGui::AlignTextToFramePadding();
    clippedText(parameters.title(i), title, p.dim);
    tooltip(ui, info.help + "\n" + info.key + ": " + formula::rangeIn(info, parameters.unit(i)));
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(left + title + gap);
    if (info.kind == Kind::Integer || info.kind == Kind::Real) {
      drawNumber(ui, parameters, i, field, slider);
    } else if (info.kind == Kind::Text) {
      drawText(ui, parameters, i, width - title - gap);
    } else {
      drawChoice(ui, parameters, i, field + gap + std::max(slider, 0.0f));
    }
    if (const auto refused = refused_.find(i); refused != refused_.end()) {
      drawProse(ui, refused->second.why, width, p.error);
    }
  }
}

void Knobs::drawNumber(Ui& ui, ParameterSet& parameters, std::size_t index, float field, float slider) {
  const ParameterInfo& info = parameters.infos()[index];
  const std::string unit = parameters.unit(index), shown_unit = formula::shownUnit(info, parameters[index], unit);
  ParameterField::Shown shown{.text = formula::numberIn(parameters[index], unit, shown_unit), .unit = shown_unit};
  if (const auto refused = refused_.find(index); refused != refused_.end()) {
    shown = {refused->second.typed, refused->second.unit, true};
  }
  const float unit_width = shown.unit.empty() ? 0 : ImGui::CalcTextSize(shown.unit.c_str()).x + ui.px(6);
  const auto entered = field_.draw(ui, index, "knob:" + info.key, shown, field - unit_width);
  tooltip(ui, info.help);
  if (field_.escaped()) refused_.erase(index);
  if (entered && *entered != shown.text) enter(parameters, index, *entered);
  if (unit_width > 0) {
    ImGui::SameLine(0, ui.px(6));
    ImGui::TextDisabled("%s", shown.unit.c_str());
  }
  if (slider < ui.px(60) || !isSlidable(info)) return;
  ImGui::SameLine(0, ui.px(10));
  const auto in_hand = places_.find(index);
  double place = in_hand == places_.end() ? sliderPlace(info, numberOf(parameters[index])) : in_hand->second;
  bool released = false;
  const std::string id = "slider:" + info.key;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (ImGui::GetFrameHeight() - ui.px(16)) / 2);
  if (sliderBar(ui, id.c_str(), slider, place, sliderPlace(info, numberOf(info.initial)), released)) {
    places_[index] = place;
    refused_.erase(index);
    parameters.set(index, checkedValue(info, valueOf(info, sliderValue(info, place, ImGui::GetIO().KeyAlt))));
  }
  ui.mark(id);
  if (released) places_.erase(index);
}

void Knobs::drawText(Ui& ui, ParameterSet& parameters, std::size_t index, float width) {
  const ParameterInfo& info = parameters.infos()[index];
  ParameterField::Shown shown{.text = toText(parameters[index]), .unit = {}};
  if (const auto refused = refused_.find(index); refused != refused_.end()) {
    shown = {refused->second.typed, {}, true};
  }
  const auto entered = field_.draw(ui, index, "knob:" + info.key, shown, width);
  tooltip(ui, info.help);
  if (field_.escaped()) refused_.erase(index);
  if (entered && *entered != shown.text) enter(parameters, index, *entered);
}

void Knobs::drawChoice(Ui& ui, ParameterSet& parameters, std::size_t index, float width) const {
  const ParameterInfo& info = parameters.infos()[index];
  const std::string mark = "knob:" + info.key;
  if (info.kind == Kind::Flag) {
    bool on = std::get<bool>(parameters[index]);
    if (ImGui::Checkbox("##value", &on)) parameters.set(index, on);
    ui.mark(mark);
    return;
  }
  ImGui::SetNextItemWidth(width);
  const bool open = beginCombo(ui, "##value", kLabelBeside, shownText(info, parameters[index]).c_str());
  ui.mark(mark);
  if (!open) return;
  for (const Choice& each : info.choices) {
    if (ImGui::Selectable(each.title.c_str(), each.key == toText(parameters[index]))) {
      parameters.set(index, parseValue(info, each.key));
    }
    ui.mark(mark + ":" + each.key);
  }
  ImGui::EndCombo();
}

void Knobs::enter(ParameterSet& parameters, std::size_t index, const std::string& typed) {
  refused_.erase(index);
  try {
    parameters.set(index, formula::readValue(parameters.infos()[index], typed, parameters.unit(index), field_.unit()));
  } catch (const UsageError& error) {
    refused_[index] = {typed, field_.unit(), error.what()};
  }
}

}  // namespace simscope::gui
