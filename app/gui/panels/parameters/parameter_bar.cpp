#include "app/gui/panels/parameters/parameter_bar.h"

#include <fmt/format.h>

#include <utility>

#include "sims/core/words.h"

namespace simscope::gui {

namespace {

std::string titleOfPreset(const Description& description, const std::string& key) {
  return key.empty() ? "Defaults" : description.presetInfo(key).title;
}

// Beside the last item where there is room for another of this width, else on the next line.
void besideOrBelow(const Ui& ui, float right, float width) {
  if (ImGui::GetItemRectMax().x + ui.px(6) + width <= right) ImGui::SameLine(0, ui.px(6));
}

}  // namespace

void ParameterBar::forget() {
  words_.clear();
  compared_.reset();
  changed_only_ = false;
}

void ParameterBar::drawSearch(Ui& ui, Actions& actions) {
  const float cross = words_.empty() ? 0 : ImGui::GetFrameHeight() + ui.px(4);
  if (std::exchange(focus_, false)) ui.focus.ask("search");  // Dear ImGui 1.90 gives it to no first window
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - cross);
  if (textLine("##search", "Search (Ctrl+F)", words_,
               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
    actions.first = !words_.empty();
  }
  ui.mark("search");
  typing_ = ImGui::IsItemActive();
  const bool escaped = ImGui::IsItemDeactivated() && ui.escape_typing;
  if (!typing_) tooltip(ui, "Finds parameters by title, key, unit, and help. Enter goes to the first, Esc clears.");
  bool clear = escaped;
  if (cross > 0) {
    ImGui::SameLine(0, ui.px(4));
    clear =
        iconButton(ui, "search_clear", Icon::Cross, "", "Show all", Emphasis::Quiet, ImGui::GetFrameHeight()) || clear;
  }
  if (clear) words_.clear();
}

void ParameterBar::drawCompared(Ui& ui, const Description& description, const std::string& preset) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Compared with");
  tooltip(ui, "The values to compare with, and to reset to");
  ImGui::SameLine();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::SetNextItemWidth(width);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {ui.px(400), ui.px(420)});
  const std::string now = reference(preset);
  const bool open = beginCombo(ui, "##compared", kLabelBeside, titleOfPreset(description, now).c_str(),
                               ImGuiComboFlags_HeightLargest);
  ui.mark("compared");
  if (!open) return;
  const auto offer = [&](const std::string& key) {
    const ScopedId id(key);
    if (ImGui::Selectable(titleOfPreset(description, key).c_str(), key == now)) compared_ = key;
    ui.mark("compared:" + key);
    if (key == now) ImGui::SetItemDefaultFocus();
  };
  offer("");
  for (const Preset& each : description.presets) offer(each.key);
  ImGui::EndCombo();
}

ParameterBar::Actions ParameterBar::draw(Ui& ui, const Description& description, const std::string& preset,
                                         std::size_t changed, bool restarting) {
  const UiColours& p = ui.colours();
  Actions actions;
  drawSearch(ui, actions);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  {
    const ScopedFont font(ui.fonts.small);
    const std::string differ = fmt::format("Changed {}", changed);
    if (chip(ui, "changed_only", differ, p.accent, changed_only_)) {
      changed_only_ = !changed_only_;
      if (!changed_only_) compared_.reset();
    }
    tooltip(ui, fmt::format("{} from {}. Shows only these, with the values of both.",
                            changed == 1 ? "One parameter differs" : fmt::format("{} parameters differ", changed),
                            titleOfPreset(description, reference(preset))));
    if (restarting) {
      besideOrBelow(ui, right, chipWidth(ui, "Apply together"));
      if (chip(ui, "together", "Apply together", p.warning, together_)) together_ = !together_;
      tooltip(ui, "Changes that restart the run wait until you apply them together. Other changes apply at once.");
    }
    if (changed > 0) {
      besideOrBelow(ui, right, iconButtonWidth(ui, Icon::Undo, "Reset"));
      const std::string help =
          fmt::format("All parameters back to the values of {}", titleOfPreset(description, reference(preset)));
      actions.reset_all = iconButton(ui, "reset_all", Icon::Undo, "Reset", help.c_str(), Emphasis::Quiet);
    }
  }
  if (changed_only_) drawCompared(ui, description, preset);
  ImGui::Dummy({0, ui.px(1)});
  return actions;
}

ParameterBar::Waiting ParameterBar::drawWaiting(Ui& ui, std::size_t count) {
  if (count == 0) return Waiting::Stay;
  Waiting wanted = Waiting::Stay;
  const Card card(ui, ui.colours().warning);
  const ScopedFont font(ui.fonts.small);
  const std::string text =
      fmt::format("{} {}. The run will restart once.", counted(count, "change"), count == 1 ? "waits" : "wait");
  wrappedText(text);
  if (iconButton(ui, "apply_waiting", Icon::None, "Apply", "Restarts the run with all these changes",
                 Emphasis::Accent)) {
    wanted = Waiting::Apply;
  }
  ImGui::SameLine(0, ui.px(6));
  if (iconButton(ui, "revert_waiting", Icon::None, "Revert", "Back to the values of the run")) wanted = Waiting::Revert;
  return wanted;
}

}  // namespace simscope::gui
