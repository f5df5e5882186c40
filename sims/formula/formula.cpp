#include "sims/formula/formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/words.h"
#include "sims/formula/functions.h"
#include "sims/formula/reader.h"

namespace simscope::formula {
namespace {

constexpr std::size_t kLongest = 4096;  // characters
constexpr std::size_t kShown = 200;     // of them, in a message
constexpr std::size_t kLanes = 64;      // places that are computed together

// One step of the evaluation, on a stack of rows. A constant, a variable, and what is linear in one variable are all
// factor·variable + offset.
struct Step {
  Op op = Op::Constant;
  double factor = 0, offset = 0;
  std::size_t index = 0;  // of the variable; how many operands; a Branch's Otherwise, an Otherwise's Select
  double (*one)(double) = nullptr;
  double (*two)(double, double) = nullptr;
};

// A side of a choice that no place of the row takes is not computed. `variables`: a row each. The result is the stack's
// first row.
template <std::size_t kRow>
void run(std::span<const Step> steps, const double* const* variables, double* stack) {
  double* next = stack;  // row
  const auto push = [&](const auto& value) {
    for (std::size_t l = 0; l < kRow; ++l) next[l] = value(l);
    next += kRow;
  };
  const auto one = [&](const auto& f) {
    double* const a = next - kRow;
    for (std::size_t l = 0; l < kRow; ++l) a[l] = f(a[l]);
  };
  const auto two = [&](const auto& f) {
    next -= kRow;
    double* const a = next - kRow;
    for (std::size_t l = 0; l < kRow; ++l) a[l] = f(a[l], a[kRow + l]);
  };
  const auto fold = [&](std::size_t count, double first, const auto& f) {
    next -= (count - 1) * kRow;
    double* const a = next - kRow;
    for (std::size_t l = 0; l < kRow; ++l) {
      double all = std::isnan(first) ? a[l] : first;
      for (std::size_t k = 0; k < count; ++k) all = f(all, a[k * kRow + l]);
      a[l] = all;
    }
  };
  [[maybe_unused]] const auto holds = [](double a) { return a != 0; };
  constexpr double kFirst = std::numeric_limits<double>::quiet_NaN();  // begins with the first operand
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const Step& step = steps[s];
    switch (step.op) {
      case Op::Constant:
        push([&](std::size_t) { return step.offset; });
        break;
      case Op::Variable:
        push([x = variables[step.index]](std::size_t l) { return x[l]; });
        break;
      case Op::Linear:
        push([&step, x = variables[step.index]](std::size_t l) { return x[l] * step.factor + step.offset; });
        break;
      case Op::WholePower:
        push([&step, x = variables[step.index]](std::size_t l) {
          double product = x[l] * x[l];
          if (step.factor > 2) product *= x[l];
          if (step.factor > 3) product *= x[l];
          return product;
        });
        break;
      case Op::Negate:
        one([](double a) { return -a; });
        break;
      case Op::Not:
        one([](double a) { return a == 0 ? 1.0 : 0.0; });
        break;
      case Op::Sqrt:
        one([](double a) { return std::sqrt(a); });
        break;
      case Op::Abs:
        one([](double a) { return a >= 0 ? a : -a; });
        break;
      case Op::Add:
        two([](double a, double b) { return a + b; });
        break;
      case Op::Subtract:
        two([](double a, double b) { return a - b; });
        break;
      case Op::Multiply:
        two([](double a, double b) { return a * b; });
        break;
      case Op::Divide:
        two([](double a, double b) { return a / b; });
        break;
      case Op::Power:
        two([](double a, double b) { return std::pow(a, b); });
        break;
      case Op::Less:
        two([](double a, double b) { return a < b ? 1.0 : 0.0; });
        break;
      case Op::LessEqual:
        two([](double a, double b) { return a <= b ? 1.0 : 0.0; });
        break;
      case Op::Greater:
        two([](double a, double b) { return a > b ? 1.0 : 0.0; });
        break;
      case Op::GreaterEqual:
        two([](double a, double b) { return a >= b ? 1.0 : 0.0; });
        break;
      case Op::Equal:
        two([](double a, double b) { return a == b ? 1.0 : 0.0; });
        break;
      case Op::Unequal:
        two([](double a, double b) { return a != b ? 1.0 : 0.0; });
        break;
      case Op::And:
        two([](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; });
        break;
      case Op::Or:
        two([](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; });
        break;
      case Op::Min:
        fold(step.index, kFirst, [](double a, double b) { return b < a ? b : a; });
        break;
      case Op::Max:
        fold(step.index, kFirst, [](double a, double b) { return a < b ? b : a; });
        break;
      case Op::Sum:
      case Op::Average:
        fold(step.index, 0, [](double a, double b) { return a + b; });
        if (step.op == Op::Average) one([n = static_cast<double>(step.index)](double a) { return a / n; });
        break;
      case Op::Branch:
        if constexpr (kRow == 1) {
          if (*--next == 0) s = step.index;
        } else if (std::none_of(next - kRow, next, holds)) {
          next += kRow;  // of no matter
          s = step.index;
        }
        break;
      case Op::Otherwise:
        if constexpr (kRow == 1) {
          s = step.index;
        } else if (std::all_of(next - 2 * kRow, next - kRow, holds)) {
          next += kRow;
          s = step.index - 1;
        }
        break;
      case Op::Select:
        if constexpr (kRow > 1) {
          next -= 2 * kRow;
          double* const a = next - kRow;
          for (std::size_t l = 0; l < kRow; ++l) a[l] = a[l] != 0 ? a[kRow + l] : a[2 * kRow + l];
        }
        break;
      default:
        if (step.one) {
          one(step.one);
        } else {
          two(step.two);
        }
        break;
    }
  }
}

// From a tree to steps. Constants are computed, and what is linear in one variable becomes one step.
class Compiler {
 public:
  explicit Compiler(const Tree& tree) : tree_(tree) {}

