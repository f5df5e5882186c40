// Which control has the keyboard, and how it goes from one to the next: Tab and Shift+Tab through all of them, F6 to
// the next panel, arrows within a panel (Dear ImGui's navigation), Enter or Space to press. A field is typed into at
// once.
//
// Until the first Tab no control has the keyboard, and the arrows and Space belong to the figure (Shell's commands); a
// click of the mouse or Esc gives them back. Owner: Ui. Thread: the UI's, between NewFrame and Render.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

namespace simscope::gui {

class Focus {
 public:
  // Before the first control of a frame.
  void begin();
  // The last item is a control of this name. A list has one stop, its chosen line: the others are reached by arrows.
  void note(std::string_view name, bool stop = true);

  // To the next control (−1: the one before), to the next panel.
  void move(int direction);
  void movePanel(int direction);
  // The control of this name, as soon as it is drawn.
  void ask(std::string_view name) { asked_ = name, asked_frames_ = 0; }
  bool asksFor(std::string_view name) const { return asked_ == name; }
  void hide();
  // Enter: presses the control that has it, as Space does. Fields are typed into.
  void press() const;

  // True while some control has it and shows so.
  bool shown() const noexcept { return shown_; }
  bool onLastItem() const;  // the last item has it
  // Its name; empty: none.
  const std::string& name() const noexcept { return name_; }
  // An arrow means something to the control that has it: it goes nowhere else.
  void keepArrow() const;

 private:
  struct Stop {
    std::string name;
    unsigned id = 0;
    void* panel = nullptr;  // ImGuiWindow
    void* root = nullptr;
    bool stop = true;
  };
  void give(const Stop& stop);

  std::vector<Stop> stops_, before_;  // of the frame being made, and of the last one
  std::string asked_, name_;
  int asked_frames_ = 0;
  unsigned wanted_ = 0;  // by id, from the next time it is drawn
  bool shown_ = false;
  bool on_field_ = false;
};

// While it lives, items are for the mouse alone.
class MouseOnly {
 public:
  MouseOnly();
  ~MouseOnly();
  MouseOnly(const MouseOnly&) = delete;
  MouseOnly& operator=(const MouseOnly&) = delete;
};

}  // namespace simscope::gui
