#include "sims/formula/interval.h"

#include <numbers>

namespace simscope::formula {
namespace {

bool isWhole(double a) {
  return std::fabs(a) < 0x1p52 && a == std::nearbyint(a);
}

}  // namespace

bool isNone(const Interval& a) {
  return a.low > a.high;
}
bool isOne(const Interval& a) {
  return a.low == a.high;
}

Interval wider(double low, double high, bool partly, bool exact) {
  if (std::isnan(low)) low = -INFINITY, partly = true;
  if (std::isnan(high)) high = INFINITY, partly = true;
  if (exact && isWhole(low) && isWhole(high)) return {low, high, partly};
  const auto slack = [](double a) { return std::isinf(a) ? 0 : kUlps * std::fabs(a) + 1e-300; };
  return {low - slack(low), high + slack(high), partly};
}
Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.partly || b.partly};
}
bool areWhole(const Interval& a, const Interval& b) {
  return isWhole(a.low) && isWhole(a.high) && isWhole(b.low) && isWhole(b.high);
}

Interval product(const Interval& a, const Interval& b) {
  double low = INFINITY, high = -INFINITY;
  for (const double u : {a.low, a.high}) {
    for (const double v : {b.low, b.high}) {
      const double p = u == 0 || v == 0 ? 0 : u * v;
      low = std::min(low, p), high = std::max(high, p);
    }
  }
  return wider(low, high, a.partly || b.partly, areWhole(a, b));
}
Interval quotient(const Interval& a, const Interval& b) {
  if (b.low <= 0 && b.high >= 0) return kAll;
  double low = INFINITY, high = -INFINITY;
  for (const double u : {a.low, a.high}) {
    for (const double v : {b.low, b.high}) {
      const double q = std::isinf(v) ? 0 : u / v;
      low = std::min(low, q), high = std::max(high, q);
    }
  }
  return wider(low, high, a.partly || b.partly);
}

Interval powerOf(const Interval& a, const Interval& b) {
  const bool partly = a.partly || b.partly;
  if (a.low >= 0) {
    double low = INFINITY, high = -INFINITY;
    for (const double u : {a.low, a.high}) {
      for (const double v : {b.low, b.high}) {
        const double p = std::pow(u, v);
        low = std::min(low, p), high = std::max(high, p);
      }
    }
    return wider(low, high, partly, areWhole(a, b));
  }
  if (!isOne(b)) return kAll;
  const double n = b.low;
  if (!isWhole(n)) {
    if (a.high < 0) return kNone;
    return powerOf({0, a.high, true}, b);
  }
  if (n < 0) {
    return quotient({1, 1, partly}, powerOf(a, {-n, -n, false}));
  }
  const double l = std::pow(a.low, n), h = std::pow(a.high, n);
  const bool even = std::fmod(n, 2) == 0;
  if (!even) return wider(l, h, partly, areWhole(a, b));
  return wider(a.high > 0 ? 0 : std::min(l, h), std::max(l, h), partly, areWhole(a, b));
}

// Of cos, whose extremes stand at multiples of π.
Interval cosine(const Interval& a, double shift) {
  constexpr double kPi = std::numbers::pi;
  if (!(a.high - a.low < 2 * kPi) || std::fabs(a.low) > 1e9 || std::fabs(a.high) > 1e9) return {-1, 1, a.partly};
  const double l = std::cos(a.low - shift), h = std::cos(a.high - shift);
  // An extreme that rounding puts beside the interval differs from the end by less than the slack.
  const double first = std::ceil((a.low - shift) / kPi), last = std::floor((a.high - shift) / kPi);
  double low = std::min(l, h), high = std::max(l, h);
  for (double n = first; n <= last; ++n) (std::fmod(n, 2) == 0 ? high : low) = std::fmod(n, 2) == 0 ? 1 : -1;
  const double slack = kUlps * (1 + std::fabs(a.low) + std::fabs(a.high));
  return {std::max(low - slack, -1.0), std::min(high + slack, 1.0), a.partly};
}
Interval tangent(const Interval& a) {
  constexpr double kPi = std::numbers::pi;
  if (!(a.high - a.low < kPi) || std::fabs(a.low) > 1e9 || std::fabs(a.high) > 1e9) return kAll;
  if (std::floor(a.low / kPi + 0.5) != std::floor(a.high / kPi + 0.5)) return kAll;
  const double l = std::tan(a.low), h = std::tan(a.high);
  if (l > h) return kAll;
  const double slack = kUlps * (std::fabs(a.low) + std::fabs(a.high));
  return wider(l - slack * (1 + l * l), h + slack * (1 + h * h), a.partly);
}
Interval arcTangent2(const Interval& y, const Interval& x, bool& may_jump) {
  if (x.low <= 0 && y.low <= 0 && y.high >= 0) {
    may_jump = true;
    return wider(-std::numbers::pi, std::numbers::pi, y.partly || x.partly);
  }
  double low = INFINITY, high = -INFINITY;
  for (const double v : {y.low, y.high}) {
    for (const double u : {x.low, x.high})
      low = std::min(low, std::atan2(v, u)), high = std::max(high, std::atan2(v, u));
  }
  return wider(low, high, y.partly || x.partly);
}
Interval absolute(const Interval& a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return {-a.high, -a.low, a.partly};
  return {0, std::max(-a.low, a.high), a.partly};
}

Truth truthOf(const Interval& a) {
  if (a.partly) return Truth::Open;
  if (a.low > 0 || a.high < 0) return Truth::Yes;
  return a.low == 0 && a.high == 0 ? Truth::No : Truth::Open;
}
Interval outcome(Truth truth, bool& may_jump) {
  if (truth == Truth::Open) {
    may_jump = true;
    return {0, 1, false};
  }
  return truth == Truth::Yes ? Interval{1, 1, false} : Interval{0, 0, false};
}
Truth negated(Truth truth) {
  return truth == Truth::Open ? truth : truth == Truth::Yes ? Truth::No : Truth::Yes;
}

Truth isLess(const Interval& a, const Interval& b, bool or_equal) {
  if (isNone(a) || isNone(b)) return Truth::No;
  if (or_equal ? a.low > b.high : a.low >= b.high) return Truth::No;
  const bool holds = or_equal ? a.high <= b.low : a.high < b.low;
  return holds && !a.partly && !b.partly ? Truth::Yes : Truth::Open;
}
Truth isEqual(const Interval& a, const Interval& b) {
  if (isNone(a) || isNone(b) || a.low > b.high || b.low > a.high) return Truth::No;
  return isOne(a) && isOne(b) && !a.partly && !b.partly ? Truth::Yes : Truth::Open;
}

}  // namespace simscope::formula
