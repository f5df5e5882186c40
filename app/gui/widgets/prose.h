// Paragraphs with `code` and **strong** words, broken into lines. Thread: the UI's.
#pragma once

#include <string>

#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

// As an item of this width, in the present font.
void drawProse(Ui& ui, const std::string& paragraph, float width, const ImVec4& colour);

}  // namespace simscope::gui
