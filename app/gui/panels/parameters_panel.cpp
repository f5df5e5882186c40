#include "app/gui/panels/parameters_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "app/gui/panels/parameter_scale.h"

namespace simscope::gui {

namespace {

constexpr float kFieldWidth = 96;
constexpr float kResetWidth = 22;

std::string helpOf(const ParameterSet& parameters, std::size_t index) {
  const ParameterInfo& info = parameters.infos()[index];
  const std::string& unit = parameters.unit(index);
  std::string text = parameters.title(index);
  if (!unit.empty()) text += " [" + unit + "]";
  if (!info.help.empty()) text += "\n" + info.help;
  if (!parameters.matters(index)) text += "\nMatters with " + shownText(info.relevant, parameters.infos()) + ".";
  text += fmt::format("\n\nkey: {}\nrange: {}\ndefault: {}", info.key, rangeText(info), toText(info.initial));
  text += info.applies == Applies::OnReset ? "\nA change restarts the run." : "\nA change applies at once.";
  return text;
}

const Track* trackOf(const Session& session, std::size_t index) {
  return session.scene.timeline.track(session.scene.parameters.infos()[index].key);
}

// With what was refused for want of something else: that is shown, and can be given.
ParameterSet withRefused(const Session& session) {
  ParameterSet wanted = session.scene.parameters;
  for (const auto& [index, refusal] : session.refusals) wanted.set(index, refusal.value);
  return wanted;
}

void copyText(std::array<char, 96>& to, const std::string& from) {
  std::snprintf(to.data(), to.size(), "%s", from.c_str());
}

}  // namespace

void ParametersPanel::apply(Session& session, std::size_t index, const Value& value) {
  if (const Track* track = trackOf(session, index)) {
    Track wanted = *track;
    setKeyframe(wanted, session.status.time, numberOf(value));
    applyTrack(session, index, std::move(wanted));
    return;
  }
  try {
    session.setParameter(index, value);
    refused_.erase(index);
  } catch (const UsageError& error) {
    refused_[index] = error.what();
  }
}

void ParametersPanel::applyTrack(Session& session, std::size_t index, Track wanted) {
  try {
    session.setTimeline(withTrack(session.scene.timeline, std::move(wanted)),
                        "Keyframes of " + session.scene.parameters.infos()[index].title);
    refused_.erase(index);
  } catch (const UsageError& error) {
    refused_[index] = error.what();
  }
}

// What the user has in hand, else what the run has where keyframes say so, else what the scene says.
Value ParametersPanel::present(const Session& session, std::size_t index) const {
  if (const auto held = held_.find(index); held != held_.end()) return held->second;
  const bool speaks_of_scene = session.status.description == session.scene.description;
  if (speaks_of_scene && trackOf(session, index)) return session.status.parameters[index];
  return session.scene.parameters[index];
}

void ParametersPanel::draw(Session& session, Ui& ui) {
  if (description_ != session.scene.description) {
    description_ = session.scene.description;
    held_.clear();
    places_.clear();
    refused_.clear();
    text_index_ = SIZE_MAX;
    line_.forget();
    unfolded_.clear();
  }
  typing_.clear();
  const float available = ImGui::GetContentRegionAvail().y;
  const float findings = std::min(findings_height_, available * 0.45f);
  ImGui::BeginChild("parameters_list", {0, -(findings + ui.px(8))}, false);
  ImGui::BeginDisabled(session.recording());
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(6), ui.px(4)});
  // Groups in the order of their first parameter.
  std::vector<std::string> groups;
  const std::span<const ParameterInfo> infos = session.scene.parameters.infos();
  for (const ParameterInfo& info : infos) {
    if (std::find(groups.begin(), groups.end(), info.group) == groups.end()) groups.push_back(info.group);
  }
  const ParameterSet wanted = withRefused(session);
  for (const std::string& group : groups) drawGroup(session, ui, group, wanted);
  if (session.scene.description->random.holds(session.scene.parameters)) {
    heading(ui, "Run");
    drawSeed(session, ui);
  }
  ImGui::PopStyleVar();
  ImGui::EndDisabled();
  ImGui::EndChild();

  ImGui::BeginChild("findings", {0, 0}, false);
  drawFindings(session, ui);
  findings_height_ = ImGui::GetCursorPosY();
  ImGui::EndChild();
}

