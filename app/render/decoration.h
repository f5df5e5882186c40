// Everything of a figure that is neither curve nor field: grid, axes, ticks, labels, title, legend, colour bar, and the
// values at the marker.
// Draws a plan onto the canvas; plain calls between Canvas::begin and finish.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/render/canvas.h"
#include "app/render/plan.h"
#include "app/render/theme.h"

namespace simscope::render {

// What a trace reads at the marker.
struct Reading {
  std::string name;   // "|ψ|²"
  std::string value;  // "0.0345"
  Colour colour;      // of the name
  double y = 0;       // height of the point in pixels
  bool dot = false;   // whether it lies on a curve of the plot
};

// The colour by which a trace is known in the legend.
Colour traceColour(const TraceInfo& info, const ThemeColours& colours);

// A width in pixels of lines `width` wide at scale 1: whole pixels, one at least.
double hairWidth(double scale, double width = 1);

void drawGrid(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours);
void drawAxes(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours);
void drawTexts(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours, int width, int height);
// The colour bar of a scalar field, or what is written around the phase wheel of a complex one.
void drawFieldKey(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours);
// A hair line at x and, in fields, one at y.
void drawMarker(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours, double x, std::optional<double> y,
                const std::vector<Reading>& readings);

}  // namespace simscope::render
