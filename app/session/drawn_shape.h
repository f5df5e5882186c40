// The shapes that a drag draws in the plane with a tool that paints, as the events of one stroke. Plain functions; any
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

// What the tool offers, in order: fills only where a region has a meaning. Others than Paint draw nothing.
std::vector<DrawnShape> shapesOf(const ToolInfo& tool);
// Whether its line is as wide as the tool.
bool hasLine(DrawnShape shape);

// Where a drag from `start` ends that is held straight: lines at multiples of 15°, the others as wide as high.
Spot straightened(DrawnShape shape, const Spot& start, const Spot& end);

// The corners of a line, a rectangle's outline, or an ellipse's between two corners, which is nowhere further from the
// ellipse than a tenth of the radius, or 1/400 of its width; closed ones end where they begin.
std::vector<Spot> outlineOf(DrawnShape shape, const Spot& start, const Spot& end, double radius);

// What the run gets; the first one begins a stroke. Filled shapes without any extent, and Freehand: nothing.
std::vector<Brush> eventsOf(DrawnShape shape, const std::string& tool, const Spot& start, const Spot& end,
                            double radius, double strength);

}  // namespace simscope
