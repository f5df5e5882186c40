#include "app/sweep/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/sweep/table.h"
#include "sims/core/words.h"

namespace simscope::sweep {

namespace {

constexpr int kSamples = 2048;      // of a curve between its first and its last value
constexpr double kMargin = 0.04;    // above and below what is drawn, as a share of its height
constexpr double kNearZero = 0.35;  // an axis that begins within this share of its height above zero begins there

// The position of a value along its axis.
double placeOf(const Plan& plan, std::size_t axis, std::size_t value) {
  const Value& own = plan.values[axis][value];
  const auto* whole = std::get_if<std::int64_t>(&own);
  const double at = whole ? static_cast<double>(*whole) : std::get<double>(own);
  return plan.axes[axis].log ? std::log10(at) : at;
}

AxisInfo axisOf(const Plan& plan, std::size_t axis) {
  const std::size_t parameter = plan.axes[axis].parameter;
  const ParameterSet& parameters = plan.scene.parameters;
  return {.title = parameters.title(parameter), .unit = parameters.unit(parameter), .decades = plan.axes[axis].log};
}

// A panel: a diagnostic, and the exact one if there is one.
struct Shown {
  std::size_t measure;
  std::optional<std::size_t> exact;
};

std::vector<Shown> shownOf(const Plan& plan) {
  std::vector<Shown> all;
  for (const std::size_t measure : plan.measures) all.push_back({measure, exactOf(plan.description(), measure)});
  return all;
}

render::Limits limitsOf(const std::vector<double>& values) {
  render::Limits limits{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    limits.low = std::min(limits.low, value);
    limits.high = std::max(limits.high, value);
  }
  if (!(limits.high >= limits.low)) return {0, 1};  // nothing has a value
  if (limits.high == limits.low) {
    const double margin = limits.low == 0 ? 1 : std::abs(limits.low) / 2;
    return {limits.low - margin, limits.high + margin};
  }
  return limits;
}

render::Limits axisLimits(const std::vector<double>& values) {
  render::Limits limits = limitsOf(values);
  const double height = limits.high - limits.low;
  const bool from_zero = limits.low >= 0 && limits.low < kNearZero * height;
  limits.low = from_zero ? 0 : limits.low - kMargin * height;
  limits.high += kMargin * height;
  return limits;
}

std::vector<double> valuesOfDiagnostic(const Result& result, std::size_t diagnostic) {
  std::vector<double> values;
  for (const RunResult& run : result.runs) values.push_back(run.diagnostics[diagnostic]);
  return values;
}

Channel& channelOf(Frame& frame, const std::string& key, const std::vector<float>& data, int width, int height,
                   render::Limits limits) {
  Channel& channel = frame.channel(key, width, height);
  channel.data.upload(data);
  channel.low = limits.low;
  channel.high = limits.high;
  return channel;
}

// The straight lines between the runs' values, evenly sampled.
void addCurve(Frame& frame, const std::string& key, const Places& places, const std::vector<double>& values,
              render::Limits limits) {
  const double first = places.at.front(), last = places.at.back(), step = (last - first) / (kSamples - 1);
  std::vector<float> data;
  data.reserve(kSamples);
  std::size_t i = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const double x = sample + 1 == kSamples ? last : first + sample * step;
    while (i + 2 < places.at.size() && x > places.at[i + 1]) ++i;
    const double share = std::clamp((x - places.at[i]) / (places.at[i + 1] - places.at[i]), 0.0, 1.0);
    const double left = values[places.value[i]], right = values[places.value[i + 1]];
    data.push_back(static_cast<float>(share <= 0 ? left : share >= 1 ? right : left + share * (right - left)));
  }
  Channel& channel = channelOf(frame, key, data, kSamples, 1, limits);
  channel.x_min = first;
  channel.x_max = last + step;
}

// The values along one side of a diagram: one sample for each cell, or many where the cells differ in width.
struct Side {
  std::vector<std::size_t> value;
  double low, high;
};

Side sideOf(const Places& places) {
  const std::size_t last = places.at.size() - 1;
  Side side{places.value, places.cell(0).low, places.cell(last).high};
  if (places.even()) return side;
  side.value.clear();
  const double step = (side.high - side.low) / kSamples;
  for (int i = 0; i < kSamples; ++i) side.value.push_back(places.value[places.nearest(side.low + (i + 0.5) * step)]);
  return side;
}

void addCells(Frame& frame, const std::string& key, const Plan& plan, const std::vector<double>& values,
              render::Limits limits) {
  const Side x = sideOf(placesOf(plan, 0)), y = sideOf(placesOf(plan, 1));
  const std::size_t row = plan.values[0].size();
  std::vector<float> data;
  data.reserve(x.value.size() * y.value.size());
  for (const std::size_t j : y.value) {
    for (const std::size_t i : x.value) data.push_back(static_cast<float>(values[j * row + i]));
  }
  Channel& channel =
      channelOf(frame, key, data, static_cast<int>(x.value.size()), static_cast<int>(y.value.size()), limits);
  channel.x_min = x.low;
  channel.x_max = x.high;
  channel.y_min = y.low;
  channel.y_max = y.high;
}

const DiagnosticInfo& infoOf(const Plan& plan, std::size_t diagnostic) {
  return plan.description().diagnostics[diagnostic];
}

View curveView(const Plan& plan, const Result& result, const Shown& shown, Frame& frame) {
  const DiagnosticInfo& info = infoOf(plan, shown.measure);
  const std::vector<double> measured = valuesOfDiagnostic(result, shown.measure);
  std::vector<double> all = measured;
  CurveView view{.x = axisOf(plan, 0), .y = {.title = info.title, .unit = info.unit}};
  std::vector<double> exact;
  if (shown.exact) {
    exact = valuesOfDiagnostic(result, *shown.exact);
    all.insert(all.end(), exact.begin(), exact.end());
  }
  const render::Limits limits = axisLimits(all);
  const Places places = placesOf(plan, 0);
  addCurve(frame, info.key, places, measured, limits);
  view.traces.push_back({.channel = info.key, .title = info.title, .unit = info.unit});
  if (shown.exact) {
    const DiagnosticInfo& other = infoOf(plan, *shown.exact);
    addCurve(frame, other.key, places, exact, limits);
    view.traces.push_back(
        {.channel = other.key, .title = other.title, .unit = other.unit, .style = TraceStyle::Ghost, .colour = 1});
  }
  return {info.key, info.title, std::move(view)};
}

// Both with one range of colours, so that they can be compared.
void addDiagrams(const Plan& plan, const Result& result, const Shown& shown, Frame& frame, std::vector<View>& views) {
  std::vector<std::size_t> diagnostics = {shown.measure};
  if (shown.exact) diagnostics.push_back(*shown.exact);
  std::vector<double> all;
  for (const std::size_t each : diagnostics) {
    const std::vector<double> values = valuesOfDiagnostic(result, each);
    all.insert(all.end(), values.begin(), values.end());
  }
  const render::Limits limits = limitsOf(all);
  for (const std::size_t each : diagnostics) {
    const DiagnosticInfo& info = infoOf(plan, each);
    addCells(frame, info.key, plan, valuesOfDiagnostic(result, each), limits);
    views.push_back({info.key, info.title,
                     FieldView{.x = axisOf(plan, 0),
                               .y = axisOf(plan, 1),
                               .value = {.title = info.title, .unit = info.unit},
                               .channel = info.key,
                               .colormap = "viridis",
                               .equal_lengths = false,
                               .absent = "no value"}});
  }
}

std::size_t panelsOf(const Plan& plan) {
  return plan.axes.size() == 1 ? plan.measures.size() : shownDiagnostics(plan).size();
}

// In rows of two, or of three where there are more than four.
LinkedView linked(const std::vector<View>& views) {
  LinkedView all;
  const std::size_t columns = views.size() > 4 ? 3 : 2, rows = (views.size() + columns - 1) / columns;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const double width = 1.0 / static_cast<double>(columns), height = 1.0 / static_cast<double>(rows);
    all.panels.push_back({views[i].key, width * static_cast<double>(i % columns),
                          height * static_cast<double>(i / columns), width, height});
  }
  return all;
}

}  // namespace

