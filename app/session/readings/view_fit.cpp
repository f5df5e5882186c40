#include "app/session/readings/view_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace simscope {
namespace {

constexpr double kGoodPart = 0.4;     // what is there fills that much of the usual limits: they fit
constexpr double kMargin = 0.05;      // beside it, of its width
constexpr double kMostOfAll = 0.995;  // of many bodies; the rest may have flown away
constexpr std::size_t kMany = 200;

// Spread over the array, its first and last among them.
std::vector<std::uint32_t> spread(std::size_t count) {
  const std::size_t most = std::min<std::size_t>(count, ViewFit::kMostElements);
  std::vector<std::uint32_t> elements(most);
  for (std::size_t i = 0; i < most; ++i) {
    elements[i] = static_cast<std::uint32_t>(most > 1 ? i * (count - 1) / (most - 1) : 0);
  }
  return elements;
}

// On the left axis, shown, and in the frame.
const Channel* fitChannel(const TraceInfo& trace, const Frame& frame, const ParameterSet& parameters,
                          const render::FigureOptions& options) {
  const auto chosen = options.shown.find(trace.channel);
  const bool shown = chosen != options.shown.end() ? chosen->second : trace.shown && trace.relevant.holds(parameters);
  return shown && trace.style != TraceStyle::OwnAxis ? frame.find(trace.channel) : nullptr;
}

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool any() const { return low <= high; }
  double width() const { return high - low; }
};

bool fills(const Range& there, const Range& usual) {
  const double over = 1e-6 * usual.width();
  return there.low >= usual.low - over && there.high <= usual.high + over && there.width() >= kGoodPart * usual.width();
}

render::Limits around(const Range& there, const Range& usual) {
  double width = there.width();
  if (!(width > 0)) width = std::max(1e-3 * usual.width(), 1e-9 * std::max(std::abs(there.low), 1e-30));
  const bool from_zero = usual.low == 0 && there.low >= 0;
  return {from_zero ? 0 : there.low - kMargin * width, there.high + kMargin * width};
}

FittedView fittedCurves(const CurveView& view, const Frame& frame, const std::vector<render::ElementRequest>& requests,
                        const std::vector<std::vector<float>>& values) {
  Range there, usual;
  for (std::size_t i = 0; i < requests.size() && i < values.size(); ++i) {
    const Channel* channel = frame.find(requests[i].channel);
    if (!channel) continue;
    usual.take(channel->low);
    usual.take(channel->high);
    const auto each = static_cast<std::size_t>(std::max(channel->components, 1));
    for (std::size_t k = 0; k < values[i].size(); k += each) there.take(static_cast<double>(values[i][k]));
    for (const TraceInfo& trace : view.traces) {
      const bool from_zero = trace.style == TraceStyle::Bars || trace.style == TraceStyle::PhaseFilled;
      if (trace.channel == requests[i].channel && from_zero && !view.y.decades) there.take(0);
    }
  }
  if (!there.any() || !usual.any() || fills(there, usual)) return {};
  return {.x = {}, .y = around(there, usual), .camera = {}};
}

FittedView fittedPlane(bool equal_lengths, const Channel& channel, const std::vector<float>& values) {
  Range x, y;
  const auto each = static_cast<std::size_t>(std::max(channel.components, 2));
  for (std::size_t k = 0; k + 1 < values.size(); k += each) {
    if (!std::isfinite(values[k]) || !std::isfinite(values[k + 1])) continue;
    x.take(static_cast<double>(values[k]));
    y.take(static_cast<double>(values[k + 1]));
  }
  const Range all_x{channel.x_min, channel.x_max}, all_y{channel.y_min, channel.y_max};
  if (!x.any() || (fills(x, all_x) && fills(y, all_y))) return {};
  render::Limits fit_x = around(x, all_x), fit_y = around(y, all_y);
  if (equal_lengths) {
    const double share = std::max((fit_x.high - fit_x.low) / all_x.width(), (fit_y.high - fit_y.low) / all_y.width());
    const auto widened = [share](const render::Limits& fit, const Range& all) {
      const double middle = 0.5 * (fit.low + fit.high), half = 0.5 * share * all.width();
      return render::Limits{middle - half, middle + half};
    };
    fit_x = widened(fit_x, all_x);
    fit_y = widened(fit_y, all_y);
  }
  return {.x = fit_x, .y = fit_y, .camera = {}};
}

double quantile(std::vector<double> numbers, double share) {
  const auto at = static_cast<std::size_t>(share * static_cast<double>(numbers.size() - 1));
  std::nth_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(at), numbers.end());
  return numbers[at];
}