// What does not matter is folded away below the rest, out of the way and yet to be had.
void ParametersPanel::drawGroup(Session& session, Ui& ui, const std::string& group, const ParameterSet& wanted) {
  const std::span<const ParameterInfo> infos = wanted.infos();
  heading(ui, group.empty() ? "Parameters" : group);
  std::vector<std::size_t> folded;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].group != group) continue;
    const bool matters = session.scene.parameters.matters(i) || wanted.matters(i) || isRefused(session, i);
    if (matters) {
      drawRow(session, ui, i);
    } else {
      folded.push_back(i);
    }
  }
  if (!folded.empty()) {
    const bool open = unfolded_.contains(group);
    const std::string label = fmt::format("{} not used here", folded.size());
    std::string help = open ? "Hide:" : "Show:";
    for (const std::size_t i : folded) help += "\n" + infos[i].title;
    pushFont(ui.fonts.small);
    const bool turned =
        iconButton(ui, ("fold:" + group).c_str(), Icon::None, label.c_str(), help.c_str(), Emphasis::Quiet);
    ImGui::PopFont();
    if (turned) open ? static_cast<void>(unfolded_.erase(group)) : static_cast<void>(unfolded_.insert(group));
    for (const std::size_t i : folded) {
      if (open) drawRow(session, ui, i);
    }
  }
  ImGui::Dummy({0, ui.px(4)});
}

void ParametersPanel::drawRow(Session& session, Ui& ui, std::size_t index) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const UiColours& p = ui.colours();
  const bool followed = trackOf(session, index) != nullptr;
  const bool changed = !followed && session.scene.parameters[index] != info.initial;
  const bool number = (info.kind == Kind::Integer && !info.power_of_two) || info.kind == Kind::Real;
  const bool text = info.kind == Kind::Text;
  ImGui::PushID(static_cast<int>(index));

  const float full = ImGui::GetContentRegionAvail().x;
  focusRow(ui, info.key, full);
  const float reset = ui.px(kResetWidth);
  const float field = std::min(number ? ui.px(kFieldWidth) : ui.px(kFieldWidth + 44), full * 0.46f);
  const float field_left = full - reset - ui.px(4) - (text ? 0 : field);
  const bool animated = canFollowKeyframes(info);
  const float mark = info.applies == Applies::OnReset || animated ? ui.px(16) : 0;
  const float origin = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  const float room = field_left - mark - ui.px(8);
  const std::string& title = session.scene.parameters.title(index);
  const bool narrow = ImGui::CalcTextSize(title.c_str()).x > room;
  if (narrow) pushFont(ui.fonts.small);
  const bool matters = session.scene.parameters.matters(index);
  clippedText(title, room, changed || followed ? p.accent : matters ? p.text : p.dim);
  if (narrow) ImGui::PopFont();
  if (!isRefused(session, index)) tooltip(ui, helpOf(session.scene.parameters, index));
  if (mark > 0) {
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(origin + field_left - mark - ui.px(3));
    if (animated) {
      if (auto edit = strip_.drawDiamond(ui, info, trackOf(session, index), session.status.time,
                                         numberOf(present(session, index)), mark)) {
        applyTrack(session, index, *std::move(edit));
      }
    } else {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::Dummy({mark, ImGui::GetFrameHeight()});
      drawIcon(*ImGui::GetWindowDrawList(), Icon::Restarts, {at.x + mark * 0.6f, at.y + ImGui::GetFrameHeight() / 2},
               ui.px(9), toU32(p.dim, 0.8f));
      tooltip(ui, "A change restarts the run.");
    }
  }
  ImGui::SameLine();
  ImGui::SetCursorPosX(origin + field_left);
  if (number) {
    drawField(session, ui, index, field);
  } else if (text) {
    ImGui::Dummy({0, ImGui::GetFrameHeight()});
  } else {
    drawChoice(session, ui, index, field);
  }
  if (changed || (text && session.refusals.contains(index))) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(origin + full - reset);
    const std::string initial = shownText(info, info.initial);
    const std::string help = "Back to the default, " + (initial.empty() ? "no text" : initial);
    if (iconButton(ui, ("default:" + info.key).c_str(), Icon::Cross, "", help.c_str(), Emphasis::Quiet, reset)) {
      apply(session, index, info.initial);
    }
  }
  if (number) {
    drawSlider(session, ui, index, std::max(field_left - ui.px(10), ui.px(30)));
    ImGui::SameLine();
    ImGui::SetCursorPosX(origin + field_left);
    pushFont(ui.fonts.small);
    clippedText(session.scene.parameters.unit(index), field + reset, p.dim);
    ImGui::PopFont();
    if (trackOf(session, index)) drawStrip(session, ui, index);  // the diamond may have changed that
  }
  if (text) drawText(session, ui, index);
  drawRefusal(session, ui, index);
  ImGui::PopID();
}

