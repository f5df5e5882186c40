// The window that lists keys and mouse gestures (F1). Thread: the UI's.
#pragma once

#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

class HelpWindow {
 public:
  void toggle() noexcept { shown_ = !shown_; }
  void close() noexcept { shown_ = false; }
  bool isOpen() const noexcept { return shown_; }
  // Lists the keys of the commands.
  void draw(Ui& ui, const std::vector<Command>& commands);

 private:
  bool shown_ = false;
};

}  // namespace simscope::gui
