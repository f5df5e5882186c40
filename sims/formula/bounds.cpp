#include "sims/formula/bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <utility>

#include "sims/formula/characters.h"
#include "sims/formula/spelling.h"

namespace simscope::formula {
namespace {

constexpr int kMostNested = 2100, kMostOpen = 500;  // nested nodes; parentheses and signs
constexpr double kUlps = 1e-15;                     // of a result: more than functions and sums are off by

enum NodeKind {
  kConstant,
  kVariable,
  kNegative,
  kNot,
  kOr,
  kAnd,
  kLess,
  kAtMost,
  kMore,
  kAtLeast,
  kEqual,
  kUnequal,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kChoice,
  kSine,
  kCosine,
  kTangent,
  kAbs,
  kSqrt,
  kCosh,
  kAsin,
  kAcos,
  kAcosh,
  kAtanh,
  kLog,
  kLog2,
  kLog10,
  kExp,
  kAtan,
  kSinh,
  kTanh,
  kAsinh,
  kErf,  // these rise everywhere
  kSign,
  kHeaviside,
  kFloor,
  kCeil,
  kRound,
  kRint,
  kModulus,
  kAtan2,
  kMin,
  kMax,
  kSum,
  kAverage,
  kOther  // a function that is not known here
};
constexpr std::array<std::pair<std::string_view, NodeKind>, 33> kFunctions = {
    {{"sin", kSine},    {"cos", kCosine},
     {"tan", kTangent}, {"abs", kAbs},
     {"sqrt", kSqrt},   {"cosh", kCosh},
     {"asin", kAsin},   {"acos", kAcos},
     {"acosh", kAcosh}, {"atanh", kAtanh},
     {"log", kLog},     {"ln", kLog},
     {"log2", kLog2},   {"log10", kLog10},
     {"exp", kExp},     {"atan", kAtan},
     {"sinh", kSinh},   {"tanh", kTanh},
     {"asinh", kAsinh}, {"erf", kErf},
     {"sign", kSign},   {"heaviside", kHeaviside},
     {"floor", kFloor}, {"ceil", kCeil},
     {"round", kRound}, {"rint", kRint},
     {"mod", kModulus}, {"atan2", kAtan2},
     {"pow", kPower},   {"min", kMin},
     {"max", kMax},     {"sum", kSum},
     {"avg", kAverage}}};
// As muParser binds them.
struct Binary {
  std::string_view sign;
  NodeKind kind;
  int binds;
};
constexpr std::array<Binary, 13> kOperators = {{{"||", kOr, 1},
                                                {"&&", kAnd, 2},
                                                {"<=", kAtMost, 4},
                                                {">=", kAtLeast, 4},
                                                {"==", kEqual, 4},
                                                {"!=", kUnequal, 4},
                                                {"<", kLess, 4},
                                                {">", kMore, 4},
                                                {"+", kAdd, 5},
                                                {"-", kSubtract, 5},
                                                {"*", kMultiply, 6},
                                                {"/", kDivide, 6},
                                                {"^", kPower, 7}}};
constexpr int kSignBinds = 6;

bool isStep(NodeKind kind) {
  return kind == kNot || (kind >= kOr && kind <= kUnequal) || kind == kChoice || (kind >= kSign && kind <= kAtan2) ||
         kind == kOther;
}

constexpr Interval kNone{INFINITY, -INFINITY, true};
constexpr Interval kAll{-INFINITY, INFINITY, true};

bool isNone(const Interval& a) {
  return a.low > a.high;
}
bool isOne(const Interval& a) {
  return a.low == a.high;
}
bool isWhole(double a) {
  return std::fabs(a) < 0x1p52 && a == std::nearbyint(a);
}

Interval wider(double low, double high, bool partly, bool exact = false) {
  if (std::isnan(low)) low = -INFINITY, partly = true;
  if (std::isnan(high)) high = INFINITY, partly = true;
  if (exact && isWhole(low) && isWhole(high)) return {low, high, partly};
  const auto slack = [](double a) { return std::isinf(a) ? 0 : kUlps * std::fabs(a) + 1e-300; };
  return {low - slack(low), high + slack(high), partly};
}
Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.partly || b.partly};
}
// Of whole numbers, sums and products are exact.
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
// atan2(y, x) is cut along the negative x axis.
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

enum class Truth { No, Yes, Open };
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

// What is compared with NaN does not hold, but for !=.
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

template <class F>
Interval stepped(const F& f, const Interval& a, bool& may_jump) {
  const double low = f(a.low), high = f(a.high);
  if (low != high) may_jump = true;
  if (std::isnan(low) || std::isnan(high)) return kAll;
  return {low, high, a.partly};
}

double signOf(double a) {
  return a > 0 ? 1 : a < 0 ? -1 : 0;
}
double heavisideOf(double a) {
  return 0.5 + 0.5 * signOf(a);
}

}  // namespace

// Reads what muParser has found to be sound.
class BoundsReader {
 public:
  BoundsReader(Bounds& bounds, std::string_view text, const std::vector<std::string>& names)
      : bounds_(bounds), text_(text), names_(names) {}

