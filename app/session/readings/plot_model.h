// What a plot shows, without any drawing: its series and axes, which part of them is seen, the points that a picture of
// so many pixels needs, ticks, and the numbers as a table.
//
// Plain data and functions; any thread. Spans belong to the caller and must outlive the plot.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sims/core/view.h"

namespace simscope {

struct PlotSeries {
  enum class Style { Line, Dashed, Bars };
  std::string key = {};  // stable, for what the user hides
  std::string title = {}, unit = {};
  std::span<const double> x = {}, y = {};  // x ascending; as long as each other. A value that is no number is a gap
  Style style = Style::Line;
  int colour = 0;        // of the theme's lines
  bool exact = false;    // the exact value of another one
  double bar_width = 0;  // Bars: along x
};

struct Plot {
  std::string key = {}, title = {};
  Label x = {}, y = {};
  std::vector<PlotSeries> series = {};
};

struct PlotRange {
  double low = 0, high = 1;
  bool operator==(const PlotRange&) const = default;
};

// From values to places between 0 and 1 along an axis, and back.
struct AxisScale {
  PlotRange range;
  bool log = false;  // then range.low > 0
  // NaN for what a logarithmic axis cannot show.
  double position(double value) const;
  double value(double position) const;
};

// What of a plot is seen; the user's.
struct PlotZoom {
  std::optional<PlotRange> x, y;  // otherwise all there is
  bool log_x = false, log_y = false;
  std::set<std::string> hidden;  // keys of series
  bool shows(const PlotSeries& series) const { return !hidden.contains(series.key); }
  void fit() { x.reset(), y.reset(); }
};

struct PlotScales {
  AxisScale x, y;
};
// The axes of what is shown: nothing where there is no number to show. Of all values of y within the shown part of x
// the axis shows a little more; a value that hardly changes is drawn flat.
std::optional<PlotScales> scalesOf(const Plot& plot, const PlotZoom& zoom);

// The zoom after the wheel was turned at a place of the plot (0 to 1 each), or the plot was dragged by a share of it.
PlotZoom zoomedAbout(PlotZoom zoom, const PlotScales& scales, double x, double y, double factor, bool along_x,
                     bool along_y);
PlotZoom panned(PlotZoom zoom, const PlotScales& scales, double dx, double dy);

// A point of a curve as places between 0 and 1 (beyond them: outside). Not finite: the curve is interrupted.
struct PlotPoint {
  double x = 0, y = 0;
};
// At most four points a column of pixels: the first, the lowest, the highest, and the last, which draw the same as all.
// Only of what is seen, and one point beyond it at either side.
std::vector<PlotPoint> decimated(const PlotSeries& series, const PlotScales& scales, int columns);

// The sample that is nearest to x; nothing where there is none.
std::optional<std::size_t> nearestSample(std::span<const double> x, double at);

struct PlotTicks {
  std::vector<double> places;       // 0 to 1
  std::vector<std::string> labels;  // one each
  std::vector<double> minor;
  std::string unit;  // "10⁻³ s": what the labels count, given the axis's unit
  double scale = 1;  // a label times this is the value in the axis's own unit
};
PlotTicks ticksOf(const AxisScale& scale, int most, const std::string& unit);
// "time t [s]"; of an axis without a unit its title alone.
std::string axisText(const std::string& title, const std::string& unit);

// The series that are shown as a table with a header: one column of x, one of each series; where they have been
// sampled at different places, fields are empty. Numbers read back as the same numbers.
std::string tableText(const Plot& plot, const PlotZoom& zoom);

// (measured − exact) / |exact|; NaN where there is none, the plain difference where the exact value is 0.
double relativeError(double measured, double exact);

}  // namespace simscope
