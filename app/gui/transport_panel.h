// The row below the figure: play, step, reset, how fast, and the recorder's button or its progress. Thread: the UI's.
#pragma once

#include "app/gui/session.h"
#include "app/gui/widgets.h"

namespace simscope::gui {

struct TransportActions {
  bool record = false;
};

TransportActions drawTransportPanel(Session& session, Ui& ui);

}  // namespace simscope::gui
