#include "sims/core/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simscope {
namespace {

// The bounds of an Integer as integers, whatever the description's doubles are.
std::int64_t wholeBound(double bound) {
  constexpr double kLimit = 9223372036854775808.0;  // 2⁶³, the first double beyond the type
  if (!(bound > -kLimit)) return std::numeric_limits<std::int64_t>::min();
  if (!(bound < kLimit)) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(bound);
}

}  // namespace

std::int64_t nearestInteger(const ParameterInfo& info, double value) {
  const std::int64_t low = wholeBound(std::ceil(info.minimum));
  const std::int64_t high = wholeBound(std::floor(info.maximum));
  if (!info.power_of_two) {
    if (!(value > static_cast<double>(low))) return low;
    if (!(value < static_cast<double>(high))) return high;
    return std::clamp(static_cast<std::int64_t>(std::llround(value)), low, high);
  }
  std::int64_t best = 0;
  for (std::uint64_t bit = 0; bit < 63; ++bit) {
    const std::int64_t power = std::int64_t{1} << bit;
    if (power < low || power > high) continue;
    // Equally far: the finer one.
    if (best == 0 || std::abs(static_cast<double>(power) - value) <= std::abs(static_cast<double>(best) - value)) {
      best = power;
    }
  }
  return best;
}

Value nearestValue(const ParameterInfo& info, double number) {
  if (info.kind == Kind::Integer) return nearestInteger(info, number);
  const double inside = std::clamp(number, info.minimum, info.maximum);
  return inside == 0 ? 0.0 : inside;
}

}  // namespace simscope
