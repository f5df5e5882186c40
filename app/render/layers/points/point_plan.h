// The plan of a view of points in space: their channels. Plain data and functions; any thread.
#pragma once

#include <string>
#include <vector>
#include "app/render/figure/plan.h"

namespace simscope::render {

// PanelPlan::content of a view of points.
struct PlannedPoints {
  const Channel* channel = nullptr;
  const Channel* values = nullptr;  // null: all points have one colour
  const Channel* trails = nullptr;  // null: none are shown
  double half_edge = 1;             // of the cube
};

std::vector<std::string> neededForPoints(const View& view, const FigureOptions& options);
// Fills in a panel whose view, scale, room, caption, and texts are set. Error for a channel that cannot be drawn.
void planPoints(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas);

}  // namespace simscope::render
