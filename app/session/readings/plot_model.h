// What a plot shows, without any drawing: its series and axes, the visible part, the points needed for a picture of a
// given width, ticks, and the numbers as a table.
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
  std::string key = {};  // stable, identifies a series that the user hides
  std::string title = {}, unit = {};
  std::span<const double> x = {}, y = {};  // x ascending; of equal length. A value that is no number is a gap
  Style style = Style::Line;
  int colour = 0;        // index of the theme's line colours
  bool exact = false;    // the exact value of another series
  double bar_width = 0;  // Bars: in units of x
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

// Maps values to positions between 0 and 1 along an axis, and back.
struct AxisScale {
  PlotRange range;
  bool log = false;  // then range.low > 0
  // NaN for values that a logarithmic axis cannot show.
  double position(double value) const;
  double value(double position) const;
};

// The visible part of a plot, chosen by the user.
struct PlotZoom {
  std::optional<PlotRange> x, y;  // nothing: all values
  bool log_x = false, log_y = false;
  std::set<std::string> hidden;  // keys of series
  bool shows(const PlotSeries& series) const { return !hidden.contains(series.key); }
  void fit() { x.reset(), y.reset(); }
};

struct PlotScales {
  AxisScale x, y;
};
// The axes of the visible part; nothing if it contains no number. The y axis extends a little beyond the values in the
// visible range of x; a nearly constant value is drawn flat.
std::optional<PlotScales> scalesOf(const Plot& plot, const PlotZoom& zoom);

// The zoom after a turn of the wheel at a position of the plot (0 to 1 each), or after a drag by a fraction of the
// plot.
PlotZoom zoomedAbout(PlotZoom zoom, const PlotScales& scales, double x, double y, double factor, bool along_x,
                     bool along_y);
PlotZoom panned(PlotZoom zoom, const PlotScales& scales, double dx, double dy);

// A point of a curve as positions between 0 and 1 (outside: beyond them). Not finite: a gap in the curve.
struct PlotPoint {
  double x = 0, y = 0;
};
// At most four points per column of pixels: the first, the lowest, the highest, and the last, which draw the same
// picture as all points. Only the visible part, with one point beyond each side.
std::vector<PlotPoint> decimated(const PlotSeries& series, const PlotScales& scales, int columns);

// The sample nearest to x; nothing if there is none.
std::optional<std::size_t> nearestSample(std::span<const double> x, double at);

struct PlotTicks {
  std::vector<double> places;       // 0 to 1
  std::vector<std::string> labels;  // one for each place
  std::vector<double> minor;
  std::string unit;  // "10⁻³ s": the labels' unit, derived from the axis's unit
  double scale = 1;  // value in the axis's own unit = label × scale
};
PlotTicks ticksOf(const AxisScale& scale, int most, const std::string& unit);
// "time t [s]"; for an axis without a unit only its title.
std::string axisText(const std::string& title, const std::string& unit);

// The visible series as a table with a header: one column for x, one for each series. Fields are empty where the series
// are sampled at different x. Numbers read back as the same numbers.
std::string tableText(const Plot& plot, const PlotZoom& zoom);

// (measured − exact) / |exact|; NaN if either is missing; the plain difference if the exact value is 0.
double relativeError(double measured, double exact);

}  // namespace simscope
