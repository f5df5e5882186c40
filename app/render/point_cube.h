// What surrounds points in space: the edges of the cube with ticks, labels, and titles, a bar that tells lengths where
// the cube is out of sight, and the values of the point that is followed. Draws onto the canvas; plain calls between
// Canvas::begin and finish. Needs the panel's projection.
#pragma once

#include <string>

#include "app/render/canvas.h"
#include "app/render/painter.h"
#include "app/render/plan.h"

namespace simscope::render {

// Before the dark ground of points, in both themes.
constexpr Colour kCubeLine = 0x2b3445, kCubeLabel = 0x76829a, kCubeTitle = 0x98a4b8;
constexpr Colour kReticle = 0xc9d2e2;

// Behind the points. Seen from above or below it is the square at z = 0, so that plane systems can be measured.
void drawCube(Canvas& canvas, const PanelPlan& panel);
// A round length in the plane of the camera's target, where the cube's edges are out of sight or nearly so.
void drawScaleBar(Canvas& canvas, const PanelPlan& panel);
// Around a pixel of the plot.
void drawReticle(Canvas& canvas, const PanelPlan& panel, double x, double y);

}  // namespace simscope::render
