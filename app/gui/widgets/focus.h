// Which control has the keyboard, and how it moves: Tab and Shift+Tab through all controls, F6 to the next panel,
// arrows within a panel (Dear ImGui's navigation), Enter or Space to press. A focused field accepts typing at once.
//
// Until the first Tab no control has the keyboard, and the arrows and Space act on the figure (Shell's commands); a
// click of the mouse or Esc returns them to it. Owner: Ui. Thread: the UI's, between NewFrame and Render.
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
  // The last item is a control of this name. In a list only the chosen line is a Tab stop: arrows reach the others.
  void note(std::string_view name, bool stop = true);

  // To the next control (−1: the previous one), to the next panel.
  void move(int direction);
  void movePanel(int direction);
  // Moves to the control of this name as soon as it is drawn.
  void ask(std::string_view name) { asked_ = name, asked_frames_ = 0; }
  bool asksFor(std::string_view name) const { return asked_ == name; }
  void hide();
  // Enter: presses the focused control, as Space does. In fields it starts typing.
  void press() const;

  // True while a control has the keyboard and shows it.
  bool shown() const noexcept { return shown_; }
  bool onLastItem() const;  // the last item has the keyboard
  // The focused control's name; empty: none.
  const std::string& name() const noexcept { return name_; }
  // The focused control uses the arrows: they do not move the focus.
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
  unsigned wanted_ = 0;  // by id, when it is drawn next
  bool shown_ = false;
  bool on_field_ = false;
};

// While this object exists, items react only to the mouse.
class MouseOnly {
 public:
  MouseOnly();
  ~MouseOnly();
  MouseOnly(const MouseOnly&) = delete;
  MouseOnly& operator=(const MouseOnly&) = delete;
};

}  // namespace simscope::gui
