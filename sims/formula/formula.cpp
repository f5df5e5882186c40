#include "sims/formula/formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include "sims/compute/error.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"
#include "sims/formula/comparisons.h"
#include "sims/formula/spelling.h"

namespace simscope::formula {
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
  throw UsageError(fmt::format("formula = {}: column {}: {}", shown(formula), columnOf(formula, at), what));
}

// muParser would take x = 3 for an order to change x.
void requireNoAssignment(const std::string& text) {
  const auto is = [&](std::size_t i, std::string_view any) {
    return i < text.size() && any.find(text[i]) != std::string_view::npos;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (is(i + 1, "=")) {
      ++i;
    } else if (i == 0 || !is(i - 1, "<>!")) {
      refuse(text, static_cast<int>(i), "unexpected '='; expected the value of V alone (to compare, write ==)");
    }
  }
}

int topLevelComma(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == ',' && depth == 0) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

namespace {

double power(double base, double exponent) {
  return std::pow(base, exponent);
}
// The sign is the divisor's.
double modulus(double a, double b) {
  return a - b * std::floor(a / b);
}
double step(double a) {
  return a < 0 ? 0 : a > 0 ? 1 : a == 0 ? 0.5 : a;
}
double negation(double a) {
  return a == 0;
}
double rounded(double a) {
  return std::round(a);
}
double roundedToEven(double a) {
  return std::rint(a);
}
double floorOf(double a) {
  return std::floor(a);
}
double ceilOf(double a) {
  return std::ceil(a);
}
double errorFunction(double a) {
  return std::erf(a);
}

// muParser's own functions, and what people miss there. Its rint is the floor of a + 1/2.
void defineAll(mu::Parser& parser) {
  parser.DefineConst("pi", 3.14159265358979323846);
  parser.DefineConst("e", 2.71828182845904523536);
  parser.DefineConst("hbar", 1.0);
  parser.DefineConst("m", 1.0);
  parser.DefineFun("pow", power);
  parser.DefineFun("mod", modulus);
  parser.DefineFun("heaviside", step);
  parser.DefineFun("round", rounded);
  parser.DefineFun("rint", roundedToEven);
  parser.DefineFun("floor", floorOf);
  parser.DefineFun("ceil", ceilOf);
  parser.DefineFun("erf", errorFunction);
  parser.DefineInfixOprt("!", negation);
}

}  // namespace

struct Formula::Reader {
  std::string text;
  Spelled spelled;
  std::vector<std::string> names;
  std::vector<double> values;
  mu::Parser parser;

  std::vector<std::string> known() const {
    std::vector<std::string> all = names;
    all.insert(all.end(), {"pi", "e", "hbar", "m"});
    for (const auto& [name, function] : parser.GetFunDef()) all.push_back(name);
    return all;
  }
  // "a number, x, y, a function, or '('"
  std::string operand() const { return fmt::format("a number, {}, a function, or '('", fmt::join(names, ", ")); }

  std::string unknownName(std::string name) const {
    name.erase(name.find_last_not_of(' ') + 1);
    if (parser.GetFunDef().contains(name)) {
      return fmt::format("the function {0} needs its argument in parentheses: {0}(x)", name);
    }
    const std::vector<std::string> all = known();
    const std::string near = name.size() > 1 ? didYouMean(name, all) : "";
    return fmt::format("'{}' is not known{} a number, an operator, or one of {}", name,
                       near.empty() ? "; expected" : near + " Expected:", fmt::join(all, ", "));
  }

  // What muParser's error means, in terms of what should have stood there.
  std::string explain(const mu::ParserError& error) const {
    const std::string token = foreign::shown(error.GetToken());
    switch (error.GetCode()) {
      case mu::ecUNEXPECTED_OPERATOR:
        return fmt::format("unexpected '{}'; expected {}", token, operand());
      case mu::ecUNASSIGNABLE_TOKEN:
        return unknownName(token);
      case mu::ecUNEXPECTED_EOF:
        return "the formula ends too early; expected " + operand();
      case mu::ecEMPTY_EXPRESSION:
        return fmt::format("the formula is empty; expected V({}), for example {}^2", fmt::join(names, ", "),
                           fmt::join(names, "^2 + "));
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
        return "expected ':' and the other value, as in x > 0 ? 1 : 0";
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
};

Formula::Formula(const std::string& text, std::vector<std::string> names) : reader_(std::make_unique<Reader>()) {
  Reader& r = *reader_;
  r.text = text;
  r.spelled = spelled(text);
  r.names = std::move(names);
  r.values.resize(r.names.size());
  for (std::size_t i = 0; i < r.names.size(); ++i) r.parser.DefineVar(r.names[i], &r.values[i]);
  defineAll(r.parser);
  r.parser.SetExpr(r.spelled.text);
}
Formula::~Formula() = default;

void Formula::requireSound() {
  Reader& r = *reader_;
  if (!r.spelled.fault.empty()) refuse(r.text, static_cast<int>(r.spelled.fault_at), r.spelled.fault);
  requireNoAssignment(r.text);
  const auto typed = [&r](std::size_t byte) {  // where this place of the translated text was typed
    return static_cast<int>(r.spelled.from[std::min(byte, r.spelled.text.size())]);
  };
  try {
    int values = 0;
    r.parser.Eval(values);
    if (values != 1) refuse(r.text, topLevelComma(r.text), "unexpected ','; expected one value");
    if (const auto chain = findComparisonChain(r.spelled.text)) refuse(r.text, typed(chain->byte), chain->what);
  } catch (const mu::ParserError& error) {
    refuse(r.text, error.GetPos() < 0 ? -1 : typed(static_cast<std::size_t>(error.GetPos())), r.explain(error));
  }
}

double Formula::at(std::initializer_list<double> place) {
  std::copy(place.begin(), place.end(), reader_->values.begin());
  return reader_->parser.Eval();
}

void requireSound(const std::string& text, const std::vector<std::string>& names) {
  if (text.size() > kLongest) {
    throw UsageError(fmt::format("formula: {} characters; at most {} are allowed", text.size(), kLongest));
  }
  Formula(text, names).requireSound();
}

const std::vector<std::string>& functionNames() {
  static const std::vector<std::string> names = [] {
    mu::Parser parser;
    defineAll(parser);
    std::vector<std::string> all;
    for (const auto& [name, function] : parser.GetFunDef()) all.push_back(name);
    return all;
  }();
  return names;
}

std::string grammar() {
  return fmt::format(
      "Known are pi, e, + - * / ^, comparisons, &&, ||, c ? a : b, and {}. -x^2 is -(x^2), 2^3^2 is 2^(3^2), log is "
      "the "
      "natural logarithm, round takes halves away from 0, rint to the even number",
      fmt::join(functionNames(), ", "));
}

std::string shown(const std::string& text) {
  return foreign::shown(text, kShown);
}

}  // namespace simscope::formula
