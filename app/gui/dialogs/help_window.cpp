#include "app/gui/dialogs/help_window.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace simscope::gui {

namespace {

struct Entry {
  const char* key;
  const char* does;
};

// Keys and gestures that are not commands.
constexpr Entry kKeyboard[] = {{"1 ... 9", "choose a tool of the simulation"},
                               {"0", "back to Pan"},
                               {"Comma, full stop", "back or forward by one frame (with Shift: ten frames)"},
                               {"Home, End", "to the start of the past, to the present"},
                               {"Tab, Shift+Tab", "to the next control, to the previous one"},
                               {"F6, Shift+F6", "to the next panel, to the previous one"},
                               {"Arrows", "from a control: go to its neighbours, or move its slider"},
                               {"Enter, Space", "on a control: press it, or type into it"},
                               {"Esc", "close, cancel a launch, deselect a body, leave the controls, or back to Pan"}};
constexpr Entry kMouse[] = {{"Wheel", "zoom x around the mouse (a field: x and y)"},
                            {"Ctrl and wheel", "zoom y around the mouse"},
                            {"Drag", "move the axes, or use the chosen tool"},
                            {"Right drag", "move the axes, with any tool (also middle drag)"},
                            {"Shift and wheel", "change the tool's size"},
                            {"Double click", "fit the axes (without a tool)"},
                            {"Hover", "read the values (without a tool)"},
                            {"Drop a file", "open a scene, a snapshot, or a GIF or PNG made by simscope"},
                            {"Drop an image or a table", "use it, if the simulation takes one"}};
constexpr Entry kSpace[] = {{"Drag, or arrows", "turn the view (with a tool: middle drag)"},
                            {"Wheel, or page keys", "move nearer or farther"},
                            {"Shift or right drag", "move the centre of the view"},
                            {"Double click", "on a body: follow it; elsewhere: fit"},
                            {"V", "view from above, the front, the side, a corner"}};
constexpr Entry kTools[] = {{"Brush", "press and drag: acts along the path"},
                            {"D", "next shape: line, rectangle, ellipse, filled, fill (Shift: straight; Esc cancels)"},
                            {"Launch", "press, drag in the direction of motion, release (right click cancels)"},
                            {"Place", "press or drag: the object follows the mouse"},
                            {"Body", "click one (or B): drag its arrow's tip, or type; wheel: mass (Alt: finely)"}};
constexpr Entry kPanels[] = {{"Click a number", "type 0.5, 1/3, 2*pi, or 5 mm; Enter applies"},
                             {"Drag a slider or title", "change it; Alt: a tenth, Shift: faster"},
                             {"Type a formula", "Enter applies; Esc restores the running formula"},
                             {"Arrow back", "reset to the preset's value"},
                             {"Diamond", "set a keyframe: the value follows the keyframes in time"},
                             {"Round arrow", "a change restarts the run"},
                             {"Hover a symbol", "in an equation (F2): highlights its parameters"},
                             {"Drag a gap", "resize the panels"}};
constexpr Entry kMeasuring[] = {{"M", "choose probe, line cut, ruler, or none; then click or drag on the field"},
                                {"Enter", "place it in the middle"},
                                {"Drag an end or the line", "move it"},
                                {"Arrows", "move the selected one (with Shift: farther)"},
                                {"Delete", "remove it"}};
constexpr Entry kPlots[] = {{"Wheel", "zoom along x (with Ctrl along y)"},
                            {"Drag", "move the axes"},
                            {"Double click", "show all"},
                            {"Click the legend", "hide a series, or show it again"},
                            {"Arrows, Enter", "on a plot reached with Tab: move and zoom along x; open its menu"},
                            {"Right click", "menu: logarithmic axes, PNG, CSV, separate window"}};

constexpr float kKeyWidth = 150, kBetween = 28;

struct List {
  const char* title;
  std::span<const Entry> entries;
};

// The widths of a column without line breaks: its keys, and all of it.
struct Widths {
  float keys = 0, all = 0;
};
Widths widthsOf(const Ui& ui, std::span<const List> column) {
  Widths widths{ui.px(kKeyWidth), 0};
  float longest = 0;
  for (const List& each : column) {
    for (const Entry& entry : each.entries) {
      longest = std::max(longest, ImGui::CalcTextSize(entry.does).x);
      widths.keys = std::max(widths.keys, ImGui::CalcTextSize(entry.key).x + ui.px(12));
    }
  }
  widths.all = widths.keys + longest;
  return widths;
}

void wrapped(const char* text, float right, const ImVec4& colour) {
  const ScopedWrap wrap(right);
  ImGui::TextColored(colour, "%s", text);
}

// `width`: of the whole column. Longer texts are wrapped.
void drawColumn(Ui& ui, std::span<const List> column, const Widths& natural, float width) {
  const float keys = natural.all > width ? std::min(natural.keys, 0.36f * width) : natural.keys;
  ImGui::BeginGroup();
  for (const List& each : column) {
    heading(ui, each.title, width);
    for (const Entry& entry : each.entries) {
      const float origin = ImGui::GetCursorPosX();
      wrapped(entry.key, origin + keys - ui.px(6), ui.colours().accent);
      ImGui::SameLine();
      ImGui::SetCursorPosX(origin + keys);
      wrapped(entry.does, origin + width + 1, ui.colours().text);
    }
    ImGui::Dummy({0, ui.px(4)});
  }
  ImGui::EndGroup();
}

struct KeyTexts {
  std::vector<std::string> keys;
  std::vector<Entry> entries;  // they point into the keys, and into the commands
};

KeyTexts keysOf(const std::vector<Command>& commands) {
  KeyTexts texts;
  std::vector<const Command*> shown;
  for (const Command& command : commands) {
    if (!command.in_menu || command.keys.empty()) continue;
    std::string keys = command.keys.front();
    for (std::size_t i = 1; i < command.keys.size(); ++i) keys += ", " + command.keys[i];
    texts.keys.push_back(std::move(keys));
    shown.push_back(&command);
  }
  for (std::size_t i = 0; i < shown.size(); ++i)
    texts.entries.push_back({texts.keys[i].c_str(), shown[i]->title.c_str()});
  return texts;
}

}  // namespace

