#include "sims/formula/bounds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/formula/bounds_nodes.h"

namespace simscope::formula {
namespace {

double signOf(double a) {
  return a > 0 ? 1 : a < 0 ? -1 : 0;
}
double heavisideOf(double a) {
  return 0.5 + 0.5 * signOf(a);
}

}  // namespace

Interval Bounds::over(std::span<const Interval> box, bool& may_jump) const {
  return nodes_.empty() ? kAll : of(root_, box, may_jump);
}

Interval Bounds::of(std::size_t index, std::span<const Interval> box, bool& may_jump) const {
  const Node& node = nodes_[index];
  const auto part = [&](std::size_t i) { return of(node.parts[i], box, may_jump); };
  // Of what decides: where it has one outcome, its own jumps are none of f's.
  const auto deciding = [&](std::size_t i) {
    bool ignored = false;
    return of(node.parts[i], box, ignored);
  };
  const auto kind = static_cast<NodeKind>(node.kind);
  switch (kind) {
    case kConstant:
      return node.value;
    case kVariable:
      return box[node.variable];
    case kChoice: {
      const Truth holds = truthOf(deciding(0));
      if (holds != Truth::Open) return part(holds == Truth::Yes ? 1 : 2);
      may_jump = true;
      return hull(part(1), part(2));
    }
    case kAnd:
    case kOr: {
      const Truth decides = kind == kAnd ? Truth::No : Truth::Yes;
      const Truth left = truthOf(deciding(0));
      if (left == decides) return outcome(decides, may_jump);
      const Truth right = truthOf(deciding(1));
      if (right == decides) return outcome(decides, may_jump);
      return outcome(left == Truth::Open ? left : right, may_jump);
    }
    default:
      break;
  }
  const bool compares = kind >= kLess && kind <= kUnequal;
  const Interval a = compares || kind == kNot || (kind >= kSign && kind <= kRint) ? deciding(0) : part(0);
  if (compares) {
    const Interval b = deciding(1);
    switch (kind) {
      case kLess:
        return outcome(isLess(a, b, false), may_jump);
      case kAtMost:
        return outcome(isLess(a, b, true), may_jump);
      case kMore:
        return outcome(isLess(b, a, false), may_jump);
      case kAtLeast:
        return outcome(isLess(b, a, true), may_jump);
      case kEqual:
        return outcome(isEqual(a, b), may_jump);
      default:
        return outcome(negated(isEqual(a, b)), may_jump);
    }
  }
  if (kind == kNot) return outcome(isNone(a) ? Truth::No : negated(truthOf(a)), may_jump);
  const bool isExtreme = kind == kMin || kind == kMax;  // of NaN and a number it may be either
  if (isNone(a)) return isExtreme ? kAll : kNone;
  switch (kind) {
    case kNegative:
      return {-a.high, -a.low, a.partly};
    case kSine:
      return cosine(a, std::numbers::pi / 2);
    case kCosine:
      return cosine(a, 0);
    case kTangent:
      return tangent(a);
    case kAbs:
      return absolute(a);
    case kSqrt:
      return risingWithin([](double u) { return std::sqrt(u); }, a, 0, INFINITY);
    case kCosh:
      return rising([](double u) { return std::cosh(u); }, absolute(a));
    case kAsin:
      return risingWithin([](double u) { return std::asin(u); }, a, -1, 1);
    case kAcos: {
      const Interval falling = risingWithin([](double u) { return -std::acos(u); }, a, -1, 1);
      return isNone(falling) ? kNone : Interval{-falling.high, -falling.low, falling.partly};
    }
    case kAcosh:
      return risingWithin([](double u) { return std::acosh(u); }, a, 1, INFINITY);
    case kAtanh:
      return risingWithin([](double u) { return std::atanh(u); }, a, -1, 1);
    case kLog:
      return risingWithin([](double u) { return std::log(u); }, a, 0, INFINITY);
    case kLog2:
      return risingWithin([](double u) { return std::log2(u); }, a, 0, INFINITY);
    case kLog10:
      return risingWithin([](double u) { return std::log10(u); }, a, 0, INFINITY);
    case kExp:
      return rising([](double u) { return std::exp(u); }, a);
    case kAtan:
      return rising([](double u) { return std::atan(u); }, a);
    case kSinh:
      return rising([](double u) { return std::sinh(u); }, a);
    case kTanh:
      return rising([](double u) { return std::tanh(u); }, a);
    case kAsinh:
      return rising([](double u) { return std::asinh(u); }, a);
    case kErf:
      return rising([](double u) { return std::erf(u); }, a);
    case kSign:
      return stepped(signOf, a, may_jump);
    case kHeaviside:
      return stepped(heavisideOf, a, may_jump);
    case kFloor:
      return stepped([](double u) { return std::floor(u); }, a, may_jump);
    case kCeil:
      return stepped([](double u) { return std::ceil(u); }, a, may_jump);
    case kRound:
      return stepped([](double u) { return std::round(u); }, a, may_jump);
    case kRint:
      return stepped([](double u) { return std::rint(u); }, a, may_jump);
    default:
      break;
  }
  if (kind == kOther) {
    may_jump = true;
    return kAll;
  }
  // Of one or more.
  Interval all = a;
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    const Interval b = part(i);
    if (isNone(b)) return isExtreme ? kAll : kNone;
    const bool partly = all.partly || b.partly;
    switch (kind) {
      case kAdd:
      case kSum:
      case kAverage:
        all = wider(all.low + b.low, all.high + b.high, partly, areWhole(all, b));
        break;
      case kSubtract:
        all = wider(all.low - b.high, all.high - b.low, partly, areWhole(all, b));
        break;
      case kMultiply:
        all = product(all, b);
        break;
      case kDivide:
        all = quotient(all, b);
        break;
      case kPower:
        all = powerOf(all, b);
        break;
      case kMin:
        all = partly ? kAll : Interval{std::min(all.low, b.low), std::min(all.high, b.high), false};
        break;
      case kMax:
        all = partly ? kAll : Interval{std::max(all.low, b.low), std::max(all.high, b.high), false};
        break;
      case kAtan2:
        all = arcTangent2(all, b, may_jump);
        break;
      case kModulus: {
        const Interval ratio = quotient(all, b);
        const Interval turns = stepped([](double u) { return std::floor(u); }, ratio, may_jump);
        if (!isOne(turns)) {  // its sign is the divisor's
          const double most = absolute(b).high, slack = kUlps * (most + absolute(all).high);
          all = {(b.low >= 0 ? 0 : -most) - slack, (b.high <= 0 ? 0 : most) + slack, true};
          break;
        }
        const Interval whole = product(b, turns);
        all = wider(all.low - whole.high, all.high - whole.low, partly, areWhole(all, whole));
        break;
      }
      default:
        return kAll;
    }
  }
  if (kind == kAverage) {
    const auto n = static_cast<double>(node.parts.size());
    all = wider(all.low / n, all.high / n, all.partly);
  }
  return all;
}

}  // namespace simscope::formula