FittedView fittedSpace(const Channel& channel, const std::vector<float>& values, const std::optional<Camera>& usual) {
  std::array<std::vector<double>, 3> places;
  const auto each = static_cast<std::size_t>(std::max(channel.components, 3));
  for (std::size_t k = 0; k + 2 < values.size(); k += each) {
    if (!std::isfinite(values[k]) || !std::isfinite(values[k + 1]) || !std::isfinite(values[k + 2])) continue;
    for (std::size_t i = 0; i < 3; ++i) places[i].push_back(static_cast<double>(values[k + i]));
  }
  const double edge = std::max(std::abs(channel.x_min), std::abs(channel.x_max));
  if (places[0].empty() || !(edge > 0)) return {.x = {}, .y = {}, .camera = usual};
  const double most = places[0].size() > kMany ? kMostOfAll : 1;
  std::array<double, 3> middle;
  for (std::size_t i = 0; i < 3; ++i) {
    middle[i] = 0.5 * (quantile(places[i], 1 - most) + quantile(places[i], most));
  }
  std::vector<double> away, from_usual;
  const Camera now = usual.value_or(Camera{});
  for (std::size_t k = 0; k < places[0].size(); ++k) {
    const double x = places[0][k], y = places[1][k], z = places[2][k];
    away.push_back(std::hypot(x - middle[0], y - middle[1], z - middle[2]));
    from_usual.push_back(std::hypot(x - now.x, y - now.y, z - now.z));
  }
  // The ball that a camera shows: the corners of the cube lie on it at zoom 1.
  const double corner = std::sqrt(3.0) * edge, shown = corner / now.zoom;
  const double reach = quantile(away, most), usual_reach = quantile(from_usual, most);
  // The cube itself is a third of its ball's width; what fills the cube is seen well.
  if (usual_reach <= shown * (1 + 1e-6) && usual_reach >= kGoodPart * shown / std::sqrt(3.0)) {
    return {.x = {}, .y = {}, .camera = usual};
  }
  Camera fit = now;
  fit.x = middle[0], fit.y = middle[1], fit.z = middle[2];
  // A single body has no extent: the usual distance.
  if (reach > 1e-9 * edge) fit.zoom = std::clamp(corner / ((1 + kMargin) * reach), 1e-3, 1e3);
  return {.x = {}, .y = {}, .camera = fit};
}

}  // namespace

std::vector<render::ElementRequest> ViewFit::requests(const View& view, const Frame& frame,
                                                      const ParameterSet& parameters,
                                                      const render::FigureOptions& options) {
  std::vector<render::ElementRequest> wanted;
  const auto add = [&](const Channel* channel) {
    if (!channel || channel->width < 1 || channel->height < 1) return;
    const auto known = [&](const render::ElementRequest& each) { return each.channel == channel->key; };
    if (std::any_of(wanted.begin(), wanted.end(), known)) return;
    wanted.push_back(
        {channel->key, spread(static_cast<std::size_t>(channel->width) * static_cast<std::size_t>(channel->height))});
  };
  if (const auto* curves = view.as<CurveView>()) {
    for (const TraceInfo& trace : curves->traces) add(fitChannel(trace, frame, parameters, options));
  } else if (const auto* points = view.as<PointView>()) {
    add(frame.find(points->channel));
  } else if (const auto* scatter = view.as<ScatterView>()) {
    add(frame.find(scatter->channel));
  }
  return wanted;
}

FittedView ViewFit::fitted(const View& view, const Frame& frame, const std::vector<render::ElementRequest>& requests,
                           const std::vector<std::vector<float>>& values, const std::optional<Camera>& usual) {
  if (const auto* curves = view.as<CurveView>()) {
    FittedView fit = fittedCurves(*curves, frame, requests, values);
    fit.camera = usual;
    return fit;
  }
  const Channel* channel = requests.empty() || values.empty() ? nullptr : frame.find(requests.front().channel);
  if (!channel) return {.x = {}, .y = {}, .camera = usual};
  if (view.as<PointView>()) return fittedSpace(*channel, values.front(), usual);
  const auto* scatter = view.as<ScatterView>();
  FittedView fit = fittedPlane(scatter && scatter->equal_lengths, *channel, values.front());
  fit.camera = usual;
  return fit;
}

std::optional<FittedView> ViewFit::follow(const View& view, const Frame& frame, const ParameterSet& parameters,
                                          const render::FigureOptions& options, const std::optional<Camera>& usual,
                                          render::Figure& figure) {
  if (!wanted_) return std::nullopt;
  if (!reading_) {
    requests_ = requests(view, frame, parameters, options);
    if (requests_.empty()) {
      wanted_ = false;
      return FittedView{.x = {}, .y = {}, .camera = usual};
    }
    if (!figure.startElements(frame, requests_)) return std::nullopt;
    reading_ = true;
  }
  const auto values = figure.takeElements();
  if (!values) return std::nullopt;
  forget();
  return fitted(view, frame, requests_, *values, usual);
}

}  // namespace simscope
