#include "sims/schrodinger2d/advisor.h"

#include <cmath>
#include <cstdio>

namespace simscope::schrodinger2d {
namespace {

double rounded(double value, bool up) {
  if (!(value > 0.0) || !std::isfinite(value)) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  const double count = value / unit;
  const double whole = up ? std::ceil(count - 1e-9) : std::floor(count + 1e-9);
  // Dividing by a power of ten gives the double nearest to the decimal number; multiplying by 0.0001 would not.
  return unit < 1.0 ? whole / std::round(1.0 / unit) : whole * unit;
}

}  // namespace

double roundedDown(double value) {
  return rounded(value, false);
}
double roundedUp(double value) {
  return rounded(value, true);
}
std::int64_t powerOfTwoAbove(double least) {
  std::int64_t power = 1;
  while (static_cast<double>(power) < least && power < (std::int64_t{1} << 40)) power *= 2;
  return power;
}
std::string shortText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace simscope::schrodinger2d
