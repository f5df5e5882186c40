// The bar at the top: menus, undo and redo, the palette's field, and the buttons that fold the panels. Its menus are
// made from the commands. Thread: the UI's.
#pragma once

#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/dialogs/file_menu.h"
#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

void drawTopBar(Session& session, Ui& ui, FileMenu& files, const std::vector<Command>& commands);

}  // namespace simscope::gui