  std::vector<Step> steps() {
    emit(tree_.size() - 1);
    return std::move(steps_);
  }
  std::size_t depth() const { return deepest_; }

 private:
  void emit(std::size_t index) {
    const Node& node = tree_[index];
    if (node.op == Op::Select) return select(node);
    for (const std::size_t part : node.parts) emit(part);
    Step step{.op = node.op, .index = node.parts.size()};
    if (node.op == Op::Constant) step.offset = node.value;
    if (node.op == Op::Variable) step.factor = 1, step.index = node.variable;
    if (const Function* function = functionOf(node.op)) step.one = function->one, step.two = function->two;
    depth_ += 1;
    depth_ -= node.parts.size();
    deepest_ = std::max(deepest_, depth_);
    if (node.parts.empty() || !(node.parts.size() == 1 ? ofOne(step) : node.parts.size() == 2 && ofTwo(step))) {
      steps_.push_back(step);
    }
  }

  void select(const Node& node) {
    emit(node.parts[0]);
    const std::size_t branch = steps_.size();
    steps_.push_back({.op = Op::Branch});
    emit(node.parts[1]);
    const std::size_t otherwise = steps_.size();
    steps_.push_back({.op = Op::Otherwise});
    emit(node.parts[2]);
    steps_[branch].index = otherwise;
    steps_[otherwise].index = steps_.size();
    steps_.push_back({.op = Op::Select});
    depth_ -= 2;
  }

