#include "sims/descent/formula.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sims/compute/error.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"
#include "sims/formula/comparisons.h"
#include "sims/formula/spelling.h"

namespace simscope::descent {
namespace {

constexpr std::size_t kLongestFormula = 1024;  // characters
constexpr std::size_t kShownOfFormula = 200;   // of them, in a message
constexpr int kMostNested = 64;                // so that no text can exhaust the stack of the reader

struct NamedFunction {
  std::string_view name;
  Op op;
  int least, most;  // arguments
};
constexpr NamedFunction kFunctions[] = {
    {"abs", Op::Abs, 1, 1},     {"acos", Op::Acos, 1, 1},
    {"acosh", Op::Acosh, 1, 1}, {"asin", Op::Asin, 1, 1},
    {"asinh", Op::Asinh, 1, 1}, {"atan", Op::Atan, 1, 1},
    {"atan2", Op::Atan2, 2, 2}, {"atanh", Op::Atanh, 1, 1},
    {"avg", Op::Add, 1, 16},    {"ceil", Op::Ceil, 1, 1},
    {"cos", Op::Cos, 1, 1},     {"cosh", Op::Cosh, 1, 1},
    {"erf", Op::Erf, 1, 1},     {"exp", Op::Exp, 1, 1},
    {"floor", Op::Floor, 1, 1}, {"heaviside", Op::Heaviside, 1, 1},
    {"ln", Op::Log, 1, 1},      {"log", Op::Log, 1, 1},
    {"log10", Op::Log10, 1, 1}, {"log2", Op::Log2, 1, 1},
    {"max", Op::Max, 1, 16},    {"min", Op::Min, 1, 16},
    {"mod", Op::Mod, 2, 2},     {"pow", Op::Power, 2, 2},
    {"rint", Op::Rint, 1, 1},   {"round", Op::Round, 1, 1},
    {"sign", Op::Sign, 1, 1},   {"sin", Op::Sin, 1, 1},
    {"sinh", Op::Sinh, 1, 1},   {"sqrt", Op::Sqrt, 1, 1},
    {"sum", Op::Add, 1, 16},    {"tan", Op::Tan, 1, 1},
    {"tanh", Op::Tanh, 1, 1},
};

struct Operator {
  std::string_view text;
  int level;  // what binds first has the highest
  Op op;
};
// Longer ones first: <= before <.
constexpr Operator kOperators[] = {
    {"||", 1, Op::Or},    {"&&", 2, Op::And},     {"<=", 3, Op::LessEqual}, {">=", 3, Op::GreaterEqual},
    {"==", 3, Op::Equal}, {"!=", 3, Op::Unequal}, {"<", 3, Op::Less},       {">", 3, Op::Greater},
    {"+", 4, Op::Add},    {"-", 4, Op::Subtract}, {"*", 5, Op::Multiply},   {"/", 5, Op::Divide},
};
constexpr int kSignLevel = 6;  // a sign binds what follows up to here: -a*b is (-a)*b, -a^b is -(a^b)

class FormulaReader {
 public:
  explicit FormulaReader(const std::string& typed) : typed_(typed), spelled_(formula::spelled(typed)) {}

  Program read() {
    if (!spelled_.fault.empty()) refuseTyped(spelled_.fault_at, spelled_.fault);
    skip();
    if (at_ == text_.size()) refuse(at_, "the formula is empty; expected f(x, y), for example x^2 + y^2");
    choice();
    if (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ')') refuse(at_, "unexpected ')'; expected a '(' before it");
      if (c == ',') refuse(at_, "unexpected ','; expected one value, with commas between arguments only");
      if (c == '=') refuse(at_, "unexpected '='; expected the value of f alone (to compare, write ==)");
      refuse(at_, fmt::format("unexpected '{}'; expected an operator (+ - * / ^) before it", next()));
    }
    if (const auto chain = formula::findComparisonChain(text_)) refuse(chain->byte, chain->what);
    return program_;
  }

 private:
  struct Nested {
    FormulaReader& reader;
    explicit Nested(FormulaReader& r) : reader(r) {
      if (++reader.nested_ > kMostNested) {
        reader.refuse(reader.at_, fmt::format("nested more than {} deep; expected fewer parentheses", kMostNested));
      }
    }
    ~Nested() { --reader.nested_; }
  };

  [[noreturn]] void refuse(std::size_t byte, const std::string& what) const {
    refuseTyped(spelled_.from[std::min(byte, text_.size())], what);
  }
  [[noreturn]] void refuseTyped(std::size_t byte, const std::string& what) const {
    const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    const auto end = typed_.begin() + static_cast<std::ptrdiff_t>(std::min(byte, typed_.size()));
    throw UsageError(fmt::format("formula = {}: column {}: {}", foreign::shown(typed_, kShownOfFormula),
                                 1 + std::count_if(typed_.begin(), end, starts), what));
  }
  std::string next() const { return foreign::shown(text_.substr(at_, 1)); }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (std::string_view(text_).substr(at_).substr(0, token.size()) != token) return false;
    at_ += token.size();
    skip();
    return true;
  }

