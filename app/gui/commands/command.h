// The window's commands: one table for keys, menus, the palette, and the list of keys (F1). No drawing. Thread: the
// UI's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/window/window.h"

namespace simscope::gui {

struct Command {
  // When its keys act. Figure: not while the user types or a dialog is open. Anywhere: whenever the window has the
  // keyboard focus.
  enum class Reach { Figure, Anywhere };

  std::string id = {};                 // used by tests; must not change
  std::string group = {};              // the menu it belongs to
  std::string title = {};              // what it does; the palette searches these words
  std::vector<std::string> keys = {};  // "Space", "Ctrl+Shift+Z"; only the first is shown
  std::function<void()> run = {};
  std::function<bool()> available = {};  // none: always
  std::function<bool()> checked = {};    // for commands that switch something on or off; otherwise none
  Reach reach = Reach::Figure;
  bool repeats = false;  // while the key is held down
  bool in_menu = true;   // and in the list of keys; the palette has every command

  bool isAvailable() const { return !available || available(); }
  std::string shownKeys() const { return keys.empty() ? std::string() : keys.front(); }
};

// Whether `keys`, as written in a command, were pressed. Letters are those of the user's layout; Shift is compared only
// if the text names Ctrl or Shift. Names: a letter, a digit, Space, Enter, Left, Right, Up, Down, PageUp, PageDown, F1
// to F12, + and - (also those of the number pad).
bool pressed(std::string_view keys, const Key& key);

// The command with these keys; null: none, or it is not available.
const Command* commandOf(const std::vector<Command>& commands, const Key& key);

}  // namespace simscope::gui
