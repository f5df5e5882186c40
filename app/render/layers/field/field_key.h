// What the colours and arrows of a field mean: what is written around the phase wheel and beside the arrow of the key.
// Draws a plan onto the canvas; plain calls between Canvas::begin and finish.
#pragma once

#include "app/render/figure/canvas.h"
#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"

namespace simscope::render {

// Beside the arrow of the key: what its length means.
void drawArrowTexts(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);
void drawWheelTexts(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);

}  // namespace simscope::render
