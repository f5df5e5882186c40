// The plan of a view of points in the plane. Plain data and functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/render/figure/plan.h"
#include "app/render/layers/paths/path_plan.h"

namespace simscope::render {

// PanelPlan::content of such a view.
struct PlannedScatter {
  const Channel* channel = nullptr;
  const Channel* values = nullptr;  // null: all points have one colour
  std::vector<PlannedPath> paths;
};

std::vector<std::string> neededForScatter(const View& view, const FigureOptions& options);
// Fills in a panel whose view, scale, room, caption, and texts are set. Error for a channel that cannot be drawn.
void planScatter(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas);
std::vector<std::uint32_t> scatterColours(const View& view, const FigureOptions& options);

}  // namespace simscope::render
