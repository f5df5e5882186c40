// The names of the curves of a panel, each with a sample of how it is drawn, and the colours of phase.
// Draws a plan onto the canvas; plain calls between Canvas::begin and finish.
#pragma once

#include <string>

#include "app/render/canvas.h"
#include "app/render/plan.h"
#include "app/render/theme.h"

namespace simscope::render {

// The colour by which a trace is known in the legend.
Colour traceColour(const TraceInfo& info, const ThemeColours& colours);
const std::string& traceTitle(const TraceInfo& info);

void drawLegend(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);

}  // namespace simscope::render
