// A hint beside what it speaks of. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/stored/hints.h"

namespace simscope::gui {

enum class HintAnswer { None, GotIt, NoMore };
// A card of its own, near `place` and within the window, with a pointer to it.
HintAnswer drawHint(Ui& ui, const Hint& hint, const Rect& place);

}  // namespace simscope::gui
