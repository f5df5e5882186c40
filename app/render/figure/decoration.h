// The surroundings of every panel's plot (grid, axes, ticks, labels, titles, the values at the marker), and of the
// figure's panels. Draws a plan onto the canvas; plain calls between Canvas::begin and finish.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/render/figure/canvas.h"
#include "app/render/figure/painter.h"
#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"

namespace simscope::render {

// Positions of axis values, in pixels.
double pixelX(const PlotArea& area, double x);
double pixelY(const PlotArea& area, const Limits& y, double value);

// The width in pixels of lines `width` wide at scale 1: whole pixels, at least one.
double hairWidth(double scale, double width = 1);
// Of the thinnest lines of a panel.
double hairWidth(const PanelPlan& panel);
void verticalLine(Canvas& canvas, Canvas::Layer layer, double x, double top, double bottom, double width,
                  Colour colour);
void horizontalLine(Canvas& canvas, Canvas::Layer layer, double left, double right, double y, double width,
                    Colour colour);
// A title that reads upwards, in the middle of the plot's height.
void drawUpwards(Canvas& canvas, const PlotArea& area, const std::string& title, double left, Colour colour);

void drawGrid(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);
// The frame, ticks, labels, and titles of the axes, and the caption.
void drawAxes(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);
// A thin line at x and, in fields, one at y.
void drawMarker(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours, double x, std::optional<double> y,
                const std::vector<Reading>& readings);

// The box with the values near a pixel: beside `x`, and above or below `y` (at the plot's top without `y`).
void drawReadings(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours, double x,
                  std::optional<double> y, const std::vector<Reading>& readings);

// The first and the last line of the figure: title, time, parameters, equation.
void drawFigureTexts(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours);

}  // namespace simscope::render
