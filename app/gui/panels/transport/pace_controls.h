// How fast the run is shown, and what it does at its preset's end. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

struct PaceRoom {
  bool wide = false;    // controls at their full width
  bool value = true;    // the speed, or the steps, beside its kind,
  bool cap = false;     // and the one of pictures a second,
  bool at_end = false;  // and the one of the end
};
void drawPace(Session& session, Ui& ui, const PaceRoom& room);

}  // namespace simscope::gui
