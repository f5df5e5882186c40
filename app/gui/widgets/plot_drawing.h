// The picture of a plot: title, legend, axes with ticks and units, curves and bars, and the cursor with its values. It
// only draws, into any draw list. Thread: the UI's, between NewFrame and Render.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/widgets/widgets.h"
#include "app/session/readings/plot_model.h"

namespace simscope::gui {

// Where things lie, for the mouse.
struct PlotLayout {
  Rect plot;                         // within the axes
  std::optional<PlotScales> scales;  // nothing: there is nothing to show yet
  struct Entry {
    Rect place;
    std::string key;  // of the series
  };
  std::vector<Entry> legend;
};

// `reserved`: width at the right of the title's line that is kept free. `cursor`: the mouse, where values are read.
PlotLayout drawPlot(const Ui& ui, ImDrawList& list, const Plot& plot, const PlotZoom& zoom, const Rect& place,
                    float reserved, std::optional<ImVec2> cursor);

// A curve without axes, and a dot at its end; nothing where there are no numbers.
void drawSparkline(const Ui& ui, ImDrawList& list, const PlotSeries& series, const Rect& place);

// "0.5123 m"; of no value "n/a".
std::string valueText(double value, const std::string& unit);

}  // namespace simscope::gui
