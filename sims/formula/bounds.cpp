#include "sims/formula/bounds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/formula/functions.h"

namespace simscope::formula {
Bounds::Bounds(const std::string& text, const std::vector<std::string>& names) {
  constexpr int kMostNested = 250;
  tree_ = read(text, {.names = names, .nested = kMostNested}).tree;
  steps_ = std::any_of(tree_.begin(), tree_.end(), [](const Node& node) { return isStep(node.op); });
}

Interval Bounds::over(std::span<const Interval> box, bool& may_jump) const {
  return tree_.empty() ? kAll : of(tree_.size() - 1, box, may_jump);
}

Interval Bounds::of(std::size_t index, std::span<const Interval> box, bool& may_jump) const {
  const Node& node = tree_[index];
  const auto part = [&](std::size_t i) { return of(node.parts[i], box, may_jump); };
  // Of what decides: where it has one outcome, its own jumps are none of f's.
  const auto deciding = [&](std::size_t i) {
    bool ignored = false;
    return of(node.parts[i], box, ignored);
  };
  switch (node.op) {
    case Op::Constant:
      return {node.value, node.value, false};
    case Op::Variable:
      return box[node.variable];
    case Op::Select: {
      const Truth holds = truthOf(deciding(0));
      if (holds != Truth::Open) return part(holds == Truth::Yes ? 1 : 2);
      may_jump = true;
      return hull(part(1), part(2));
    }
    case Op::And:
    case Op::Or: {
      const Truth decides = node.op == Op::And ? Truth::No : Truth::Yes;
      const Truth left = truthOf(deciding(0));
      if (left == decides) return outcome(decides, may_jump);
      const Truth right = truthOf(deciding(1));
      if (right == decides) return outcome(decides, may_jump);
      return outcome(left == Truth::Open ? left : right, may_jump);
    }
    default:
      break;
  }
  const bool compares = node.op >= Op::Less && node.op <= Op::Unequal;
  const Interval a = compares || (node.op >= Op::Not && node.op <= Op::Rint) ? deciding(0) : part(0);
  if (compares) {
    const Interval b = deciding(1);
    switch (node.op) {
      case Op::Less:
        return outcome(isLess(a, b, false), may_jump);
      case Op::LessEqual:
        return outcome(isLess(a, b, true), may_jump);
      case Op::Greater:
        return outcome(isLess(b, a, false), may_jump);
      case Op::GreaterEqual:
        return outcome(isLess(b, a, true), may_jump);
      case Op::Equal:
        return outcome(isEqual(a, b), may_jump);
      default:
        return outcome(negated(isEqual(a, b)), may_jump);
    }
  }
  if (node.op == Op::Not) return outcome(isNone(a) ? Truth::No : negated(truthOf(a)), may_jump);
  const bool isExtreme = node.op == Op::Min || node.op == Op::Max;  // of NaN and a number it may be either
  if (isNone(a)) return isExtreme ? kAll : kNone;
  switch (node.op) {
    case Op::Sign:
    case Op::Heaviside:
    case Op::Floor:
    case Op::Ceil:
    case Op::Round:
    case Op::Rint:
      return stepped(functionOf(node.op)->one, a, may_jump);
    case Op::Exp:
    case Op::Atan:
    case Op::Sinh:
    case Op::Tanh:
    case Op::Erf:
      return rising(functionOf(node.op)->one, a);
    case Op::Sqrt:
    case Op::Log:
    case Op::Log10:
      return risingWithin(functionOf(node.op)->one, a, 0, INFINITY);
    case Op::Negate:
      return {-a.high, -a.low, a.partly};
    case Op::Sin:
      return cosine(a, std::numbers::pi / 2);
    case Op::Cos:
      return cosine(a, 0);
    case Op::Tan:
      return tangent(a);
    case Op::Abs:
      return absolute(a);
    case Op::Cosh:
      return rising([](double u) { return std::cosh(u); }, absolute(a));
    case Op::Asin:
      return risingWithin([](double u) { return std::asin(u); }, a, -1, 1);
    case Op::Acos: {
      const Interval falling = risingWithin([](double u) { return -std::acos(u); }, a, -1, 1);
      return isNone(falling) ? kNone : Interval{-falling.high, -falling.low, falling.partly};
    }
    case Op::Acosh:
      return risingWithin([](double u) { return std::acosh(u); }, a, 1, INFINITY);
    case Op::Atanh:
      return risingWithin([](double u) { return std::atanh(u); }, a, -1, 1);
    case Op::Log2:
      return risingWithin([](double u) { return std::log2(u); }, a, 0, INFINITY);
    case Op::Asinh:
      return rising([](double u) { return std::asinh(u); }, a);
    default:
      break;
  }
  // Of one or more.
  Interval all = a;
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    const Interval b = part(i);
    if (isNone(b)) return isExtreme ? kAll : kNone;
    const bool partly = all.partly || b.partly;
    switch (node.op) {
      case Op::Add:
      case Op::Sum:
      case Op::Average:
        all = wider(all.low + b.low, all.high + b.high, partly, areWhole(all, b));
        break;
      case Op::Subtract:
        all = wider(all.low - b.high, all.high - b.low, partly, areWhole(all, b));
        break;
      case Op::Multiply:
        all = product(all, b);
        break;
      case Op::Divide:
        all = quotient(all, b);
        break;
      case Op::Power:
      case Op::Pow:
        all = powerOf(all, b);
        break;
      case Op::Min:
        all = partly ? kAll : Interval{std::min(all.low, b.low), std::min(all.high, b.high), false};
        break;
      case Op::Max:
        all = partly ? kAll : Interval{std::max(all.low, b.low), std::max(all.high, b.high), false};
        break;
      case Op::Atan2:
        all = arcTangent2(all, b, may_jump);
        break;
      case Op::Mod: {
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
  if (node.op == Op::Average) {
    const auto n = static_cast<double>(node.parts.size());
    all = wider(all.low / n, all.high / n, all.partly);
  }
  return all;
}

}  // namespace simscope::formula
