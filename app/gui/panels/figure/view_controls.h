// The controls above the figure: the choice of the view, and its look: traces of curves, colours and arrows of a field,
// standpoint, light, and trails of points. For a linked view: those of its main panel, and the traces of its curves.
// Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

// Up to the cursor position `right`; controls that do not fit are in a menu behind a button at the end.
void drawViewControls(Session& session, Ui& ui, float right);

}  // namespace simscope::gui
