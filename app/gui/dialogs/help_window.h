// The window that lists keys and mouse gestures (F1). Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

class HelpWindow {
 public:
  void toggle() noexcept { shown_ = !shown_; }
  void close() noexcept { shown_ = false; }
  bool isOpen() const noexcept { return shown_; }
  void draw(Ui& ui);

 private:
  bool shown_ = false;
};

}  // namespace simscope::gui
