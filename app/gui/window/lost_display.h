// What is done when the X server is gone (killed, or the end of a login). Xlib then calls exit() in the middle of
// whatever the main thread does: it would take the program's tables away from the run's thread, which works on, and
// leave parts of files behind. Instead `last` is called, what is unfinished is taken away, and the process ends.
//
// Owner: the handler of Xlib, one at a time. Thread: the main thread; `last` is called on the one that speaks to the
// X server, the same. Under Wayland GLFW closes the window in order, and nothing is called.
#pragma once

#include <functional>

namespace simscope::gui {

class LostDisplay {
 public:
  // last: what is to be kept; must not speak to the display. What it throws is forgotten.
  explicit LostDisplay(std::function<void()> last);
  ~LostDisplay();
  LostDisplay(const LostDisplay&) = delete;
  LostDisplay& operator=(const LostDisplay&) = delete;
};

}  // namespace simscope::gui
