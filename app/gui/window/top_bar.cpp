#include "app/gui/window/top_bar.h"

#include <algorithm>

namespace simscope::gui {

namespace {

constexpr float kRoomForButtons = 430;  // with less, only the menu View has these commands
constexpr float kRoomForChanges = 520;  // with less, undo and redo only have keys

const Command* find(const std::vector<Command>& commands, std::string_view id) {
  const auto found = std::find_if(commands.begin(), commands.end(), [&](const Command& each) { return each.id == id; });
  return found == commands.end() ? nullptr : &*found;
}

// `most`: of the title's width; keys stand where there is room for them, too.
void menuItem(Ui& ui, const Command& command, bool with_keys = true, float most = 0) {
  const bool on = command.checked && command.checked();
  const std::string keys = with_keys ? command.shownKeys() : "";
  const std::string title = most > 0 ? fitted(command.title, most) : command.title;
  if (ImGui::MenuItem(title.c_str(), keys.empty() ? nullptr : keys.c_str(), on, command.isAvailable())) command.run();
  ui.mark("menu:" + command.id);
  if (title != command.title) tooltip(ui, command.title);
}

void drawMenu(Ui& ui, const std::vector<Command>& commands, const char* group) {
  const std::string id = std::string("menu_") + group, popup = id + "_list";
  if (iconButton(ui, id.c_str(), Icon::None, group, "", Emphasis::Quiet)) ImGui::OpenPopup(popup.c_str());
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax(), screen = ImGui::GetIO().DisplaySize;
  // In a small window it goes to the left, leaves its keys out, and scrolls.
  float titles = 0, keys = 0;
  for (const Command& each : commands) {
    if (each.group != group || !each.in_menu) continue;
    titles = std::max(titles, ImGui::CalcTextSize(each.title.c_str()).x);
    keys = std::max(keys, ImGui::CalcTextSize(each.shownKeys().c_str()).x);
  }
  const ImGuiStyle& style = ImGui::GetStyle();
  const float margin = ui.px(4), edges = 2 * style.WindowPadding.x + style.ScrollbarSize;
  const float mark = 2 * ImGui::GetFontSize() + style.ItemSpacing.x, most = screen.x - 2 * margin - edges - mark;
  const bool with_keys = titles + keys + style.ItemSpacing.x <= most;
  const float width = std::min(titles + (with_keys ? keys + style.ItemSpacing.x : 0), most) + edges + mark;
  const float top = high.y + margin;
  ImGui::SetNextWindowPos({std::max(std::min(low.x, screen.x - margin - width), margin), top});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x - 2 * margin, std::max(screen.y - top - margin, ui.px(80))});
  if (!ImGui::BeginPopup(popup.c_str())) return;
  ui.popups.push_back(id);
  if (ui.escape) ImGui::CloseCurrentPopup();
  for (const Command& each : commands) {
    if (each.group == group && each.in_menu) menuItem(ui, each, with_keys, most);
  }
  ImGui::EndPopup();
}

void commandButton(Ui& ui, const std::vector<Command>& commands, const char* id, const char* mark, Icon icon,
                   const char* label = "") {
  const Command* command = find(commands, id);
  if (!command) return;
  const bool on = command->checked && command->checked();
  const std::string keys = command->shownKeys();
  const std::string help = keys.empty() ? command->title : command->title + "  (" + keys + ")";
  const ScopedDisabled unavailable(!command->isAvailable());
  const float width = *label ? 0 : ui.px(32);
  if (iconButton(ui, mark, icon, label, help.c_str(), on ? Emphasis::Plain : Emphasis::Quiet, width)) command->run();
}

// A field that opens the palette, in the middle of the room.
void drawSearch(Ui& ui, const std::vector<Command>& commands, float right) {
  const Command* palette = find(commands, "palette");
  const float left = ImGui::GetCursorPosX(), room = right - left - 2 * ui.px(12);
  const std::string keys = palette ? palette->shownKeys() : "";
  const std::string texts[] = {"Search commands, parameters, presets    " + keys, "Search    " + keys, ""};
  for (const std::string& text : texts) {
    const float needed = iconButtonWidth(ui, Icon::Search, text.c_str()) + (text.empty() ? 0 : ui.px(24));
    if (needed > room && !text.empty()) continue;
    ImGui::SetCursorPosX(std::round(left + ui.px(12) + std::max(room - needed, 0.0f) / 2));
    if (iconButton(ui, "palette_open", Icon::Search, text.c_str(), "Search everything", Emphasis::Plain, needed) &&
        palette) {
      palette->run();
    }
    break;
  }
}

}  // namespace

void drawTopBar(Session& session, Ui& ui, FileMenu& files, const std::vector<Command>& commands) {
  const float gap = ui.px(2), right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const bool with_buttons = ImGui::GetContentRegionAvail().x > ui.px(kRoomForButtons);
  files.drawRow(session, ui, [&] {
    ImGui::Separator();
    if (const Command* quit = find(commands, "quit")) menuItem(ui, *quit);
  });
  for (const char* group : {"Run", "View"}) {
    ImGui::SameLine(0, gap);
    drawMenu(ui, commands, group);
  }
  ImGui::SameLine(0, gap);
  commandButton(ui, commands, "help", "help", Icon::None, "Help");
  if (ImGui::GetContentRegionAvail().x > ui.px(kRoomForChanges)) {
    ImGui::SameLine(0, ui.px(10));
    FileMenu::drawChanges(session, ui);
  }
  ImGui::SameLine(0, 0);
  const float buttons = with_buttons ? 5 * ui.px(32) + 4 * gap : 0;
  drawSearch(ui, commands, right - buttons);
  if (!with_buttons) return;
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(right - buttons);
  commandButton(ui, commands, "fold_simulations", "fold_simulations", Icon::PanelLeft);
  ImGui::SameLine(0, gap);
  commandButton(ui, commands, "fold_plots", "fold_plots", Icon::PanelBelow);
  ImGui::SameLine(0, gap);
  commandButton(ui, commands, "fold_parameters", "fold_parameters", Icon::PanelRight);
  ImGui::SameLine(0, gap);
  commandButton(ui, commands, "presenter", "presenter", Icon::Present);
  ImGui::SameLine(0, gap);
  commandButton(ui, commands, "full_screen", "full_screen", Icon::FullScreen);
}

}  // namespace simscope::gui
