// Common parts of views of points in space and in the plane: channels and colours. Plain functions; any thread.
#pragma once

#include <string>

#include "app/render/figure/plan.h"

namespace simscope::render {

// A channel of the view `view` with this many components. Error if the frame has none of that shape.
const Channel& pointChannel(const Frame& frame, const std::string& key, int components, const std::string& view);
// The values of its points; null if the key is empty. Error likewise, and if their number differs.
const Channel* pointValues(const Frame& frame, const Channel& points, const std::string& key, const std::string& view);
// PanelPlan::key: table, range, and kinds. UsageError: unknown colormap.
void planPointColours(PanelPlan& panel, const Channel* values, const std::string& usual_colormap, FieldScale scale,
                      const FigureOptions& options);

// Ticks of that key; kinds have their names if these leave most of the space to the plot.
AxisTicks pointKeyTicks(const PanelPlan& panel, const Channel& values, int most, const Canvas& canvas);

}  // namespace simscope::render