  static bool isLinear(const Step& step) {
    return step.op == Op::Constant || step.op == Op::Variable || step.op == Op::Linear;
  }
  // In place of the last `operands` steps.
  bool constant(Step step, std::size_t operands) {
    if (step.op >= Op::Min) return false;
    steps_.push_back(step);
    double values[2];
    run<1>(std::span(steps_).last(operands + 1), nullptr, values);
    steps_.resize(steps_.size() - operands);
    steps_.back() = {.offset = values[0]};
    return true;
  }
  bool ofOne(const Step& step) { return steps_.back().op == Op::Constant && constant(step, 1); }
  // False: the step is still to be done.
  bool ofTwo(const Step& step) {
    const Step right = steps_.back();
    Step& left = steps_[steps_.size() - 2];
    const bool left_constant = left.op == Op::Constant, right_constant = right.op == Op::Constant;
    if (left_constant && right_constant) return constant(step, 2);
    const bool of_one_variable =
        isLinear(left) && isLinear(right) && (left_constant || right_constant || left.index == right.index);
    Step linear{.op = Op::Linear, .index = left_constant ? right.index : left.index};
    if (step.op == Op::Power && left.op == Op::Variable && right_constant) return power(right.offset);
    if (!of_one_variable) return false;
    if (step.op == Op::Add) {
      linear.factor = left.factor + right.factor;
      linear.offset = left.offset + right.offset;
    } else if (step.op == Op::Subtract) {
      linear.factor = left.factor - right.factor;
      linear.offset = left.offset - right.offset;
    } else if (step.op == Op::Multiply && (left_constant || right_constant)) {
      const Step& scaled = left_constant ? right : left;
      const double by = left_constant ? left.offset : right.offset;
      linear.factor = scaled.factor * by;
      linear.offset = scaled.op == Op::Variable ? 0 : scaled.offset * by;
    } else if (step.op == Op::Divide && left.op == Op::Linear && right_constant && right.offset != 0) {
      linear.factor = left.factor / right.offset;
      linear.offset = left.offset / right.offset;
    } else {
      return false;
    }
    left = linear;
    steps_.pop_back();
    return true;
  }
  // Of a variable, whose power is the last step: small ones are products.
  bool power(double exponent) {
    if (exponent != 0 && exponent != 1 && exponent != 2 && exponent != 3 && exponent != 4) return false;
    steps_.pop_back();
    Step& variable = steps_.back();
    if (exponent == 0) variable = {.offset = 1};
    if (exponent > 1) variable.op = Op::WholePower, variable.factor = exponent;
    return true;
  }

  const Tree& tree_;
  std::vector<Step> steps_;
  std::size_t depth_ = 0, deepest_ = 1;  // rows of the stack
};

}  // namespace

struct Formula::Reader {
  std::string text;
  std::vector<double> values;           // of the variables
  std::vector<const double*> pointers;  // to them, or to their rows
  Reading reading;
  std::vector<Step> steps;
  std::vector<double> stack = std::vector<double>(1, std::numeric_limits<double>::quiet_NaN());
};

Formula::Formula(const std::string& text, std::vector<std::string> names) : reader_(std::make_unique<Reader>()) {
  Reader& r = *reader_;
  r.text = text;
  r.values.resize(names.size());
  r.pointers.resize(names.size());
  r.reading = read(text, {.names = std::move(names)});
  if (!r.reading.fault.empty()) return;
  Compiler compiler(r.reading.tree);
  r.steps = compiler.steps();
  r.stack.resize(compiler.depth() * kLanes);
}
Formula::~Formula() = default;

void Formula::requireSound() {
  const Reader& r = *reader_;
  if (!r.reading.fault.empty()) refuse(r.text, r.reading.fault_at, r.reading.fault);
}

double Formula::at(std::initializer_list<double> place) {
  Reader& r = *reader_;
  std::copy(place.begin(), place.end(), r.values.begin());
  for (std::size_t i = 0; i < r.values.size(); ++i) r.pointers[i] = &r.values[i];
  run<1>(r.steps, r.pointers.data(), r.stack.data());
  return r.stack.front();
}

void Formula::over(std::span<const double* const> places, std::span<double> values) {
  Reader& r = *reader_;
  const auto from = [&](std::size_t first) {
    for (std::size_t i = 0; i < places.size(); ++i) r.pointers[i] = places[i] + first;
    return r.pointers.data();
  };
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    run<kLanes>(r.steps, from(i), r.stack.data());
    std::copy_n(r.stack.begin(), kLanes, values.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (; i < values.size(); ++i) {
    run<1>(r.steps, from(i), r.stack.data());
    values[i] = r.stack.front();
  }
}

void requireSound(const std::string& text, const std::vector<std::string>& names) {
  if (text.size() > kLongest) {
    throw UsageError(fmt::format("formula: {} characters; at most {} are allowed", text.size(), kLongest));
  }
  readSound(text, {.names = names});
}

const std::vector<std::string>& functionNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Function& each : functions()) all.emplace_back(each.name);
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
