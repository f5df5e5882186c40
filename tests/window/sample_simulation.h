// A simulation for the window's tests: one of everything that a view, a tool, and a parameter can be, cheap and without
// physics. Its diagnostics tell what the mouse did.
#pragma once

#include "sims/core/description.h"

namespace simscope::gui {

// Views: "both" (linked: "map", "other", "cut"), the fields "map" (with arrows and an outline) and "other" (over axes
// of its own), the points "bodies" (with trails; body 0 rests at the origin), the curves "cut". Tools: "brush" paints,
// "launch" adds a body or leaves its drag, "probe" is placed on "other". The formula may be of x, y, numbers, and + - *
// / ( ); image_file must be there when `source` is image. Both are live. The view "window" shows what the parameters
// middle_x, middle_y, and magnification say, which the mouse moves there (Description::navigate).
const Description& sampleSimulation();

}  // namespace simscope::gui
