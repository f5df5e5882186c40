// The names of the curves of a panel, each with a sample of how it is drawn, and the colours of phase.
// Draws a plan onto the canvas; plain calls between Canvas::begin and finish.
#pragma once

#include <string>

#include "app/render/figure/canvas.h"
#include "app/render/figure/theme.h"
#include "app/render/layers/curves/curve_plan.h"

namespace simscope::render {

// The colour by which a trace is known in the legend.
Colour traceColour(const TraceInfo& info, const ThemeColours& colours);
// Of the area of bars: paler, so that a curve of the same colour stands out over them.
Colour barColour(const TraceInfo& info, const ThemeColours& colours);
std::string traceTitle(const PlannedTrace& trace);

// Whether all names have room in the line where the legend is planned.
bool legendFits(const PanelPlan& panel, const Canvas& canvas);
void drawLegend(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);

}  // namespace simscope::render
