#include "app/render/figure/colour_range.h"

#include <algorithm>
#include <cmath>

namespace simscope::render {
namespace {

double root(double x) {
  return std::copysign(std::sqrt(std::abs(x)), x);
}
double square(double x) {
  return std::copysign(x * x, x);
}

}  // namespace

double ColourRange::position(double value) const {
  if (scale == FieldScale::Log) {
    if (!(value > 0)) return std::isnan(value) ? value : -1;
    return std::log(value / limits.low) / std::log(limits.high / limits.low);
  }
  const double linear = (value - limits.low) / (limits.high - limits.low);
  if (scale == FieldScale::Linear) return linear;
  return symmetric ? 0.5 + 0.5 * root(2 * linear - 1) : root(linear);
}

double ColourRange::valueAt(double position) const {
  if (scale == FieldScale::Log) return limits.low * std::pow(limits.high / limits.low, position);
  double linear = position;
  if (scale == FieldScale::Gamma) linear = symmetric ? 0.5 + 0.5 * square(2 * position - 1) : square(position);
  return limits.low + (limits.high - limits.low) * linear;
}

ValueScale valueScale(const FieldView& view, const FigureOptions& options) {
  return {options.value_scale.value_or(view.scale), options.symmetric.value_or(view.symmetric),
          view.style == FieldStyle::Complex};
}

ColourRange colourRange(const ValueScale& values, const Channel& channel, const std::optional<Limits>& chosen) {
  ColourRange range{chosen.value_or(Limits{channel.low, channel.high}), values.scale, values.symmetric};
  Limits& l = range.limits;
  if (!std::isfinite(l.low) || !std::isfinite(l.high)) l = {0, 1};
  if (!chosen) {
    if (values.amplitude) l.low = std::max(l.low, 0.0);  // an amplitude
    if (values.symmetric) {
      const double most = std::max(std::abs(l.low), std::abs(l.high));
      l = {-most, most};
    }
  }
  if (!(l.high > l.low)) {
    const double margin = l.low == 0 ? 1 : std::abs(l.low) / 2;
    l = values.amplitude ? Limits{l.low, l.low + margin} : Limits{l.low - margin, l.low + margin};
  }
  if (range.scale == FieldScale::Log) {
    if (!(l.high > 0)) l.high = 1;
    if (!(l.low > 0)) l.low = l.high * std::pow(10.0, -kLogDecades);
  }
  return range;
}

std::size_t colourEntry(double position, std::size_t entries) {
  const double at = std::floor(position * static_cast<double>(entries));
  if (!(at > 0)) return 0;
  return std::min(static_cast<std::size_t>(std::min(at, 1e6)), entries - 1);
}

AxisTicks kindTicks(int kinds, int most, std::span<const std::string> names) {
  const bool named = names.size() == static_cast<std::size_t>(std::max(0, kinds));
  AxisTicks ticks;
  const int every = (kinds - 1) / std::max(1, most) + 1;
  ticks.step = every;
  for (int kind = 0; kind < kinds; kind += every) {
    ticks.major.push_back(kind);
    ticks.labels.push_back(named ? names[static_cast<std::size_t>(kind)] : tickLabel(kind, 1));
  }
  return ticks;
}

AxisTicks rangeTicks(const ColourRange& range, int most) {
  const Limits& l = range.limits;
  if (range.scale != FieldScale::Log) return axisTicks(l.low, l.high, most);
  const int first = static_cast<int>(std::ceil(std::log10(l.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(l.high) + 1e-9));
  if (last - first < 1) return axisTicks(l.low, l.high, most);
  AxisTicks ticks;
  const int every = (last - first) / std::max(1, most) + 1;
  ticks.step = std::pow(10.0, every);
  const bool plain = first >= -3 && last <= 4;
  for (int e = first - 1; e <= last; ++e) {
    // Powers of ten as such are exact to a rounding; 10^-3 as 1/10^3.
    const double power = e < 0 ? 1 / std::pow(10.0, -e) : std::pow(10.0, e);
    if (e >= first && (e - first) % every == 0) {
      ticks.major.push_back(power);
      ticks.labels.push_back(plain ? tickLabel(power, power) : powerOfTen(e));
    } else if (e >= first) {
      ticks.minor.push_back(power);
    }
    for (int m = 2; m <= 9 && every == 1; ++m) {
      if (m * power >= l.low && m * power <= l.high) ticks.minor.push_back(m * power);
    }
  }
  return ticks;
}

}  // namespace simscope::render