render::Limits Places::cell(std::size_t place) const {
  const std::size_t last = at.size() - 1;
  const double below = place > 0 ? at[place] - at[place - 1] : at[1] - at[0];
  const double above = place < last ? at[place + 1] - at[place] : at[last] - at[last - 1];
  return {at[place] - 0.5 * below, at[place] + 0.5 * above};
}

std::size_t Places::nearest(double where) const {
  const auto above = static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), where) - at.begin());
  if (above == 0) return 0;
  return above == at.size() || where - at[above - 1] <= at[above] - where ? above - 1 : above;
}

bool Places::even() const {
  const double step = (at.back() - at.front()) / static_cast<double>(at.size() - 1);
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (std::abs(at[i] - at[i - 1] - step) > 1e-6 * step) return false;
  }
  return true;
}

Places placesOf(const Plan& plan, std::size_t axis) {
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t i = 0; i < plan.values[axis].size(); ++i) all.emplace_back(placeOf(plan, axis, i), i);
  std::sort(all.begin(), all.end());
  Places places;
  for (const auto& [at, value] : all) {
    places.at.push_back(at);
    places.value.push_back(value);
  }
  return places;
}

void checkPicture(const Plan& plan) {
  if (panelsOf(plan) <= kMostPanels) return;
  throw UsageError(
      fmt::format("a picture has at most {} panels, but these diagnostics need {}; measure fewer, or write "
                  "a .csv, which takes any number",
                  kMostPanels, panelsOf(plan)));
}

Picture pictureOf(const Plan& plan, const Result& result, const render::FigureOptions& look) {
  checkPicture(plan);
  Picture picture;
  Description& made = picture.description;
  const Description& own = plan.description();
  made.id = own.id;
  made.title = own.title;
  made.equation = own.equation;
  made.equation_of = own.equation_of;
  made.parameters = own.parameters;
  made.clock = {.symbol = "runs", .unit = "", .counts = true};
  picture.parameters = plan.scene.parameters;
  for (const Axis& axis : plan.axes) {
    picture.parameters.set(axis.parameter, (*own.parameters)[axis.parameter].initial);
  }
  Frame& frame = picture.frame;
  frame.device = compute::Device::open("cpu", 1);
  frame.sequence = 1;
  frame.time = static_cast<double>(plan.runs());
  frame.parameters = picture.parameters;
  for (const Shown& shown : shownOf(plan)) {
    if (plan.axes.size() == 1) {
      made.views.push_back(curveView(plan, result, shown, frame));
    } else {
      addDiagrams(plan, result, shown, frame, made.views);
    }
  }
  frame.ready.record(*frame.device);
  const std::string over = fmt::format("after {}", counted(plan.steps, "step"));
  if (made.views.size() > 1) {
    View all{"sweep", over, linked(made.views)};
    made.views.insert(made.views.begin(), std::move(all));
  } else {
    made.views.front().title += " " + over;
  }
  picture.options = look;
  picture.options.view = made.views.front().key;
  picture.options.shown.clear();
  picture.options.x = picture.options.y = std::nullopt;
  return picture;
}

}  // namespace simscope::sweep
