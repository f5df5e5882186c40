// The panel at the left: the scene's menu, simulations, and the presets of the one that runs. Thread: the UI's.
#pragma once

#include "app/gui/dialogs/file_menu.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

struct SimulationsActions {
  bool help = false;
  bool explain = false;
  bool quit = false;
};

SimulationsActions drawSimulationsPanel(Session& session, Ui& ui, FileMenu& files);

}  // namespace simscope::gui
