// The controls in the rows of the panel of parameters.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "app/gui/panels/parameters/parameter_scale.h"
#include "app/gui/panels/parameters/parameter_words.h"
#include "app/gui/panels/parameters/parameters_panel.h"
#include "sims/formula/quantity.h"

namespace simscope::gui {

namespace {

constexpr float kStripMargin = 22, kSeedWidth = 96;

}  // namespace

void ParametersPanel::drawStrip(Session& session, Ui& ui, std::size_t index) {
  const Scene& scene = session.scene;
  const double steps = static_cast<double>(scene.beginsAt()) + (scene.frames - 1.0) * scene.steps_per_frame;
  const RunnerStatus& run = session.status;
  const double left = steps - static_cast<double>(run.steps);
  const StripTimes times{run.time, run.time_step > 0 ? run.time + left * run.time_step : 0};
  const float width = ImGui::GetContentRegionAvail().x - ui.px(kStripMargin);
  if (auto edit = strip_.drawStrip(ui, scene.parameters.infos()[index], *trackOf(session, index), times, width)) {
    applyTrack(session, index, *std::move(edit));
  }
}

// The help is long, so it is made only for the row under the mouse.
void ParametersPanel::helpTip(const Session& session, Ui& ui, std::size_t index) const {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  const ParameterSet& parameters = session.scene.parameters;
  std::string text = parameterHelp(parameters, index);
  if (isSlidable(parameters.infos()[index])) text += "\nnow: " + valueText(parameters, index, present(session, index));
  tooltip(ui, text);
}

void ParametersPanel::drawText(Session& session, Ui& ui, std::size_t index) {
  const float width = ImGui::GetContentRegionAvail().x;
  const Value* waiting = staged_.find(index);
  if (const auto wanted = line_.draw(session, ui, index, width, parameterHelp(session.scene.parameters, index), typing_,
                                     waiting ? std::get_if<std::string>(waiting) : nullptr))
    apply(session, index, *wanted);
}

void ParametersPanel::drawField(Session& session, Ui& ui, std::size_t index, float width) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const std::string& unit = session.scene.parameters.unit(index);
  const Value value = present(session, index);
  ParameterField::Shown shown{.text = {}, .unit = formula::shownUnit(info, value, unit)};
  shown.text = formula::numberIn(value, unit, shown.unit);
  if (ui.probing) shown_[info.key] = shown.text + (shown.unit.empty() ? "" : " " + shown.unit);
  if (const auto refused = refused_.find(index); refused != refused_.end() && !refused->second.typed.empty()) {
    shown = {refused->second.typed, refused->second.unit, true};
  }
  const auto entered = field_.draw(ui, index, "value:" + info.key, shown, width);
  if (field_.typed(index)) typing_ = info.key;
  // Not over the reason shown below.
  if (typing_.empty() && !isRefused(session, index)) helpTip(session, ui, index);
  if (field_.escaped()) refused_.erase(index);
  // An unchanged text is not entered: a number between two keyframes would become a keyframe.
  if (entered && *entered != shown.text) enter(session, index, *entered);
}

const ParametersPanel::Drag* ParametersPanel::dragOf(std::size_t index) const noexcept {
  return drag_ && drag_->index == index ? &*drag_ : nullptr;
}

double ParametersPanel::sliderAt(const Session& session, std::size_t index) const {
  if (const Drag* const drag = dragOf(index)) return drag->place;
  return sliderPlace(session.scene.parameters.infos()[index], numberOf(present(session, index)));
}

void ParametersPanel::drag(Session& session, std::size_t index, double place) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  if (!dragOf(index)) drag_ = Drag{index};
  drag_->place = place;
  drag_->fine = drag_->fine || ImGui::GetIO().KeyAlt;
  const Value wanted = valueOf(info, sliderValue(info, place, drag_->fine));
  if (info.applies == Applies::OnReset || (trackOf(session, index) && !session.recording())) {
    drag_->held = wanted;
  } else if (wanted != present(session, index)) {
    apply(session, index, wanted);
  }
}

void ParametersPanel::release(Session& session, std::size_t index) {
  if (!dragOf(index)) return;
  const std::optional<Value> wanted = std::exchange(drag_, std::nullopt)->held;
  if (wanted && *wanted != present(session, index)) apply(session, index, *wanted);
}

void ParametersPanel::drawSlider(Session& session, Ui& ui, std::size_t index, double usual, float width) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  double place = sliderAt(session, index);
  bool released = false;
  const std::string id = "slider:" + info.key;
  const bool moved = sliderBar(ui, id.c_str(), width, place, sliderPlace(info, usual), released);
  ui.mark(id);
  if (moved) drag(session, index, place);
  if (released) release(session, index);
}

void ParametersPanel::drawChoice(Session& session, Ui& ui, std::size_t index, float width) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const Value value = present(session, index);
  const std::string mark = "value:" + info.key;
  if (info.kind == Kind::Flag) {
    bool on = std::get<bool>(value);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + width - ImGui::GetFrameHeight());
    if (ImGui::Checkbox("##value", &on)) apply(session, index, on);
    ui.mark(mark);
    helpTip(session, ui, index);
    return;
  }
  std::vector<Choice> choices = info.choices;
  if (info.kind == Kind::Integer) {
    for (double power = 1; power <= info.maximum; power *= 2) {
      const std::string number = fmt::format("{:.0f}", power);
      if (power >= info.minimum) choices.push_back({number, number});
    }
  }
  const std::string present_key = toText(value), title = shownText(info, value);
  ImGui::SetNextItemWidth(width);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {ui.px(400), ui.px(420)});
  const bool open = beginCombo(ui, "##value", kLabelBeside, title.c_str(), ImGuiComboFlags_HeightLargest);
  ui.mark(mark);
  if (open) {
    for (const Choice& choice : choices) {
      const bool selected = choice.key == present_key;
      if (ImGui::Selectable(choice.title.c_str(), selected)) apply(session, index, parseValue(info, choice.key));
      ui.mark(mark + ":" + choice.key);
      if (selected) ImGui::SetItemDefaultFocus();
    }
    ImGui::EndCombo();
  } else if (!isRefused(session, index)) {
    helpTip(session, ui, index);
  }
}

void ParametersPanel::drawSeed(Session& session, Ui& ui) {
  const float full = ImGui::GetContentRegionAvail().x;
  const float field = std::min(ui.px(kSeedWidth), full * 0.46f);
  const float origin = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Seed");
  const std::string help = "The parameters and the seed determine the run. A change restarts it.";
  tooltip(ui, help);
  ImGui::SameLine();
  ImGui::SetCursorPosX(origin + full - ui.px(kStripMargin + 4) - field);
  ImGui::SetNextItemWidth(field);
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%llu", static_cast<unsigned long long>(session.scene.seed));
  if (ImGui::InputText("##seed", text.data(), text.size(),
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CharsDecimal |
                           ImGuiInputTextFlags_AutoSelectAll)) {
    char* end = nullptr;
    const unsigned long long seed = std::strtoull(text.data(), &end, 10);
    if (end != text.data() && *end == '\0') session.setSeed(seed);
  }
  ui.mark("seed");
  if (ImGui::IsItemActive()) typing_ = "seed";
  tooltip(ui, typing_.empty() ? help : std::string());
}

}  // namespace simscope::gui
