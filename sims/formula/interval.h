// Arithmetic of intervals: the result holds every value of the operation for numbers in the operands, widened by the
// rounding of the ends (R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis, SIAM 2009).
// Comparisons have an outcome, or are open. Pure functions; any thread.
#pragma once

#include <algorithm>
#include <cmath>

namespace simscope::formula {

struct Interval {
  double low = 0, high = 0;  // low > high: no number at all
  bool partly = false;       // it may be NaN somewhere
};
inline constexpr double kUlps = 1e-15;  // of a result: more than functions and sums are off by
inline constexpr Interval kNone{INFINITY, -INFINITY, true};
inline constexpr Interval kAll{-INFINITY, INFINITY, true};

bool isNone(const Interval& a);
bool isOne(const Interval& a);  // one number
// Whether all ends are whole numbers: their sums and products are exact.
bool areWhole(const Interval& a, const Interval& b);
// exact: whole ends need no widening.
Interval wider(double low, double high, bool partly, bool exact = false);
Interval hull(const Interval& a, const Interval& b);

Interval product(const Interval& a, const Interval& b);
Interval quotient(const Interval& a, const Interval& b);
Interval powerOf(const Interval& a, const Interval& b);
Interval absolute(const Interval& a);
Interval cosine(const Interval& a, double shift);  // cos(a - shift)
Interval tangent(const Interval& a);
// atan2(y, x); may_jump is set where its cut, the negative x axis, is in the box.
Interval arcTangent2(const Interval& y, const Interval& x, bool& may_jump);

// Of a function that rises everywhere.
template <class F>
Interval rising(const F& f, const Interval& a) {
  return wider(f(a.low), f(a.high), a.partly);
}
// Of what is defined from `from` to `to` only.
template <class F>
Interval risingWithin(const F& f, const Interval& a, double from, double to) {
  if (a.high < from || a.low > to) return kNone;
  const bool partly = a.partly || a.low < from || a.high > to;
  return wider(f(std::max(a.low, from)), f(std::min(a.high, to)), partly);
}
// Of a function of steps: may_jump is set where it has more than one value.
template <class F>
Interval stepped(const F& f, const Interval& a, bool& may_jump) {
  const double low = f(a.low), high = f(a.high);
  if (low != high) may_jump = true;
  if (std::isnan(low) || std::isnan(high)) return kAll;
  return {low, high, a.partly};
}

enum class Truth { No, Yes, Open };
Truth truthOf(const Interval& a);  // of a number as a condition
Truth negated(Truth truth);
// What is compared with NaN does not hold, but for !=.
Truth isLess(const Interval& a, const Interval& b, bool or_equal);
Truth isEqual(const Interval& a, const Interval& b);
// 0, 1, or both, where may_jump is set.
Interval outcome(Truth truth, bool& may_jump);

}  // namespace simscope::formula
