// The kinds of view that can be drawn, one folder each: how a panel of that kind is planned and painted, and its exact
// colours. A new kind is described in sims/core/view.h, drawn in a folder here, and named in kinds.cpp; no other part
// of the figure distinguishes the kinds. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/render/figure/colour_set.h"
#include "app/render/figure/painter.h"
#include "app/render/figure/plan.h"

namespace simscope::render {

struct ViewKind {
  // Fills in a panel whose view, scale, room, caption, and texts are set: channels, axes, and the places of the plot
  // and its key within the room. Error for a channel that cannot be drawn.
  void (*plan)(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas);
  // The channels that a frame must hold for it.
  std::vector<std::string> (*neededChannels)(const View& view, const FigureOptions& options);
  // For all panels of this kind. `by_processor`: the CPU may reduce data in host memory.
  std::unique_ptr<Painter> (*makePainter)(bool by_processor);
  // The colours of a figure of only this view, as in exactColours(); UsageError: unknown colormap.
  std::vector<std::uint32_t> (*exactColours)(const View& view, const FigureOptions& options);
  // Of those, the colours that a figure of several panels must have; null: only those around every panel.
  void (*addIndispensable)(ColourSet& set, const ThemeColours& colours);
};

// Error for a linked view, which consists of its panels.
const ViewKind& kindOf(const View& view);

}  // namespace simscope::render
