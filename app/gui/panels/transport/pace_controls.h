// How fast the run is shown, and what happens at its preset's end. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

struct PaceRoom {
  bool wide = false;    // controls at their full width
  bool value = true;    // the speed, or the steps, beside the pace's mode,
  bool cap = false;     // and the number of pictures per second,
  bool at_end = false;  // and the choice at the end
};
void drawPace(Session& session, Ui& ui, const PaceRoom& room);

}  // namespace simscope::gui
