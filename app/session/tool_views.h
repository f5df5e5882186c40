// Which views the tools of the mouse act on. Plain functions of the description; any thread.
#pragma once

#include <string>

#include "sims/core/description.h"

namespace simscope {

// The view with this key or, for a linked view, the main view of its panels. An empty key means the view that opens.
// Null for an unknown key.
const View* mainView(const Description& description, const std::string& key);

// Whether the tool acts on this view: on the view that it names, or otherwise on views over the simulation's own axes
// (those of the first field, else of the first points, else of the first curves; other views may be spectra).
bool actsOn(const Description& description, const ToolInfo& tool, const View& view);
// Whether it draws shapes (DrawnShape) in a view of that domain, or on any panel of the view with this key.
bool drawsShapes(const ToolInfo& tool, Domain domain);
bool drawsShapesWithin(const Description& description, const ToolInfo& tool, const std::string& key);
// Whether it acts on any panel of the view with this key.
bool actsWithin(const Description& description, const ToolInfo& tool, const std::string& key);

}  // namespace simscope
