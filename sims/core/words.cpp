#include "sims/core/words.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string bytesText(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 5) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 99.5 ? 0 : 1, units[unit]);
}

std::string secondsText(double seconds) {
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(std::lround(std::min(seconds, 1e12)));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

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
