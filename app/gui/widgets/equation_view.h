// An equation in large letters, its symbols tied to the parameters. Thread: the UI's.
#pragma once

#include <string>

#include "app/gui/widgets/widgets.h"
#include "sims/core/parameters.h"

namespace simscope::gui {

// As an item of this width (see app/explanation/equation.h). A symbol lights up that stands for the parameter under the
// mouse, and the parameters light up that the symbol under the mouse stands for.
void drawEquation(Ui& ui, const std::string& text, const ParameterSet& parameters, float width);

}  // namespace simscope::gui
