#include "app/gui/dialogs/help_window.h"

#include <algorithm>

namespace simscope::gui {

namespace {

struct Entry {
  const char* key;
  const char* does;
};

constexpr Entry kKeys[] = {{"Space", "play or pause"},
                           {"S", "one frame's steps"},
                           {"R", "back to the start"},
                           {"F", "fit the view"},
                           {"P", "save the figure as a PNG"},
                           {"Ctrl+R", "record an animation; again: end it there"},
                           {"Ctrl+Z", "undo a change or a stroke"},
                           {"Ctrl+Shift+Z, +Y", "redo it"},
                           {"Ctrl+S", "save the scene (with Shift: as)"},
                           {"Ctrl+O", "open a scene"},
                           {"1 ... 9", "choose a tool of the simulation"},
                           {"0", "back to Pan"},
                           {"F1", "this list"},
                           {"F2", "the physics of it, and experiments"},
                           {"F3", "the device: costs, limits, memory"},
                           {"Esc", "close a dialog, cancel a launch, or back to Pan"},
                           {"Ctrl+Q", "quit"}};
constexpr Entry kMouse[] = {{"Wheel", "zoom x about the mouse (a field: x and y)"},
                            {"Ctrl and wheel", "zoom y about the mouse"},
                            {"Drag", "move the axes, or use the chosen tool"},
                            {"Right drag", "move the axes, whatever the tool (middle, too)"},
                            {"Shift and wheel", "size of the tool"},
                            {"Double click", "fit the axes, without a tool"},
                            {"Hover", "read the values, without a tool"},
                            {"Drop a file", "open a scene, a snapshot, or a GIF or PNG made by simscope"},
                            {"Drop an image or a table", "use it, where the simulation takes one"}};
constexpr Entry kSpace[] = {{"Drag, or arrows", "turn the view (with a tool: middle drag)"},
                            {"Wheel, or page keys", "nearer or farther"},
                            {"Shift or right drag", "move what is in the middle"},
                            {"Double click", "follow a body; beside the bodies: fit"},
                            {"V", "from above, from the front, from the side, from a corner"}};
constexpr Entry kTools[] = {{"Brush", "press and drag: acts along the path"},
                            {"Launch", "press, drag in the direction of motion, release (right click cancels)"},
                            {"Place", "press or drag: it follows the mouse"}};
constexpr Entry kPanels[] = {{"Click a number", "type a value; Enter applies"},
                             {"Drag a slider", "change it; with Shift finer"},
                             {"Type a formula", "Enter applies; Esc goes back to what runs"},
                             {"Cross", "back to the default"},
                             {"Diamond", "a keyframe here: the value follows them in time"},
                             {"Round arrow", "a change restarts the run"},
                             {"Hover a symbol", "of an equation (F2): its parameters light up"},
                             {"Drag a gap", "resize the panels"}};

constexpr float kKeyWidth = 150, kTwoColumns = 1000;

template <std::size_t N>
void list(Ui& ui, const char* title, const Entry (&entries)[N]) {
  float longest = 0;
  for (const Entry& entry : entries) longest = std::max(longest, ImGui::CalcTextSize(entry.does).x);
  heading(ui, title, ui.px(kKeyWidth) + longest);
  for (const Entry& entry : entries) {
    const float origin = ImGui::GetCursorPosX();
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colours().accent);
    ImGui::TextUnformatted(entry.key);
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::SetCursorPosX(origin + ui.px(kKeyWidth));
    ImGui::TextUnformatted(entry.does);
  }
  ImGui::Dummy({0, ui.px(4)});
}

}  // namespace

void HelpWindow::draw(Ui& ui) {
  if (!shown_) return;
  ui.popups.push_back("help");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({ui.px(420), 0}, {screen.x * 0.9f, screen.y * 0.92f});
  if (ImGui::Begin(
          "Keys and mouse", &shown_,
          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
    // Side by side where there is room: the list is taller than a small window.
    const bool wide = screen.x * 0.9f > ui.px(kTwoColumns);
    ImGui::BeginGroup();
    list(ui, "Keys", kKeys);
    list(ui, "Panels", kPanels);
    ImGui::EndGroup();
    if (wide) ImGui::SameLine(0, ui.px(28));
    ImGui::BeginGroup();
    list(ui, "Mouse on the figure", kMouse);
    list(ui, "On bodies in space", kSpace);
    list(ui, "Tools", kTools);
    ImGui::EndGroup();
    ImGui::PopStyleVar();
  }
  ImGui::End();
}

}  // namespace simscope::gui
