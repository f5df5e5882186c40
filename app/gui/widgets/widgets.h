// The window's own controls, made of Dear ImGui's: icon buttons, chips, slider bars, cards, and the context (Ui) that
// panels share. Thread: the UI's, between NewFrame and Render.
//
// Probes: a control that tests must find notes its rectangle under a name (mark); nothing is kept unless probing.
#pragma once

#include <imgui.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/widgets/focus.h"
#include "app/gui/widgets/icons.h"
#include "app/gui/widgets/symbol_focus.h"
#include "app/gui/widgets/theme.h"

namespace simscope::gui {

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
};

class Clipboard;

struct Ui {
  float scale = 1;
  float pixel_ratio = 1;
  Fonts fonts;
  const UiColours* palette = &uiColoursOf(render::Theme::Dark);
  bool probing = false;
  std::map<std::string, Rect> probes;  // of the frame being made
  bool escape = false;                 // Esc was pressed outside text fields
  bool close_dropdown = false;         // Esc was pressed while a list was open; it only closes the list
  bool dropdown = false;               // such a list is open, of the frame being made
  bool double_click = false;           // of the left button
  bool escape_typing = false;          // Esc was pressed in a text field
  std::vector<std::string> popups;     // names of the dialogs that are open, of the frame being made
  Clipboard* clipboard = nullptr;      // takes pictures
  bool presenting = false;             // the figure and the transport are shown alone
  Focus focus;
  bool list_opened = false;  // beginCombo() has opened a list: the next mark is of a control that is behind it

  float px(float units) const;
  const UiColours& colours() const { return *palette; }
  SymbolFocus symbols;  // between equations and parameters
  // What the mouse rests on, and since when: tooltips come after a moment.
  Rect resting;
  double resting_since = 0;

  // The last item is a control: notes its rectangle, and lets the keyboard come to it (`stop`: by Tab, too), with a
  // ring around the one that has it (unless `ring` is false: it shows so itself).
  void mark(std::string_view name, bool stop = true, bool ring = true);
};

enum class Emphasis { Plain, Accent, Danger, Quiet };
// A button of icon and label (either may be missing); marked as `id`. width 0: as its content needs.
bool iconButton(Ui& ui, const char* id, Icon icon, const char* label, const char* tooltip,
                Emphasis emphasis = Emphasis::Plain, float width = 0);
float iconButtonWidth(const Ui& ui, Icon icon, const char* label);

// A rounded toggle with a colour dot.
bool chip(Ui& ui, const char* id, const std::string& label, const ImVec4& colour, bool on);
float chipWidth(const Ui& ui, const std::string& label);

// A pill that a click takes away, on top of a picture.
bool removablePill(Ui& ui, const char* id, const std::string& label, const char* tooltip);
float pillWidth(const Ui& ui, const std::string& label);

// ImGui::BeginCombo for a list that Esc closes; EndCombo() where it returns true. Mark it next. `label` stands in it
// before what is shown; kLabelBeside: the list's name is drawn beside or above it, or there is no room for one.
inline constexpr const char* kLabelBeside = nullptr;
bool beginCombo(Ui& ui, const char* id, const char* label, const char* shown, ImGuiComboFlags flags = 0);
// How wide such a list must be for that text.
float comboWidth(const char* shown, const char* label = nullptr);

// How much a drag moves what it drags: a tenth with Alt, four times as much with Shift.
double dragFactor();
// A thin horizontal slider over [0, 1]; true while the user moves it. `released` tells the end of a stroke. With Alt or
// Shift the knob moves from where it is by dragFactor(), for the rest of the stroke.
bool sliderBar(Ui& ui, const char* id, float width, double& fraction, double initial, bool& released);

// Words, a slider, and its number, in the height of a row.
struct SliderLabel {
  const char* id;
  const char* label;
  const char* help;
  std::string shown;      // the number
  float label_width = 0;  // 0: as the words need
};
bool labelledSlider(Ui& ui, const SliderLabel& slider, double& place, double usual);
float labelledSliderWidth(const Ui& ui, const char* label);

// A coloured card with a bar at its left; draw the content between the two.
void beginCard(Ui& ui, const ImVec4& colour);
void endCard(Ui& ui);

// Dear ImGui's line of text for a text of any length; `hint` shows while it is empty.
bool textLine(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags);

// In small letters, wrapped at the window's edge.
void smallLine(Ui& ui, const std::string& text, const ImVec4& colour);
// A tooltip of at most ~40 characters a line for the last item, after the mouse has rested.
void tooltip(Ui& ui, const std::string& text);
// Text cut with an ellipsis where it is wider than `width`.
void clippedText(const std::string& text, float width, const ImVec4& colour);
std::string fitted(const std::string& text, float width);
// What fitted() has cut in the picture that is being made, for tests; the shell begins it anew.
std::vector<std::string>& cutTexts();
// With a line under it; width 0: all the room there is.
void heading(const Ui& ui, const std::string& text, float width = 0);

// About four significant digits: "0.5602", "2.005", "1.2e-07"; "n/a" for NaN, which stands for no value.
std::string shortNumber(double value);
// The same without the zeros at the end, for labels that do not change all the time: "1", "0.8".
std::string labelNumber(double value);
std::string bytesText(double bytes);

}  // namespace simscope::gui