void HelpWindow::draw(Ui& ui, const std::vector<Command>& commands) {
  if (!shown_) return;
  ui.popups.push_back("help");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
  const ImVec2 most(screen.x * 0.94f, screen.y * 0.92f);
  ImGui::SetNextWindowSizeConstraints({std::min(ui.px(420), most.x), 0}, most);
  if (ImGui::Begin(
          "Keys and mouse", &shown_,
          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    const ScopedStyle spacing(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
    const KeyTexts keys = keysOf(commands);
    const List left[] = {{"Keys", keys.entries}, {"Controls by keyboard", kKeyboard}, {"Plots", kPlots}};
    const List right[] = {{"Mouse on the figure", kMouse},
                          {"On bodies in space", kSpace},
                          {"Tools", kTools},
                          {"Measuring on a field", kMeasuring},
                          {"Panels", kPanels}};
    // Side by side where there is room: the list is taller than a small window.
    const Widths a = widthsOf(ui, left), b = widthsOf(ui, right);
    const ImGuiStyle& style = ImGui::GetStyle();
    const float room = most.x - 2 * style.WindowPadding.x - style.ScrollbarSize, between = ui.px(kBetween);
    if (a.all + between + b.all <= room) {
      drawColumn(ui, left, a, a.all);
      ImGui::SameLine(0, between);
      drawColumn(ui, right, b, b.all);
    } else {
      const float width = std::min(std::max(a.all, b.all), room);
      drawColumn(ui, left, a, width);
      drawColumn(ui, right, b, width);
    }
  }
  ImGui::End();
}

}  // namespace simscope::gui