  bool read() {
    const auto root = choice();
    blanks();
    if (!root || at_ != text_.size()) return false;
    bounds_.root_ = *root;
    return true;
  }

 private:
  using Found = std::optional<std::size_t>;

  std::string_view rest() const { return text_.substr(at_); }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool takes(std::string_view sign) {
    blanks();
    if (!rest().starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  Found node(NodeKind kind, std::vector<std::size_t> parts) {
    int depth = 1;
    for (const std::size_t part : parts) depth = std::max(depth, 1 + bounds_.nodes_[part].depth);
    if (depth > kMostNested) return std::nullopt;
    bounds_.steps_ = bounds_.steps_ || isStep(kind);
    bounds_.nodes_.push_back({.kind = kind, .parts = std::move(parts), .depth = depth});
    return bounds_.nodes_.size() - 1;
  }
  Found constant(double value) {
    bounds_.nodes_.push_back({.kind = kConstant, .value = {value, value, false}});
    return bounds_.nodes_.size() - 1;
  }

  Found choice() {
    if (++open_ > kMostOpen) return std::nullopt;
    Found condition = binary(1);
    if (condition && takes("?")) {
      const Found yes = choice();
      if (!yes || !takes(":")) return std::nullopt;
      const Found no = choice();
      if (!no) return std::nullopt;
      condition = node(kChoice, {*condition, *yes, *no});
    }
    --open_;
    return condition;
  }

  const Binary* operatorHere() {
    blanks();
    const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                    [&](const Binary& each) { return rest().starts_with(each.sign); });
    return found == kOperators.end() ? nullptr : &*found;
  }

  Found binary(int least) {
    Found left = operand();
    for (const Binary* found = operatorHere(); left && found && found->binds >= least; found = operatorHere()) {
      at_ += found->sign.size();
      // Powers bind from the right.
      const Found right = binary(found->kind == kPower ? found->binds : found->binds + 1);
      if (!right) return std::nullopt;
      left = node(found->kind, {*left, *right});
    }
    return left;
  }

  Found operand() {
    if (++open_ > kMostOpen) return std::nullopt;
    const Found found = operandHere();
    --open_;
    return found;
  }
  Found operandHere() {
    blanks();
    if (at_ == text_.size()) return std::nullopt;
    const char c = text_[at_];
    if (c == '-' || c == '+' || c == '!') {
      ++at_;
      const Found of = binary(kSignBinds + 1);
      if (!of || c == '+') return of;
      return node(c == '-' ? kNegative : kNot, {*of});
    }
    if (c == '(') {
      ++at_;
      const Found inner = choice();
      return inner && takes(")") ? inner : std::nullopt;
    }
    if (isDigit(c) || c == '.') return number();
    if (!isLetter(c)) return std::nullopt;
    std::size_t end = at_;
    while (end < text_.size() && (isLetter(text_[end]) || isDigit(text_[end]))) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    return named(word);
  }

  Found number() {
    const std::string_view digits = rest();
    std::size_t length = 0;  // of what can be a number; strtod would take 0x1 as well
    while (length < digits.size() && (isDigit(digits[length]) || digits[length] == '.')) ++length;
    if (length < digits.size() && (digits[length] == 'e' || digits[length] == 'E')) {
      std::size_t more = length + 1;
      if (more < digits.size() && (digits[more] == '+' || digits[more] == '-')) ++more;
      if (more < digits.size() && isDigit(digits[more])) {
        while (more < digits.size() && isDigit(digits[more])) ++more;
        length = more;
      }
    }
    at_ += length;
    return constant(std::strtod(std::string(digits.substr(0, length)).c_str(), nullptr));
  }

  Found named(std::string_view word) {
    const auto variable = std::find(names_.begin(), names_.end(), word);
    if (variable != names_.end()) {
      bounds_.nodes_.push_back({.kind = kVariable, .variable = static_cast<std::size_t>(variable - names_.begin())});
      return bounds_.nodes_.size() - 1;
    }
    if (word == "pi" || word == "_pi") return constant(std::numbers::pi);
    if (word == "e" || word == "_e") return constant(std::numbers::e);
    if (word == "hbar" || word == "m") return constant(1);
    const auto function =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const auto& each) { return each.first == word; });
    if (!takes("(")) return std::nullopt;
    std::vector<std::size_t> arguments;
    do {
      const Found argument = choice();
      if (!argument) return std::nullopt;
      arguments.push_back(*argument);
    } while (takes(","));
    if (!takes(")")) return std::nullopt;
    if (function == kFunctions.end()) return node(kOther, std::move(arguments));
    const std::size_t wanted =
        function->second == kModulus || function->second == kAtan2 || function->second == kPower ? 2 : 1;
    if (function->second < kMin && arguments.size() != wanted) return std::nullopt;
    return node(function->second, std::move(arguments));
  }

  Bounds& bounds_;
  std::string_view text_;
  const std::vector<std::string>& names_;
  std::size_t at_ = 0;
  int open_ = 0;
};

Bounds::Bounds(const std::string& text, const std::vector<std::string>& names) {
  const std::string plain = spelled(text).text;
  if (!BoundsReader(*this, plain, names).read()) steps_ = false;
}

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
