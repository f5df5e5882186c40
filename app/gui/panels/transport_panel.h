// The row below the figure: play, step, reset, how fast, and the recorder's button or its progress. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

struct TransportActions {
  bool record = false;
};

TransportActions drawTransportPanel(Session& session, Ui& ui);

}  // namespace simscope::gui
