// The names of the curves of a panel, each with a sample of its drawing, and the colours of phase.
// Draws a plan onto the canvas; plain calls between Canvas::begin and finish.
#pragma once

#include <string>

#include "app/render/figure/canvas.h"
#include "app/render/figure/theme.h"
#include "app/render/layers/curves/curve_plan.h"

namespace simscope::render {

// The colour of a trace in the legend.
Colour traceColour(const TraceInfo& info, const ThemeColours& colours);
// For the area of bars: paler, so that a curve of the same colour is visible over them.
Colour barColour(const TraceInfo& info, const ThemeColours& colours);
std::string traceTitle(const PlannedTrace& trace);

// Whether all names fit in the legend's planned line.
bool legendFits(const PanelPlan& panel, const Canvas& canvas);
void drawLegend(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);

}  // namespace simscope::render
