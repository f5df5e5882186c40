#include "app/lab/phrases.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "app/render/figure/ticks.h"

namespace simscope::lab {

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
}

std::string roundText(double value, int digits) {
  const double round = rounded(value, digits), size = std::abs(round);
  if (!std::isfinite(value)) return render::numberText(value, digits);
  if (size == 0 || (size >= 1e-3 && size < 100)) return fmt::format("{:.{}g}", round, digits);
  if (size >= 100 && size < 1e4) return render::countText(std::llround(round));
  const auto exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
  return fmt::format("{:.{}g}·{}", round / std::pow(10, exponent), digits, render::powerOfTen(exponent));
}

std::string timesAs(double ratio, const std::string& how) {
  if (std::abs(ratio - 1) < 0.05) return "about as " + how;
  return fmt::format("{} times as {}", roundText(ratio), how);
}

std::string percentText(double share) {
  return roundText(100 * share) + " %";
}

}  // namespace simscope::lab
