// The plan of a view of curves: the visible ones, and their data. Plain data and functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/render/figure/plan.h"

namespace simscope::render {

struct PlannedTrace {
  const TraceInfo* info = nullptr;
  const Channel* channel = nullptr;
  const Channel* phase = nullptr;
};

// PanelPlan::content of a view of curves.
struct PlannedCurves {
  std::vector<PlannedTrace> traces;  // those shown, in the view's order
  bool has_phase = false;
};

// Whether a trace is drawn against the axis at the right: traces of that style, and lines in that axis's unit if it
// differs from the left one's.
bool atRight(const CurveView& view, const TraceInfo& trace);

std::vector<std::string> neededForCurves(const View& view, const FigureOptions& options);
// Fills in a panel whose view, scale, room, caption, and texts are set. Error for a channel that cannot be drawn.
void planCurves(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas);

}  // namespace simscope::render