void ParametersPanel::drawStrip(Session& session, Ui& ui, std::size_t index) {
  const Scene& scene = session.scene;
  const double steps = static_cast<double>(scene.beginsAt()) + (scene.frames - 1.0) * scene.steps_per_frame;
  const RunnerStatus& run = session.status;
  const double left = steps - static_cast<double>(run.steps);
  const StripTimes times{run.time, run.time_step > 0 ? run.time + left * run.time_step : 0};
  const float width = ImGui::GetContentRegionAvail().x - ui.px(kResetWidth);
  if (auto edit = strip_.drawStrip(ui, scene.parameters.infos()[index], *trackOf(session, index), times, width)) {
    applyTrack(session, index, *std::move(edit));
  }
}

void ParametersPanel::drawText(Session& session, Ui& ui, std::size_t index) {
  const float width = ImGui::GetContentRegionAvail().x;
  if (const auto wanted = line_.draw(session, ui, index, width, helpOf(session.scene.parameters, index), typing_))
    apply(session, index, *wanted);
}

bool ParametersPanel::isRefused(const Session& session, std::size_t index) const {
  return refused_.contains(index) || session.refusals.contains(index);
}

void ParametersPanel::drawRefusal(const Session& session, Ui& ui, std::size_t index) {
  const auto field = refused_.find(index);
  const auto run = session.refusals.find(index);
  if (field == refused_.end() && run == session.refusals.end()) return;
  beginCard(ui, ui.colours().error);
  pushFont(ui.fonts.small);
  ImGui::TextUnformatted(field != refused_.end() ? field->second.c_str() : run->second.why.c_str());
  ImGui::PopFont();
  endCard(ui);
}

void ParametersPanel::drawField(Session& session, Ui& ui, std::size_t index, float width) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const Value value = present(session, index);
  const bool typing_here = text_index_ == index;
  std::array<char, 96> shown{};
  // Between two keyframes a value has more digits than anybody reads.
  const bool between = info.kind == Kind::Real && trackOf(session, index) && !held_.contains(index);
  copyText(shown, between ? labelNumber(numberOf(value)) : toText(value));
  char* buffer = typing_here ? text_.data() : shown.data();
  ImGui::SetNextItemWidth(width);
  const bool entered = ImGui::InputText("##value", buffer, shown.size(),
                                        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ui.mark("value:" + info.key);
  if (ImGui::IsItemActive() && !typing_here) {
    text_index_ = index;
    text_ = shown;
  }
  if (ImGui::IsItemActive()) typing_ = info.key;
  // Not over the reason that stands below.
  if (typing_.empty() && !isRefused(session, index)) tooltip(ui, helpOf(session.scene.parameters, index));
  if (entered || ImGui::IsItemDeactivatedAfterEdit()) {
    const std::string typed = buffer;
    try {
      apply(session, index, parseValue(info, typed));
    } catch (const UsageError& error) {
      refused_[index] = error.what();
    }
  }
  if (ImGui::IsItemDeactivated() && text_index_ == index) text_index_ = SIZE_MAX;
}

