// The shapes that a drag draws in the plane with a painting tool, as the events of one stroke. Plain functions; any
// thread.
#pragma once

#include <string>
#include <vector>

#include "app/session/spot.h"
#include "sims/core/simulation.h"

namespace simscope {

enum class DrawnShape { Freehand, Line, Rectangle, FilledRectangle, Ellipse, FilledEllipse, Fill };

struct DrawnShapeInfo {
  const char *key, *title, *help;
};
const DrawnShapeInfo& infoOf(DrawnShape shape);

// The tool's shapes, in order; fills only where a region has a meaning. Tools other than Paint have none.
std::vector<DrawnShape> shapesOf(const ToolInfo& tool);
// Whether its line is as wide as the tool.
bool hasLine(DrawnShape shape);

// The end of a constrained drag from `start`: lines at multiples of 15°, other shapes as wide as high.
Spot straightened(DrawnShape shape, const Spot& start, const Spot& end);

// The corners of a line, of a rectangle's outline, or of an ellipse between two corners. The polygon lies within a
// tenth of the radius of the ellipse, or within 1/400 of its width; closed shapes end where they begin.
std::vector<Spot> outlineOf(DrawnShape shape, const Spot& start, const Spot& end, double radius);

// The events for the run; the first begins a stroke. Empty for filled shapes without extent, and for Freehand.
std::vector<Brush> eventsOf(DrawnShape shape, const std::string& tool, const Spot& start, const Spot& end,
                            double radius, double strength);

}  // namespace simscope
