// An equation in large letters, its symbols linked to the parameters. Thread: the UI's.
#pragma once

#include <string>

#include "app/gui/widgets/widgets.h"
#include "sims/core/parameters.h"

namespace simscope::gui {

// Draws an item of this width (see app/explanation/equation.h). Highlights the symbol of the parameter under the mouse,
// and the parameters of the symbol under the mouse.
void drawEquation(Ui& ui, const std::string& text, const ParameterSet& parameters, float width);

}  // namespace simscope::gui