void ParametersPanel::drawSlider(Session& session, Ui& ui, std::size_t index, float width) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const Value value = present(session, index);
  const auto in_hand = places_.find(index);
  double place = in_hand == places_.end() ? sliderPlace(info, numberOf(value)) : in_hand->second;
  bool released = false;
  const std::string id = "slider:" + info.key;
  const bool moved = sliderBar(ui, id.c_str(), width, place, sliderPlace(info, numberOf(info.initial)), released);
  ui.mark(id);
  if (moved) {
    places_[index] = place;
    const Value wanted = valueOf(info, sliderValue(info, place, ImGui::GetIO().KeyShift));
    if (info.applies == Applies::OnReset || trackOf(session, index)) {
      held_[index] = wanted;
    } else if (wanted != session.scene.parameters[index]) {
      apply(session, index, wanted);
    }
  }
  if (released) {
    places_.erase(index);
    if (const auto last = held_.find(index); last != held_.end()) {
      const Value wanted = last->second;
      held_.erase(last);
      if (wanted != present(session, index)) apply(session, index, wanted);
    }
  }
}

void ParametersPanel::drawChoice(Session& session, Ui& ui, std::size_t index, float width) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const Value& value = session.scene.parameters[index];
  const std::string mark = "value:" + info.key;
  if (info.kind == Kind::Flag) {
    bool on = std::get<bool>(value);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + width - ImGui::GetFrameHeight());
    if (ImGui::Checkbox("##value", &on)) apply(session, index, on);
    ui.mark(mark);
    tooltip(ui, helpOf(session.scene.parameters, index));
    return;
  }
  std::vector<Choice> choices = info.choices;
  if (info.kind == Kind::Integer) {
    for (double power = 1; power <= info.maximum; power *= 2) {
      const std::string number = fmt::format("{:.0f}", power);
      if (power >= info.minimum) choices.push_back({number, number});
    }
  }
  const std::string present = toText(value), title = shownText(info, value);
  ImGui::SetNextItemWidth(width);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {ui.px(400), ui.px(420)});
  const bool open = beginCombo(ui, "##value", title.c_str(), ImGuiComboFlags_HeightLargest);
  ui.mark(mark);
  if (open) {
    for (const Choice& choice : choices) {
      const bool selected = choice.key == present;
      if (ImGui::Selectable(choice.title.c_str(), selected)) apply(session, index, parseValue(info, choice.key));
      ui.mark(mark + ":" + choice.key);
      if (selected) ImGui::SetItemDefaultFocus();
    }
    ImGui::EndCombo();
  } else if (!isRefused(session, index)) {
    tooltip(ui, helpOf(session.scene.parameters, index));
  }
}

void ParametersPanel::drawSeed(Session& session, Ui& ui) {
  const float full = ImGui::GetContentRegionAvail().x;
  const float field = std::min(ui.px(kFieldWidth), full * 0.46f);
  const float origin = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Seed");
  const std::string help = "Parameters and seed decide the run. A change restarts it.";
  tooltip(ui, help);
  ImGui::SameLine();
  ImGui::SetCursorPosX(origin + full - ui.px(kResetWidth + 4) - field);
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

void ParametersPanel::drawFindings(Session& session, Ui& ui) {
  const UiColours& p = ui.colours();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(6), ui.px(5)});
  heading(ui, "Checks");
  const std::vector<Finding>& findings = session.status.findings;
  if (findings.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, p.good);
    ImGui::TextUnformatted(session.status.stopped ? "" : "No problems found.");
    ImGui::PopStyleColor();
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    const ImVec4& colour = finding.level == Finding::Level::Warning ? p.warning : p.note;
    ImGui::PushID(static_cast<int>(i));
    beginCard(ui, colour);
    pushFont(ui.fonts.small);
    ImGui::TextUnformatted(finding.message.c_str());
    ImGui::PopFont();
    if (!finding.key.empty()) {
      const std::string label = fmt::format("Set {} to {}", finding.key, finding.value);
      ImGui::BeginDisabled(session.recording());
      pushFont(ui.fonts.small);
      if (iconButton(ui, ("cure:" + finding.code).c_str(), Icon::None, label.c_str(), "")) {
        try {
          const std::size_t index = session.scene.parameters.find(finding.key);
          apply(session, index, parseValue(session.scene.parameters.infos()[index], finding.value));
        } catch (const UsageError& error) {
          session.say(Message::Level::Error, error.what());
        }
      }
      ImGui::PopFont();
      ImGui::EndDisabled();
    }
    endCard(ui);
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
}

}  // namespace simscope::gui
