// The bar at the top: menus, undo and redo, the palette's field, and what folds the panels. Its menus are made of the
// commands. Thread: the UI's.
#pragma once

#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/dialogs/file_menu.h"
#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

void drawTopBar(Session& session, Ui& ui, FileMenu& files, const std::vector<Command>& commands);

}  // namespace simscope::gui
