// The picture of a plot: title, legend, axes with ticks and units, curves and bars, and the cursor with its values. It
// only draws, into any draw list. Thread: the UI's, between NewFrame and Render.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/widgets/widgets.h"
#include "app/session/readings/plot_model.h"

namespace simscope::gui {

// Rectangles of the plot's parts, for the mouse.
struct PlotLayout {
  Rect plot;                         // within the axes
  std::optional<PlotScales> scales;  // nothing: the plot has no values yet
  struct Entry {
    Rect place;
    std::string key;  // of the series
  };
  std::vector<Entry> legend;
};

// `reserved`: width kept free at the right of the title's line. `cursor`: the mouse, where values are read.
PlotLayout drawPlot(const Ui& ui, ImDrawList& list, const Plot& plot, const PlotZoom& zoom, const Rect& place,
                    float reserved, std::optional<ImVec2> cursor);

// A curve without axes, and a dot at its end; nothing if there are no numbers.
void drawSparkline(const Ui& ui, ImDrawList& list, const PlotSeries& series, const Rect& place);

// "0.5123 m"; "n/a" if there is no value.
std::string valueText(double value, const std::string& unit);

}  // namespace simscope::gui
