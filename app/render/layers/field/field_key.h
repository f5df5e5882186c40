// The meaning of the colours and arrows of a field: the texts around the phase wheel and beside the arrow of the key.
// Draws a plan onto the canvas; plain calls between Canvas::begin and finish.
#pragma once

#include "app/render/figure/canvas.h"
#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"

namespace simscope::render {

// Beside the arrow of the key: the meaning of its length.
void drawArrowTexts(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);
void drawWheelTexts(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours);

}  // namespace simscope::render
