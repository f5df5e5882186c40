// The window's controls, built from Dear ImGui's: icon buttons, chips, slider bars, cards, and the context (Ui) that
// panels share. Thread: the UI's, between NewFrame and Render.
//
// Probes: a control that tests must find stores its rectangle under a name (mark), but only while probing.
#pragma once

#include <imgui.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/widgets/focus.h"
#include "app/gui/widgets/icons.h"
#include "app/gui/widgets/scoped.h"
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
  bool dropdown = false;               // such a list is open in the frame being made
  bool double_click = false;           // of the left button
  bool escape_typing = false;          // Esc was pressed in a text field
  std::vector<std::string> popups;     // names of the open dialogs, in the frame being made
  Clipboard* clipboard = nullptr;      // takes pictures
  bool presenting = false;             // only the figure and the transport are shown
  Focus focus;
  bool list_opened = false;  // beginCombo() has opened a list: the next mark belongs to a control behind it

  float px(float units) const;
  const UiColours& colours() const { return *palette; }
  SymbolFocus symbols;  // between equations and parameters
  // What the mouse rests on, and since when: tooltips appear after a delay.
  Rect resting;
  double resting_since = 0;

  // The last item is a control: stores its rectangle and makes it reachable by keyboard (`stop`: by Tab, too), with a
  // ring when it has the focus (`ring` false: it shows the focus itself).
  void mark(std::string_view name, bool stop = true, bool ring = true);
};

enum class Emphasis { Plain, Accent, Danger, Quiet };
// A button with icon and label (either may be missing); marked as `id`. width 0: as its content needs.
bool iconButton(Ui& ui, const char* id, Icon icon, const char* label, const char* tooltip,
                Emphasis emphasis = Emphasis::Plain, float width = 0);
float iconButtonWidth(const Ui& ui, Icon icon, const char* label);

// A rounded toggle with a colour dot.
bool chip(Ui& ui, const char* id, const std::string& label, const ImVec4& colour, bool on);
float chipWidth(const Ui& ui, const std::string& label);

// A label over a picture, removed by a click.
bool removablePill(Ui& ui, const char* id, const std::string& label, const char* tooltip);
float pillWidth(const Ui& ui, const std::string& label);

// ImGui::BeginCombo for a list that Esc closes; call EndCombo() if it returns true. Mark it next. `label` is shown
// inside, before the value; kLabelBeside: the list's name is drawn beside or above it, or there is no space for one.
inline constexpr const char* kLabelBeside = nullptr;
bool beginCombo(Ui& ui, const char* id, const char* label, const char* shown, ImGuiComboFlags flags = 0);
// The width that such a list needs for that text.
float comboWidth(const char* shown, const char* label = nullptr);

// The factor on a drag's effect: a tenth with Alt, four with Shift.
double dragFactor();
// A thin horizontal slider over [0, 1]; true while the user moves it. `released`: the drag has ended. With Alt or Shift
// the knob moves from its position by dragFactor(), until the end of the drag.
bool sliderBar(Ui& ui, const char* id, float width, double& fraction, double initial, bool& released);

// Text, a slider, and its number, in the height of a row.
struct SliderLabel {
  const char* id;
  const char* label;
  const char* help;
  std::string shown;      // the number
  float label_width = 0;  // 0: as the text needs
};
bool labelledSlider(Ui& ui, const SliderLabel& slider, double& place, double usual);
float labelledSliderWidth(const Ui& ui, const char* label);

// A coloured card with a bar at its left, around what is drawn while it exists. Afterwards it is the last item.
class Card {
 public:
  Card(const Ui& ui, const ImVec4& colour);
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

 private:
  const Ui& ui_;
  ImVec4 colour_;
};

// A window without decoration over the others, at the place that was set; call ImGui::End() after its content.
void beginFloating(const char* id, float padding, const ImVec4& border);
// ImGui::BeginPopup with this padding.
bool beginPopup(const char* id, const ImVec2& padding, ImGuiWindowFlags flags = 0);
// ImGui::BeginChild that has the present padding.
void beginPadded(const char* id, const ImVec2& size, ImGuiWindowFlags flags = 0);

// A red frame around the fields that are drawn while it exists, if what was typed there is refused.
class RefusedFrame {
 public:
  RefusedFrame(const Ui& ui, bool refused);

 private:
  ScopedColour colour_;
  ScopedStyle width_;
};

// Dear ImGui's text input for a text of any length; `hint` is shown while it is empty.
bool textLine(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags);

// The text in lines of at most this width in the present font, or of one word: a blank at the end of a line becomes a
// line break. Dear ImGui alone (1.89, 1.91) breaks lines after points, too: amid 0.0001.
std::string linesOf(std::string text, float width);
// So, where a Card or a ScopedWrap says.
void wrappedText(const std::string& text);
// In small letters, wrapped at the window's edge.
void smallLine(const Ui& ui, const std::string& text, const ImVec4& colour);
void boldLine(const Ui& ui, const std::string& text);
ImVec2 smallTextSize(const Ui& ui, const std::string& text);
// A card with this text.
void messageCard(const Ui& ui, const std::string& text, const ImVec4& colour);
// A tooltip of at most ~40 characters a line for the last item, after the mouse has rested.
void tooltip(Ui& ui, const std::string& text);
// Text cut with an ellipsis if it is wider than `width`.
void clippedText(const std::string& text, float width, const ImVec4& colour);
std::string fitted(const std::string& text, float width);
// The texts that fitted() has cut in the present picture, for tests; the shell clears it.
std::vector<std::string>& cutTexts();
// With a line under it; width 0: all the space.
void heading(const Ui& ui, const std::string& text, float width = 0);

// About four significant digits: "0.5602", "2.005", "1.2e-07"; "n/a" for NaN, which means no value.
std::string shortNumber(double value);
// Without trailing zeros, for labels that rarely change: "1", "0.8".
std::string labelNumber(double value);
std::string bytesText(double bytes);

}  // namespace simscope::gui
