// The time slider: the past of the run, its present step, and the preset's end. Dragging and clicking go there at once.
// Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

// In a row of this width. True if its list of settings is requested (right click).
bool drawPastSlider(Session& session, Ui& ui, float width);

// The time and the step, or the run's present work if that takes long; at most `width` wide.
void drawClock(Session& session, Ui& ui, float width);

}  // namespace simscope::gui
