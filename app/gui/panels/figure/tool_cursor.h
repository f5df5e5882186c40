// What a tool draws at the mouse: the circle of a brush, the arrow of a launch with its length, a cross for a place.
// Thread: the UI's. Positions: window coordinates; draw inside the plot's clip rectangle.
#pragma once

#include <string>

#include "app/gui/widgets/widgets.h"
#include "app/session/mouse_stroke.h"

namespace simscope::gui {

void drawReach(const Ui& ui, ImDrawList& list, Domain domain, const Rect& plot, ImVec2 mouse, float radius, bool held);
void drawCross(const Ui& ui, ImDrawList& list, ImVec2 mouse, bool held);
void drawLaunch(const Ui& ui, ImDrawList& list, const Rect& plot, ImVec2 start, ImVec2 tip, const std::string& length);
// A short text beside a point of the figure, legible on any colour, kept inside `plot`.
void drawTag(const Ui& ui, ImDrawList& list, const Rect& plot, ImVec2 at, const std::string& text);

}  // namespace simscope::gui
