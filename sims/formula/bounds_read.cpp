#include <array>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <utility>

#include "sims/formula/bounds.h"
#include "sims/formula/bounds_nodes.h"
#include "sims/formula/characters.h"
#include "sims/formula/spelling.h"

namespace simscope::formula {
namespace {

constexpr int kMostNested = 2100, kMostOpen = 500;  // nested nodes; parentheses and signs

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

}  // namespace simscope::formula
