#include "sims/formula/functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simscope::formula {
namespace {

constexpr int kAny = std::numeric_limits<int>::max();

double signum(double a) {
  return a < 0 ? -1 : a > 0 ? 1 : 0;
}
double heaviside(double a) {
  return a < 0 ? 0 : a > 0 ? 1 : a == 0 ? 0.5 : a;
}
// The sign is the divisor's.
double modulus(double a, double b) {
  return a - b * std::floor(a / b);
}

constexpr Function kFunctions[] = {
    {"abs", Op::Abs, 1, 1, std::fabs},
    {"acos", Op::Acos, 1, 1, std::acos},
    {"acosh", Op::Acosh, 1, 1, std::acosh},
    {"asin", Op::Asin, 1, 1, std::asin},
    {"asinh", Op::Asinh, 1, 1, std::asinh},
    {"atan", Op::Atan, 1, 1, std::atan},
    {"atan2", Op::Atan2, 2, 2, nullptr, std::atan2},
    {"atanh", Op::Atanh, 1, 1, std::atanh},
    {"avg", Op::Average, 1, kAny},
    {"ceil", Op::Ceil, 1, 1, std::ceil},
    {"cos", Op::Cos, 1, 1, std::cos},
    {"cosh", Op::Cosh, 1, 1, std::cosh},
    {"erf", Op::Erf, 1, 1, std::erf},
    {"exp", Op::Exp, 1, 1, std::exp},
    {"floor", Op::Floor, 1, 1, std::floor},
    {"heaviside", Op::Heaviside, 1, 1, heaviside},
    {"ln", Op::Log, 1, 1, std::log},
    {"log", Op::Log, 1, 1, std::log},
    {"log10", Op::Log10, 1, 1, std::log10},
    {"log2", Op::Log2, 1, 1, std::log2},
    {"max", Op::Max, 1, kAny},
    {"min", Op::Min, 1, kAny},
    {"mod", Op::Mod, 2, 2, nullptr, modulus},
    {"pow", Op::Pow, 2, 2, nullptr, std::pow},
    {"rint", Op::Rint, 1, 1, std::rint},
    {"round", Op::Round, 1, 1, std::round},
    {"sign", Op::Sign, 1, 1, signum},
    {"sin", Op::Sin, 1, 1, std::sin},
    {"sinh", Op::Sinh, 1, 1, std::sinh},
    {"sqrt", Op::Sqrt, 1, 1, std::sqrt},
    {"sum", Op::Sum, 1, kAny},
    {"tan", Op::Tan, 1, 1, std::tan},
    {"tanh", Op::Tanh, 1, 1, std::tanh},
};

// The longer ones first.
constexpr Operator kOperators[] = {{"||", Op::Or, 1},           {"&&", Op::And, 2},     {"<=", Op::LessEqual, 4},
                                   {">=", Op::GreaterEqual, 4}, {"==", Op::Equal, 4},   {"!=", Op::Unequal, 4},
                                   {"<", Op::Less, 4},          {">", Op::Greater, 4},  {"+", Op::Add, 5},
                                   {"-", Op::Subtract, 5},      {"*", Op::Multiply, 6}, {"/", Op::Divide, 6},
                                   {"^", Op::Power, 7}};

// The last two, with these digits, are of older formulas; no message names them.
constexpr NamedConstant kConstants[] = {
    {"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}, {"hbar", 1}, {"m", 1},
    {"_pi", 3.141592653589},        {"_e", 2.718281828459045}};

template <class Each, class Is>
const Each* firstOf(std::span<const Each> all, const Is& is) {
  const auto found = std::find_if(all.begin(), all.end(), is);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Function> functions() {
  return kFunctions;
}
const Function* findFunction(std::string_view name) {
  return firstOf(functions(), [&](const Function& each) { return each.name == name; });
}
const Function* functionOf(Op op) {
  return firstOf(functions(), [&](const Function& each) { return each.op == op; });
}
const Operator* operatorAt(std::string_view text) {
  return firstOf(std::span<const Operator>(kOperators),
                 [&](const Operator& each) { return text.starts_with(each.sign); });
}
const Operator* operatorOf(Op op) {
  return firstOf(std::span<const Operator>(kOperators), [&](const Operator& each) { return each.op == op; });
}
const NamedConstant* findConstant(std::string_view name) {
  return firstOf(std::span<const NamedConstant>(kConstants),
                 [&](const NamedConstant& each) { return each.name == name; });
}

}  // namespace simscope::formula
