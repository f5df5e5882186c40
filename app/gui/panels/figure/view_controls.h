// The controls above the figure: the choice of the view, and of how it looks: traces of curves, colours and arrows of a
// field, standpoint, light, and trails of points. Of a linked view those of its main panel, and the traces of its
// curves. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

// Up to the cursor position `right`; what does not fit waits behind a button at the end.
void drawViewControls(Session& session, Ui& ui, float right);

}  // namespace simscope::gui
