// The panel at the left: the simulations, and the presets of the chosen one. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

struct SimulationsActions {
  bool gallery = false;
  bool explain = false;
};

SimulationsActions drawSimulationsPanel(Session& session, Ui& ui);

}  // namespace simscope::gui
