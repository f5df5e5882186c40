// The lines over a picture in the plane: the visible ones, their colours, and their legend. Plain data and functions;
// any thread except for functions that draw on a canvas.
#pragma once

#include <string>
#include <vector>

#include "app/render/figure/canvas.h"
#include "app/render/figure/colour_set.h"
#include "app/render/figure/painter.h"
#include "app/render/figure/plan.h"
#include "app/render/layers/paths/path_layer.h"

namespace simscope::render {

struct PlannedPath {
  const PathInfo* info = nullptr;
  const Channel* channel = nullptr;
};

// Appends the channels of those paths that the options show.
void addNeededPaths(std::vector<std::string>& keys, const std::vector<PathInfo>& paths, const FigureOptions& options);
// Those shown, in the view's order. Error for a channel that cannot be drawn.
std::vector<PlannedPath> planPaths(const View& view, const Frame& frame, const FigureOptions& options);

Colour pathColour(const PathInfo& info, const ThemeColours& colours);
// The palette colours that they need, on a background.
void addPathColours(ColourSet& set, const std::vector<PathInfo>& paths, const ThemeColours& colours, Colour background);

// Whether all names fit in the legend's planned line.
bool pathLegendFits(const PanelPlan& panel, const std::vector<PlannedPath>& paths, const Canvas& canvas);
// As many of them as fit.
void drawPathLegend(Canvas& canvas, const PanelPlan& panel, const std::vector<PlannedPath>& paths,
                    const ThemeColours& colours);
// Into the bound target, over the panel's picture; `edge` is the colour around every line.
void drawPaths(PathLayer& layer, const PanelPlan& panel, const std::vector<PlannedPath>& paths, const Drawing& drawing,
               Colour edge);

}  // namespace simscope::render
