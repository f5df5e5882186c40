// What ties the symbols of equations to parameters: the mouse over one lights the other up. Thread: the UI's.
#pragma once

#include <set>
#include <string>

namespace simscope::gui {

struct Ui;

// Each side writes for the other's next frame.
struct SymbolFocus {
  std::string parameter, next_parameter;  // under the mouse in the panel, by its key
  std::set<std::string> lit, next_lit;    // keys that the symbol under the mouse in an equation stands for
  // Once a frame, before anything is drawn.
  void turn() {
    parameter.swap(next_parameter);
    next_parameter.clear();
    lit.swap(next_lit);
    next_lit.clear();
  }
};

// At the begin of a parameter's row of this width: lights it where its symbol is pointed at, and notes the mouse over
// it.
void focusRow(Ui& ui, const std::string& key, float width);

}  // namespace simscope::gui
