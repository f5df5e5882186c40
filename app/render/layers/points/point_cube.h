// The surroundings of points in space: the edges of the cube with ticks, labels, and titles, a scale bar if the cube is
// out of sight, and the values of the followed point. Draws onto the canvas; plain calls between Canvas::begin and
// finish. Needs the panel's projection.
#pragma once

#include <string>

#include "app/render/figure/canvas.h"
#include "app/render/figure/painter.h"
#include "app/render/figure/plan.h"

namespace simscope::render {

// Behind the points. Seen from above or below it is the square at z = 0, so that planar systems can be measured.
void drawCube(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);
// A round length in the plane of the camera's target, if the cube's edges are (nearly) out of sight.
void drawScaleBar(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);
// In the corner, if not all points are drawn: how many of how many.
void drawShare(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);
// Around a pixel of the plot.
void drawReticle(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours, double x, double y);

}  // namespace simscope::render
