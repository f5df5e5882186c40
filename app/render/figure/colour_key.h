// The bar of colours beside a plot. Draws a plan onto the canvas; plain calls between Canvas::begin and finish.
#pragma once

#include "app/render/figure/canvas.h"
#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"

namespace simscope::render {

// PanelPlan::key, if it has a width.
void drawColourBar(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);

}  // namespace simscope::render
