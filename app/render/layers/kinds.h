// The kinds of view that can be drawn, one folder each: how a panel of that kind is planned, painted, and what its
// exact colours are. A new kind is described in sims/core/view.h, drawn in a folder here, and named in kinds.cpp;
// nothing else of the figure knows the kinds apart. Any thread.
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
  // Fills in a panel whose view, scale, room, caption, and texts are set: channels, axes, and where the plot and its
  // key lie within the room. Error for a channel that cannot be drawn.
  void (*plan)(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas);
  // What a frame must hold for it.
  std::vector<std::string> (*neededChannels)(const View& view, const FigureOptions& options);
  // Of all panels of this kind. `by_processor`: what lies in the host's memory may be reduced by the processor.
  std::unique_ptr<Painter> (*makePainter)(bool by_processor);
  // The colours of a figure of this view alone, as exactColours() says; UsageError: unknown colormap.
  std::vector<std::uint32_t> (*exactColours)(const View& view, const FigureOptions& options);
  // Of those, what a figure of several panels must have in any case; null: what is around every panel.
  void (*addIndispensable)(ColourSet& set, const ThemeColours& colours);
};

// Error for a linked view, which is its panels.
const ViewKind& kindOf(const View& view);

}  // namespace simscope::render
