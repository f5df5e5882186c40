// The plan of a view of a field: its channels, and the arrows over it. Plain data and functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/render/figure/plan.h"
#include "app/render/layers/paths/path_plan.h"

namespace simscope::render {

// Arrows over a field, and the one beside the caption that shows the meaning of their lengths.
struct PlannedArrows {
  const Channel* channel = nullptr;  // null: none
  double longest = 0;                // pixels of an arrow of the channel's `high`; longer ones are clipped to it
  double key_left = 0, key_middle = 0, key_length = 0;  // pixels; length 0: no key
  std::string value, title;                             // "0.5 length/time", "heat flux"
};

// PanelPlan::content of a view of a field.
struct PlannedField {
  const Channel* channel = nullptr;
  const Channel* overlay = nullptr;  // may be null
  PlannedArrows arrows;
  std::vector<PlannedPath> paths;
};

std::vector<std::string> neededForField(const View& view, const FigureOptions& options);
// Fills in a panel whose view, scale, room, caption, and texts are set. Error for a channel that cannot be drawn.
void planField(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas);
// For a field with arrows: their length, and the key's text.
void planArrows(PanelPlan& panel);
// Whether the key fits in the legend's planned line, at least without the arrows' title.
bool arrowKeyFits(const PanelPlan& panel, const Canvas& canvas);
// After the plot's layout: the key's place, and as much of the arrows' title as fits.
void placeArrowKey(PanelPlan& panel, const Canvas& canvas);

}  // namespace simscope::render
