#include "sims/schrodinger2d/formula.h"
#include "sims/foreign/words.h"

#include <fmt/format.h>
#include <muParser.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace simscope::schrodinger2d {
namespace {

constexpr std::size_t kLongest = 4096;  // characters
constexpr std::size_t kShown = 200;     // of them, in a message

// 1 for the first character; bytes that continue one of UTF-8 do not count.
std::size_t columnOf(std::string_view text, std::size_t byte) {
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return 1 + static_cast<std::size_t>(
                 std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), starts));
}

[[noreturn]] void refuse(const std::string& formula, int byte, const std::string& what) {
  const std::size_t at = byte < 0 ? formula.size() : std::min(static_cast<std::size_t>(byte), formula.size());
  throw UsageError(
      fmt::format("formula = {}: column {}: {}", foreign::shown(formula, kShown), columnOf(formula, at), what));
}

std::string namesOf(const mu::Parser& parser) {
  std::string names = "x, y, pi, hbar, m";
  for (const auto& [name, function] : parser.GetFunDef()) names += ", " + name;
  return names;
}

std::string unknownName(const mu::Parser& parser, std::string name) {
  name.erase(name.find_last_not_of(' ') + 1);
  std::vector<std::string> known = {"x", "y", "pi", "hbar", "m"};
  for (const auto& [function, callback] : parser.GetFunDef()) {
    if (function == name) return fmt::format("the function {0} needs its argument in parentheses: {0}(x)", name);
    known.push_back(function);
  }
  const std::string close = closestName(name, known);
  return fmt::format("'{}' is not known{}; expected a number, an operator, or one of {}", name,
                     close.empty() ? "" : fmt::format("; did you mean '{}'?", close), namesOf(parser));
}

// What muParser's error means, in terms of what should have stood there.
std::string explain(const mu::Parser& parser, const mu::ParserError& error) {
  const std::string token = foreign::shown(error.GetToken());
  switch (error.GetCode()) {
    case mu::ecUNEXPECTED_OPERATOR:
      return fmt::format("unexpected '{}'; expected a number, x, y, a function, or '('", token);
    case mu::ecUNASSIGNABLE_TOKEN:
      return unknownName(parser, token);
    case mu::ecUNEXPECTED_EOF:
      return "the formula ends too early; expected a number, x, y, a function, or '('";
    case mu::ecEMPTY_EXPRESSION:
      return "the formula is empty; expected V(x, y), for example x^2 + y^2";
    case mu::ecMISSING_PARENS:
      return "expected ')'";
    case mu::ecUNEXPECTED_PARENS:
      return fmt::format("unexpected '{}'; expected {}", token,
                         token == "(" ? "an operator before it" : "a value before it, and a '(' to close");
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN:
      return fmt::format("unexpected '{}'; expected an operator (+ - * / ^) before it", token);
    case mu::ecTOO_MANY_PARAMS:
      return fmt::format("too many arguments for {}; expected fewer", token);
    case mu::ecTOO_FEW_PARAMS:
      return fmt::format("too few arguments for {}; expected more", token);
    case mu::ecMISSING_ELSE_CLAUSE:
      return "expected ':' and what holds otherwise, as in x > 0 ? 1 : 0";
    case mu::ecMISPLACED_COLON:
    case mu::ecUNEXPECTED_CONDITIONAL:
      return "misplaced '?' or ':'; expected them as in x > 0 ? 1 : 0";
    case mu::ecUNEXPECTED_ARG_SEP:
      return "unexpected ','; expected one value, with commas between the arguments of a function only";
    case mu::ecSTR_RESULT:
    case mu::ecUNEXPECTED_STR:
    case mu::ecUNTERMINATED_STRING:
      return "unexpected text in quotes; expected a number";
    default:
      return error.GetMsg();
  }
}

// A reader of its own for each thread: it holds the place that it is evaluated at.
class Formula {
 public:
  explicit Formula(const std::string& text) : text_(text) {
    parser_.DefineVar("x", &x_);
    parser_.DefineVar("y", &y_);
    parser_.DefineConst("pi", kPi);
    parser_.DefineConst("hbar", 1.0);
    parser_.DefineConst("m", 1.0);
    parser_.SetExpr(text);
  }
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;

  // Throws UsageError where the text is no formula.
  void requireSound() {
    requireNoAssignment();
    try {
      int values = 0;
      parser_.Eval(values);
      if (values != 1) {
        refuse(text_, topLevelComma(), "unexpected ','; expected one value");
      }
    } catch (const mu::ParserError& error) {
      refuse(text_, error.GetPos(), explain(parser_, error));
    }
  }

  double at(double x, double y) {
    x_ = x;
    y_ = y;
    return parser_.Eval();
  }

 private:
  // muParser would take x = 3 for an order to change x.
  void requireNoAssignment() const {
    const auto is = [this](std::size_t i, std::string_view any) {
      return i < text_.size() && any.find(text_[i]) != std::string_view::npos;
    };
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] != '=') continue;
      if (is(i + 1, "=")) {
        ++i;
      } else if (i == 0 || !is(i - 1, "<>!")) {
        refuse(text_, static_cast<int>(i), "unexpected '='; expected the value of V alone (to compare, write ==)");
      }
    }
  }
  int topLevelComma() const {
    int depth = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '(') ++depth;
      if (text_[i] == ')') --depth;
      if (text_[i] == ',' && depth == 0) return static_cast<int>(i);
    }
    return -1;
  }

  const std::string& text_;
  double x_ = 0, y_ = 0;
  mu::Parser parser_;
};

}  // namespace

template <class T>
std::vector<T> formulaPotential(const std::string& formula, const Grid& grid) {
  if (formula.size() > kLongest) {
    throw UsageError(fmt::format("formula: {} characters; the longest is {}", formula.size(), kLongest));
  }
  Formula(formula).requireSound();

  const auto n = static_cast<std::size_t>(grid.points);
  std::vector<T> values(grid.size());
  // Of each row, the first point without a finite value, or n: which one is told does not depend on the threads.
  std::vector<std::size_t> faults(n, n);
  constexpr std::size_t kRows = 8;  // that are worth a reader
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, kRows), [&](const auto& rows) {
    Formula reader(formula);
    for (std::size_t j = rows.begin(); j < rows.end(); ++j) {
      const double y = grid.x(static_cast<int>(j));
      for (std::size_t i = 0; i < n; ++i) {
        const T value = static_cast<T>(reader.at(grid.x(static_cast<int>(i)), y));
        values[j * n + i] = value;
        if (!std::isfinite(value)) faults[j] = std::min(faults[j], i);
      }
    }
  });
  for (std::size_t j = 0; j < n; ++j) {
    if (faults[j] == n) continue;
    const double x = grid.x(static_cast<int>(faults[j])), y = grid.x(static_cast<int>(j));
    throw UsageError(
        fmt::format("formula = {}: no finite value at x = {:g}, y = {:g} but {}; expected a number at every "
                    "point of the domain (to soften a pole, write 1/sqrt(x^2 + y^2 + 0.01))",
                    foreign::shown(formula, kShown), x, y, static_cast<double>(values[j * n + faults[j]])));
  }
  return values;
}

template std::vector<float> formulaPotential<float>(const std::string&, const Grid&);
template std::vector<double> formulaPotential<double>(const std::string&, const Grid&);

}  // namespace simscope::schrodinger2d