  void emit(Op op, int pops, double value = 0) {
    if (program_.size == Program::kMostInstructions) {
      refuse(at_, fmt::format("the formula is too long; expected at most {} numbers, names, and operators",
                              Program::kMostInstructions));
    }
    depth_ += 1 - pops;
    if (depth_ > Program::kMostDepth) {
      refuse(at_, fmt::format("the formula needs more than {} intermediate values; expected a simpler formula",
                              Program::kMostDepth));
    }
    program_.code[program_.size++] = {value, op};
  }

  // condition ? then : else, to the right
  void choice() {
    const Nested nested(*this);
    binary(1);
    if (!take("?")) return;
    choice();
    if (!take(":")) refuse(at_, "expected ':' and the other value, as in x > 0 ? 1 : 0");
    choice();
    emit(Op::Select, 3);
  }

  void binary(int level) {
    if (level == kSignLevel) return sign();
    binary(level + 1);
    for (;;) {
      skip();
      const std::string_view rest = std::string_view(text_).substr(at_);
      const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators), [&](const Operator& each) {
        return rest.substr(0, each.text.size()) == each.text;
      });
      if (found == std::end(kOperators) || found->level != level) return;
      take(found->text);
      binary(level + 1);
      emit(found->op, 2);
    }
  }

  void sign() {
    const Nested nested(*this);
    if (take("-")) {
      sign();
      emit(Op::Negate, 1);
    } else if (take("+")) {
      sign();
    } else if (text_.compare(at_, 2, "!=") != 0 && take("!")) {
      sign();
      emit(Op::Not, 1);
    } else {
      power();
    }
  }

  void power() {
    primary();
    if (!take("^")) return;
    const int before = program_.size, depth = depth_;
    sign();
    // A constant whole power needs no logarithm, and has the same bits on either backend.
    const Instruction last = program_.code[program_.size - 1];
    constexpr double kMostWhole = 64;
    if (program_.size == before + 1 && last.op == Op::Constant && last.value == std::floor(last.value) &&
        last.value >= 0 && last.value <= kMostWhole) {
      program_.size = before;
      depth_ = depth;
      emit(last.value == 2 ? Op::Square : Op::WholePower, 1, last.value);
    } else {
      emit(Op::Power, 2);
    }
  }

  void primary() {
    skip();
    if (at_ == text_.size()) refuse(at_, "the formula ends too early; expected a number, x, y, a function, or '('");
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (std::isdigit(c) || c == '.') return number();
    if (std::isalpha(c) || c == '_') return name();
    if (take("(")) {
      choice();
      if (!take(")")) refuse(at_, "expected ')'");
      return;
    }
    refuse(at_, fmt::format("unexpected '{}'; expected a number, x, y, a function, or '('", next()));
  }

  void number() {
    double value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) refuse(at_, "expected a number, such as 1.5 or 2e-3");
    at_ += static_cast<std::size_t>(end - begin);
    emit(Op::Constant, 0, value);
  }

  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    const std::string word = text_.substr(begin, at_ - begin);
    if (word == "x") return emit(Op::X, 0);
    if (word == "y") return emit(Op::Y, 0);
    if (word == "pi") return emit(Op::Constant, 0, std::numbers::pi);
    if (word == "e") return emit(Op::Constant, 0, std::numbers::e);
    const auto* function = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                        [&](const NamedFunction& each) { return each.name == word; });
    if (function == std::end(kFunctions)) {
      std::vector<std::string> known = {"x", "y", "pi", "e"};
      for (const NamedFunction& each : kFunctions) known.emplace_back(each.name);
      refuse(begin, fmt::format("'{}' is not known{}; expected a number, an operator, or one of x, y, pi, e, {}",
                                foreign::shown(word), word.size() > 1 ? didYouMean(word, known) : "", functionNames()));
    }
    if (!take("(")) {
      refuse(begin, fmt::format("the function {0} needs its argument in parentheses: {0}(x)", word));
    }
    const bool folds = function->most > 2;
    int count = 0;
    do {
      if (count == function->most) refuse(at_, fmt::format("too many arguments for {}; expected fewer", word));
      choice();
      if (++count > 1 && folds) emit(function->op, 2);
    } while (take(","));
    const bool ends = at_ < text_.size() && text_[at_] == ')';
    if (ends && count < function->least) refuse(at_, fmt::format("too few arguments for {}; expected more", word));
    if (!take(")")) refuse(at_, "expected ')'");
    if (!folds) emit(function->op, function->most);
    if (word == "avg") emit(Op::Constant, 0, count), emit(Op::Divide, 2);
  }

  const std::string& typed_;
  formula::Spelled spelled_;
  const std::string& text_ = spelled_.text;
  std::size_t at_ = 0;
  int depth_ = 0, nested_ = 0;
  Program program_;
};

}  // namespace

std::string functionNames() {
  std::string names;
  for (const NamedFunction& each : kFunctions) {
    if (!names.empty()) names += ", ";
    names += each.name;
  }
  return names;
}

Program compile(const std::string& formula) {
  if (formula.size() > kLongestFormula) {
    throw UsageError(fmt::format("formula: {} characters; at most {} are allowed", formula.size(), kLongestFormula));
  }
  return FormulaReader(formula).read();
}

}  // namespace simscope::descent
