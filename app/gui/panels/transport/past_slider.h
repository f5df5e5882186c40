// The time slider: the past of the run, its present step, and the preset's end. Dragging goes there at once; a
// click does, too. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

// In a row of this width. True where its list of settings is asked for (right click).
bool drawPastSlider(Session& session, Ui& ui, float width);

// The time and the step, or what the run is at if that takes long; `width` is what it may take.
void drawClock(Session& session, Ui& ui, float width);

}  // namespace simscope::gui
