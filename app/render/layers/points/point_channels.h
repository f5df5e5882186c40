// What views of points in space and in the plane share: their channels and colours. Plain functions; any thread.
#pragma once

#include <string>

#include "app/render/figure/plan.h"

namespace simscope::render {

// A channel of the view `view` with so many components. Error where the frame has none of that shape.
const Channel& pointChannel(const Frame& frame, const std::string& key, int components, const std::string& view);
// The values of its points; null where the key is empty. Error likewise, and for another number of them.
const Channel* pointValues(const Frame& frame, const Channel& points, const std::string& key, const std::string& view);
// PanelPlan::key: table, range, and kinds. UsageError: unknown colormap.
void planPointColours(PanelPlan& panel, const Channel* values, const std::string& usual_colormap, FieldScale scale,
                      const FigureOptions& options);

// Of that key; kinds have their names where these leave the plot most of the room.
AxisTicks pointKeyTicks(const PanelPlan& panel, const Channel& values, int most, const Canvas& canvas);

}  // namespace simscope::render
