// Draws probes, line cuts, and rulers over the figure. Thread: the UI's. Positions: window coordinates.
#pragma once

#include <string>

#include "app/gui/widgets/widgets.h"
#include "app/scene/field_mark.h"

namespace simscope::gui {

struct DrawnMark {
  FieldMark::Kind kind = FieldMark::Kind::Probe;
  ImVec2 from, to;
  std::string text;  // beside it
  bool selected = false;
};
// Inside the plot's clip rectangle.
void drawMark(const Ui& ui, ImDrawList& list, const Rect& plot, const DrawnMark& mark);

}  // namespace simscope::gui
