#include "sims/core/words.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "sims/core/parameters.h"

namespace simscope {
namespace {

double rounded(double value, int digits, bool up) {
  if (!(value > 0.0) || !std::isfinite(value)) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
  const double count = value / unit;
  const double whole = up ? std::ceil(count - 1e-9) : std::floor(count + 1e-9);
  // Dividing by a power of ten gives the double nearest to the decimal number; multiplying by 0.0001 would not.
  return unit < 1.0 ? whole / std::round(1.0 / unit) : whole * unit;
}

}  // namespace

std::string shortText(double value) {
  return fmt::format("{:.3g}", value);
}

double rounded(double value, int digits) {
  const std::string text = fmt::format("{:.{}g}", value, digits);
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

double roundedDown(double value, int digits) {
  return rounded(value, digits, false);
}

double roundedUp(double value, int digits) {
  return rounded(value, digits, true);
}

std::string didYouMean(std::string_view name, std::span<const std::string> names, std::string_view otherwise) {
  const std::string close = closestName(name, names);
  return close.empty() ? std::string(otherwise) : fmt::format("; did you mean '{}'?", close);
}

}  // namespace simscope
