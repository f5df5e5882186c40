#include "app/gui/panels/simulations_panel.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sims/core/registry.h"

namespace simscope::gui {

namespace {

// Of a line: the text's, which may go on below, and its own.
float textRoom(const Ui& ui, float width) {
  return std::max(width - ui.px(16), ui.px(20));
}
float lineHeight(const Ui& ui, const std::string& text, float width) {
  return ImGui::CalcTextSize(text.c_str(), nullptr, false, textRoom(ui, width)).y + ui.px(8);
}

// A selectable line; a name that is wider than the panel goes on below.
bool line(Ui& ui, const std::string& id, const std::string& text, bool selected) {
  const float width = ImGui::GetContentRegionAvail().x, room = textRoom(ui, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = lineHeight(ui, text, width);
  const bool pressed = ImGui::InvisibleButton(id.c_str(), {width, height});
  const UiColours& p = ui.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float alpha = ImGui::GetStyle().Alpha;
  if (selected || ImGui::IsItemHovered()) {
    list.AddRectFilled(at, {at.x + width, at.y + height}, toU32(selected ? p.pressed : p.raised, alpha), ui.px(4));
  }
  if (selected) list.AddRectFilled(at, {at.x + ui.px(3), at.y + height}, toU32(p.accent, alpha), ui.px(2));
  list.AddText(nullptr, 0, {at.x + ui.px(10), at.y + ui.px(4)}, toU32(p.text, alpha), text.c_str(), nullptr, room);
  ui.mark(id, selected);
  return pressed;
}

// Where the chosen one of a list that has just appeared is out of sight.
void scrollTo(bool selected) {
  if (selected && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY(0.5f);
}

void listSimulations(Session& session, Ui& ui) {
  for (const Description* each : simulations()) {
    const bool selected = each == session.scene.description;
    if (line(ui, "simulation:" + each->id, each->title, selected) && !selected) session.selectSimulation(*each);
    scrollTo(selected);
    tooltip(ui, each->summary);
  }
}

void listPresets(Session& session, Ui& ui) {
  const Description& description = *session.scene.description;
  for (const Preset& preset : description.presets) {
    const bool selected = preset.key == session.scene.preset;
    const bool changed = selected && (session.scene.parameters != description.preset(preset.key) ||
                                      session.scene.timeline.tracks != preset.tracks);
    if (line(ui, "preset:" + preset.key, changed ? preset.title + " *" : preset.title, selected)) {
      session.selectPreset(preset.key);
    }
    scrollTo(selected);
    tooltip(ui, changed ? preset.summary + "\n\n* Parameters or keyframes were changed. A click resets them."
                        : preset.summary);
  }
}

// Of a list without a scroll bar.
template <class Titles>
float listHeight(const Ui& ui, const Titles& titles, float width) {
  float height = 0;
  for (const auto& each : titles) height += lineHeight(ui, each, width) + ImGui::GetStyle().ItemSpacing.y;
  return height;
}

float dimHeight(const Ui& ui, const std::string& text, float width) {
  const ScopedFont font(ui.fonts.small);
  return ImGui::CalcTextSize(text.c_str(), nullptr, false, width).y + ImGui::GetStyle().ItemSpacing.y;
}

void drawLists(Session& session, Ui& ui) {
  const ScopedDisabled recording(session.recording());
  const ScopedStyle spacing(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(3)});
  heading(ui, "Simulations");
  // As many as there is room for beside the presets, each list with a scroll bar of its own.
  const Description& description = *session.scene.description;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  std::vector<std::string> names, presets;
  for (const Description* each : simulations()) names.push_back(each->title);
  for (const Preset& each : description.presets) presets.push_back(each.title);
  const std::string equation = description.equationOf(session.scene.parameters);
  const std::string summary = session.scene.preset.empty() ? "" : description.presetInfo(session.scene.preset).summary;
  const float row = ImGui::GetFontSize() + ui.px(8 + 3), told = dimHeight(ui, summary, room.x) + ui.px(4 + 3);
  const float between = dimHeight(ui, equation, room.x) + row + ui.px(24);
  const float all = listHeight(ui, names, room.x), rest = room.y - between - told - listHeight(ui, presets, room.x);
  ImGui::BeginChild("simulations_names", {0, std::min(all, std::max({0.46f * room.y, 4 * row, rest}))}, false);
  listSimulations(session, ui);
  ImGui::EndChild();
  ImGui::Dummy({0, ui.px(2)});
  smallLine(ui, equation, ui.colours().dim);

  ImGui::Dummy({0, ui.px(6)});
  heading(ui, "Presets");
  // Its name is the simulation's, so that it begins at its own place. What the preset is stands below the list, where
  // that leaves one.
  const float left = ImGui::GetContentRegionAvail().y;
  const bool below = left - told > 4 * row;
  ImGui::BeginChild(("presets:" + description.id).c_str(),
                    {0, below ? std::min(left - told, listHeight(ui, presets, room.x)) : 0}, false);
  listPresets(session, ui);
  ImGui::EndChild();
  if (below && !summary.empty()) {
    ImGui::Dummy({0, ui.px(4)});
    smallLine(ui, summary, ui.colours().dim);
    ui.mark("preset_summary", false);
  }
}

}  // namespace

SimulationsActions drawSimulationsPanel(Session& session, Ui& ui) {
  SimulationsActions actions;
  const float footer = ImGui::GetFrameHeight() + ui.px(6);
  ImGui::BeginChild("simulations_list", {0, -footer}, false);
  drawLists(session, ui);
  ImGui::EndChild();

  const float width = (ImGui::GetContentRegionAvail().x - ui.px(6)) / 2;
  actions.explain = iconButton(ui, "explain", Icon::None, "Physics", "The physics, and three experiments to try  (F2)",
                               Emphasis::Plain, width);
  ImGui::SameLine(0, ui.px(6));
  actions.gallery =
      iconButton(ui, "gallery", Icon::None, "Gallery", "All simulations and presets  (Ctrl+G)", Emphasis::Plain, width);
  return actions;
}

}  // namespace simscope::gui
