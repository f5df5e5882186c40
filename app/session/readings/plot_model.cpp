#include "app/session/readings/plot_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "app/render/figure/ticks.h"

namespace simscope {

namespace {

constexpr double kFlat = 2e-3;         // of a value: what changes less is noise, and drawn flat
constexpr double kPadding = 0.06;      // of the range, at either side
constexpr double kLeastRange = 1e-13;  // of a value: numbers are no finer
constexpr double kMostDecades = 12;    // below the largest value, on a logarithmic axis

struct Bounds {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double v, bool log) {
    if (!std::isfinite(v) || (log && !(v > 0))) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool empty() const { return !(low <= high); }
};

PlotRange ranged(Bounds bounds, bool log) {
  if (log) {
    bounds.low = std::max(bounds.low, bounds.high * std::pow(10, -kMostDecades));
    const double factor = std::max(std::pow(bounds.high / bounds.low, kPadding), 1.1);
    return {bounds.low / factor, bounds.high * factor};
  }
  if (bounds.low == 0 && bounds.high == 0) return {-1, 1};
  const double middle = (bounds.low + bounds.high) / 2;
  const double least = std::max(std::abs(middle) * kFlat, std::numeric_limits<double>::min() * 1e20);
  if (bounds.high - bounds.low < least) return {middle - least / 2, middle + least / 2};
  const double pad = (bounds.high - bounds.low) * kPadding;
  return {bounds.low - pad, bounds.high + pad};
}

// Indices of what lies in the range, and one more at either side.
std::pair<std::size_t, std::size_t> seen(const PlotSeries& series, const PlotRange& range) {
  const std::span<const double> x = series.x;
  auto first = std::lower_bound(x.begin(), x.end(), range.low - series.bar_width);
  auto last = std::upper_bound(first, x.end(), range.high);
  if (first != x.begin()) --first;
  if (last != x.end()) ++last;
  return {static_cast<std::size_t>(first - x.begin()), static_cast<std::size_t>(last - x.begin())};
}

bool usable(const std::optional<PlotRange>& range, bool log) {
  return range && range->high > range->low && std::isfinite(range->high - range->low) && (!log || range->low > 0);
}

std::string fieldText(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace

double AxisScale::position(double value) const {
  if (!log) return (value - range.low) / (range.high - range.low);
  if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::log(value / range.low) / std::log(range.high / range.low);
}

double AxisScale::value(double position) const {
  return log ? range.low * std::pow(range.high / range.low, position) : range.low + position * (range.high - range.low);
}

std::optional<PlotScales> scalesOf(const Plot& plot, const PlotZoom& zoom) {
  PlotScales scales{{{}, zoom.log_x}, {{}, zoom.log_y}};
  Bounds x, y;
  for (const PlotSeries& series : plot.series) {
    if (!zoom.shows(series)) continue;
    for (const double v : series.x) x.include(v, zoom.log_x);
    if (series.bar_width > 0 && !series.x.empty()) x.include(series.x.back() + series.bar_width, zoom.log_x);
  }
  if (x.empty()) return std::nullopt;
  if (usable(zoom.x, zoom.log_x)) {
    scales.x.range = *zoom.x;
  } else {
    scales.x.range = {x.low, x.high};
    // The first sample of a run.
    if (!(x.high > x.low)) scales.x.range = x.low == 0 && !zoom.log_x ? PlotRange{0, 1} : ranged(x, zoom.log_x);
  }
  for (const PlotSeries& series : plot.series) {
    if (!zoom.shows(series)) continue;
    const auto [first, last] = seen(series, scales.x.range);
    for (std::size_t i = first; i < last; ++i) y.include(series.y[i], zoom.log_y);
    if (series.style == PlotSeries::Style::Bars && !zoom.log_y && first < last) y.include(0, false);
  }
  if (y.empty()) return std::nullopt;
  scales.y.range = usable(zoom.y, zoom.log_y) ? *zoom.y : ranged(y, zoom.log_y);
  return scales;
}

PlotZoom zoomedAbout(PlotZoom zoom, const PlotScales& scales, double x, double y, double factor, bool along_x,
                     bool along_y) {
  const auto magnified = [&](const AxisScale& scale, double about) {
    return PlotRange{scale.value(about * (1 - factor)), scale.value(about + (1 - about) * factor)};
  };
  const auto sane = [](const PlotRange& range) {
    const double size = std::max(std::abs(range.low), std::abs(range.high));
    return std::isfinite(size) && range.high - range.low > 4 * kLeastRange * size;
  };
  if (const PlotRange range = magnified(scales.x, x); along_x && sane(range)) zoom.x = range;
  if (const PlotRange range = magnified(scales.y, y); along_y && sane(range)) zoom.y = range;
  return zoom;
}

PlotZoom panned(PlotZoom zoom, const PlotScales& scales, double dx, double dy) {
  if (dx != 0) zoom.x = PlotRange{scales.x.value(-dx), scales.x.value(1 - dx)};
  if (dy != 0) zoom.y = PlotRange{scales.y.value(-dy), scales.y.value(1 - dy)};
  return zoom;
}

std::vector<PlotPoint> decimated(const PlotSeries& series, const PlotScales& scales, int columns) {
  std::vector<PlotPoint> points;
  const auto [begin, end] = seen(series, scales.x.range);
  const double count = std::max(columns, 1);
  const auto columnOf = [&](std::size_t i) {
    const double at = scales.x.position(series.x[i]);
    return std::isfinite(at) ? std::floor(at * count) : -std::numeric_limits<double>::infinity();
  };
  const auto valueAt = [&](std::size_t i) { return scales.y.position(series.y[i]); };
  for (std::size_t i = begin; i < end;) {
    if (!std::isfinite(valueAt(i)) || !std::isfinite(columnOf(i))) {
      if (!points.empty() && std::isfinite(points.back().y)) points.push_back({0, std::nan("")});
      ++i;
      continue;
    }
    const double column = columnOf(i);
    std::size_t low = i, high = i, last = i;
    for (std::size_t k = i + 1; k < end && columnOf(k) == column && std::isfinite(valueAt(k)); ++k) {
      if (series.y[k] < series.y[low]) low = k;
      if (series.y[k] > series.y[high]) high = k;
      last = k;
    }
    std::size_t done = SIZE_MAX;
    for (const std::size_t k : {i, std::min(low, high), std::max(low, high), last}) {
      if (k != done) points.push_back({scales.x.position(series.x[k]), valueAt(k)});
      done = k;
    }
    i = last + 1;
  }
  return points;
}

std::optional<std::size_t> nearestSample(std::span<const double> x, double at) {
  if (x.empty()) return std::nullopt;
  const auto after = std::lower_bound(x.begin(), x.end(), at);
  if (after == x.begin()) return 0;
  if (after == x.end()) return x.size() - 1;
  return static_cast<std::size_t>(after - x.begin()) - (at - *(after - 1) < *after - at ? 1 : 0);
}

PlotTicks ticksOf(const AxisScale& scale, int most, const std::string& unit) {
  PlotTicks ticks;
  ticks.unit = unit;
  const double low = scale.log ? std::log10(scale.range.low) : scale.range.low;
  const double high = scale.log ? std::log10(scale.range.high) : scale.range.high;
  const render::AxisTicks found =
      scale.log ? render::decadeTicks(low, high, std::max(most, 1)) : render::axisTicks(low, high, std::max(most, 1));
  const auto place = [&](double tick) { return (tick - low) / (high - low); };
  for (const double each : found.major) ticks.places.push_back(place(each));
  for (const double each : found.minor) ticks.minor.push_back(place(each));
  ticks.labels = found.labels;
  if (!scale.log) {
    ticks.unit = render::scaledUnit(unit, found.exponent);
    ticks.scale = std::pow(10.0, found.exponent);
  }
  return ticks;
}

std::string axisText(const std::string& title, const std::string& unit) {
  if (unit.empty()) return title;
  return title.empty() ? fmt::format("[{}]", unit) : fmt::format("{} [{}]", title, unit);
}

std::string tableText(const Plot& plot, const PlotZoom& zoom) {
  std::vector<const PlotSeries*> shown;
  for (const PlotSeries& each : plot.series) {
    if (zoom.shows(each)) shown.push_back(&each);
  }
  std::string text = fieldText(axisText(plot.x.title.empty() ? "x" : plot.x.title, plot.x.unit));
  for (const PlotSeries* each : shown) text += "," + fieldText(axisText(each->title, each->unit));
  text += '\n';
  std::vector<std::size_t> next(shown.size(), 0);
  while (true) {
    double x = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (next[i] < shown[i]->x.size()) x = std::min(x, shown[i]->x[next[i]]);
    }
    if (!std::isfinite(x)) break;
    fmt::format_to(std::back_inserter(text), "{}", x);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      text += ',';
      if (next[i] >= shown[i]->x.size() || shown[i]->x[next[i]] != x) continue;
      const double y = shown[i]->y[next[i]++];
      if (!std::isnan(y)) fmt::format_to(std::back_inserter(text), "{}", y);
    }
    text += '\n';
  }
  return text;
}

double relativeError(double measured, double exact) {
  const double difference = measured - exact;
  return exact == 0 ? difference : difference / std::abs(exact);
}

}  // namespace simscope
