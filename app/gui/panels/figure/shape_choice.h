// The row of shapes that a tool can draw, and the preview of a shape being dragged. Thread: the UI's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/gui/panels/figure/pixel_places.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/drawn_shape.h"

namespace simscope::gui {

// A button for each shape, or a list; may change `chosen`. Marked "shape:KEY", the list "shapes".
void drawShapeChoice(Ui& ui, std::span<const DrawnShape> shapes, DrawnShape& chosen, bool as_list);
float shapeChoiceWidth(const Ui& ui, std::size_t count, bool as_list);

// From `start` to `end` with a line of this radius [window coordinates]; `place`: the figure's in the window.
struct ShapePreview {
  DrawnShape shape = DrawnShape::Line;
  Spot start, end;
  double radius = 0;  // simulation units
  float line = 0;     // the same in window coordinates
};
void drawShapePreview(const Ui& ui, ImDrawList& list, const PanelArea& panel, const Rect& place,
                      const ShapePreview& preview);
// The shape's size: "4.2 × 3.1"; for a line its length and direction.
std::string sizeText(const ShapePreview& preview, const std::string& unit);

}  // namespace simscope::gui
