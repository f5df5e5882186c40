#include "app/gui/panels/parameters/parameter_scale.h"

#include <algorithm>
#include <cmath>

namespace simscope::gui {

namespace {

constexpr double kWide = 30;  // ranges this many times the default's magnitude get the cubic scale

enum class Shape { Linear, Log, Cubic };

Shape shapeOf(const ParameterInfo& info) {
  if (info.scale == Scale::Log && info.minimum > 0) return Shape::Log;
  const double initial = std::abs(numberOf(info.initial));
  return initial > 0 && info.maximum - info.minimum > kWide * initial ? Shape::Cubic : Shape::Linear;
}

double centreOf(const ParameterInfo& info) {
  return std::clamp(0.0, info.minimum, info.maximum);
}

double toPlaceCubic(const ParameterInfo& info, double value) {
  const double centre = centreOf(info);
  const auto root = [&](double v) { return std::cbrt(v - centre); };
  return (root(value) - root(info.minimum)) / (root(info.maximum) - root(info.minimum));
}

double fromPlaceCubic(const ParameterInfo& info, double place) {
  const double centre = centreOf(info);
  const double low = std::cbrt(info.minimum - centre), high = std::cbrt(info.maximum - centre);
  const double root = low + place * (high - low);
  return centre + root * root * root;
}

double roundedTo(double value, double unit) {
  // Units are powers of ten: dividing by the whole inverse gives the shortest decimal.
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

}  // namespace

bool isSlidable(const ParameterInfo& info) {
  return (info.kind == Kind::Integer && !info.power_of_two) || info.kind == Kind::Real;
}

double numberOf(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
}

Value valueOf(const ParameterInfo& info, double number) {
  if (info.kind == Kind::Integer) return static_cast<std::int64_t>(std::llround(number));
  return number;
}

double sliderPlace(const ParameterInfo& info, double value) {
  if (!(info.maximum > info.minimum)) return 0;
  double place = 0;
  switch (shapeOf(info)) {
    case Shape::Linear:
      place = (value - info.minimum) / (info.maximum - info.minimum);
      break;
    case Shape::Log:
      place = std::log(std::max(value, info.minimum) / info.minimum) / std::log(info.maximum / info.minimum);
      break;
    case Shape::Cubic:
      place = toPlaceCubic(info, value);
      break;
  }
  return std::clamp(place, 0.0, 1.0);
}

double sliderValue(const ParameterInfo& info, double place, bool fine) {
  if (place <= 0) return info.minimum;
  if (place >= 1) return info.maximum;
  double value = 0, around = 0;
  switch (shapeOf(info)) {
    case Shape::Linear:
      value = info.minimum + place * (info.maximum - info.minimum);
      around = info.maximum - info.minimum;
      break;
    case Shape::Log:
      value = info.minimum * std::pow(info.maximum / info.minimum, place);
      around = value * 10;
      break;
    case Shape::Cubic:
      value = fromPlaceCubic(info, place);
      around = std::max(std::abs(value - centreOf(info)), (info.maximum - info.minimum) * 1e-6) * 10;
      break;
  }
  const double unit = std::pow(10.0, std::floor(std::log10(around)) - (fine ? 3 : 2));
  value = roundedTo(value, info.kind == Kind::Integer ? std::max(unit, 1.0) : unit);
  return std::clamp(value, info.minimum, info.maximum);
}

}  // namespace simscope::gui
