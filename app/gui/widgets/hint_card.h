// A hint beside its subject. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/stored/hints.h"

namespace simscope::gui {

enum class HintAnswer { None, GotIt, NoMore };
// Draws a card near `place` and within the window, with a pointer to it.
HintAnswer drawHint(Ui& ui, const Hint& hint, const Rect& place);

}  // namespace simscope::gui
