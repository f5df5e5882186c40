// Links the symbols of equations to parameters: the mouse over one highlights the other. Thread: the UI's.
#pragma once

#include <set>
#include <string>

namespace simscope::gui {

struct Ui;

// Each side writes values for the other side's next frame.
struct SymbolFocus {
  std::string parameter, next_parameter;  // key of the parameter under the mouse in the panel
  std::set<std::string> lit, next_lit;    // keys of the parameters of the symbol under the mouse
  // Once a frame, before anything is drawn.
  void turn() {
    parameter.swap(next_parameter);
    next_parameter.clear();
    lit.swap(next_lit);
    next_lit.clear();
  }
};

// Call at the begin of a parameter's row of this width: highlights it while the mouse is on its symbol, and notes the
// mouse over the row.
void focusRow(Ui& ui, const std::string& key, float width);

}  // namespace simscope::gui
