// Handles the loss of the X server (killed, or the end of a login). Xlib then calls exit() inside the main thread's
// present call: this would destroy the program's tables while the run's thread still uses them, and leave partial
// files. Instead `last` is called, unfinished files are removed, and the process ends.
//
// Owner: of Xlib's handler, one at a time. Thread: the main thread; `last` is called on the thread that uses the X
// server, which is the same. Under Wayland GLFW closes the window in order, and nothing is called.
#pragma once

#include <functional>

namespace simscope::gui {

class LostDisplay {
 public:
  // last: saves what must be kept; must not use the display. Its exceptions are ignored.
  explicit LostDisplay(std::function<void()> last);
  ~LostDisplay();
  LostDisplay(const LostDisplay&) = delete;
  LostDisplay& operator=(const LostDisplay&) = delete;
};

}  // namespace simscope::gui
