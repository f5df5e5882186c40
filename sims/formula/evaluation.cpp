#include "sims/formula/evaluation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sims/formula/functions.h"

namespace simscope::formula {
namespace {

constexpr bool isOfVariable(Op op) {
  return op == Op::Variable || op == Op::Linear || op == Op::WholePower;
}

}  // namespace

// Runs steps over a row of places at once. A side of a choice that no place of the row takes is not computed.
template <std::size_t kRow>
class Evaluation::Machine {
 public:
  // variables: a row each. The result is the stack's first row.
  static void run(std::span<const Step> steps, const double* const* variables, double* stack) {
    Machine machine{variables, stack};
    for (std::size_t s = 0; s < steps.size(); ++s) {
      if (machine.skips(steps[s])) {
        s = steps[s].index;
      } else {
        machine.take(steps[s]);
      }
    }
  }

 private:
  Machine(const double* const* variables, double* next) : variables_(variables), next_(next) {}

  // One place alone has no row for the side that it does not take, nor a condition; several leave it as it is.
  bool skips(const Step& step) {
    const auto holds = [](double a) { return a != 0; };
    if (step.op == Op::Branch) {
      if constexpr (kRow == 1) return *--next_ == 0;
      if (std::any_of(next_ - kRow, next_, holds)) return false;
    } else if (step.op == Op::Otherwise) {
      if constexpr (kRow == 1) return true;
      if (!std::all_of(next_ - 2 * kRow, next_ - kRow, holds)) return false;
    } else {
      return false;
    }
    next_ += kRow;
    return true;
  }

  template <class F>
  void push(const F& value) {
    for (std::size_t l = 0; l < kRow; ++l) next_[l] = value(l);
    next_ += kRow;
  }
  template <class F>
  void one(const F& f) {
    double* const a = next_ - kRow;
    for (std::size_t l = 0; l < kRow; ++l) a[l] = f(a[l]);
  }
  template <class F>
  void two(const F& f) {
    next_ -= kRow;
    double* const a = next_ - kRow;
    for (std::size_t l = 0; l < kRow; ++l) a[l] = f(a[l], a[kRow + l]);
  }
  // Of `count` rows, beginning with the first of them or, `from_zero`, with 0.
  template <class F>
  void fold(std::size_t count, bool from_zero, const F& f) {
    next_ -= (count - 1) * kRow;
    double* const a = next_ - kRow;
    for (std::size_t l = 0; l < kRow; ++l) {
      double all = from_zero ? f(0.0, a[l]) : a[l];
      for (std::size_t k = 1; k < count; ++k) all = f(all, a[k * kRow + l]);
      a[l] = all;
    }
  }
  void select() {
    if constexpr (kRow == 1) return;  // the one that was computed
    next_ -= 2 * kRow;
    double* const a = next_ - kRow;
    for (std::size_t l = 0; l < kRow; ++l) a[l] = a[l] != 0 ? a[kRow + l] : a[2 * kRow + l];
  }

  void take(const Step& step) {
    const double factor = step.factor, offset = step.offset;
    const double* const x = isOfVariable(step.op) ? variables_[step.index] : nullptr;
    switch (step.op) {
      case Op::Branch:
      case Op::Otherwise:
        return;
      case Op::Constant:
        return push([&](std::size_t) { return offset; });
      case Op::Variable:
        return push([&](std::size_t l) { return x[l]; });
      case Op::Linear:
        return push([&](std::size_t l) { return x[l] * factor + offset; });
      case Op::WholePower:
        return push([&](std::size_t l) {
          double product = x[l] * x[l];
          if (factor > 2) product *= x[l];
          if (factor > 3) product *= x[l];
          return product;
        });
      case Op::Negate:
        return one([](double a) { return -a; });
      case Op::Not:
        return one([](double a) { return a == 0 ? 1.0 : 0.0; });
      case Op::Sqrt:
        return one([](double a) { return std::sqrt(a); });
      case Op::Abs:
        return one([](double a) { return std::fabs(a); });
      case Op::Add:
        return two([](double a, double b) { return a + b; });
      case Op::Subtract:
        return two([](double a, double b) { return a - b; });
      case Op::Multiply:
        return two([](double a, double b) { return a * b; });
      case Op::Divide:
        return two([](double a, double b) { return a / b; });
      case Op::Power:
        return two([](double a, double b) { return std::pow(a, b); });
      case Op::Less:
        return two([](double a, double b) { return a < b ? 1.0 : 0.0; });
      case Op::LessEqual:
        return two([](double a, double b) { return a <= b ? 1.0 : 0.0; });
      case Op::Greater:
        return two([](double a, double b) { return a > b ? 1.0 : 0.0; });
      case Op::GreaterEqual:
        return two([](double a, double b) { return a >= b ? 1.0 : 0.0; });
      case Op::Equal:
        return two([](double a, double b) { return a == b ? 1.0 : 0.0; });
      case Op::Unequal:
        return two([](double a, double b) { return a != b ? 1.0 : 0.0; });
      case Op::And:
        return two([](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; });
      case Op::Or:
        return two([](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; });
      case Op::Min:
        return fold(step.index, false, [](double a, double b) { return b < a ? b : a; });
      case Op::Max:
        return fold(step.index, false, [](double a, double b) { return a < b ? b : a; });
      case Op::Sum:
        return fold(step.index, true, [](double a, double b) { return a + b; });
      case Op::Average:
        fold(step.index, true, [](double a, double b) { return a + b; });
        return one([n = static_cast<double>(step.index)](double a) { return a / n; });
      case Op::Select:
        return select();
      default:
        return step.one ? one(step.one) : two(step.two);
    }
  }

  const double* const* variables_;
  double* next_;  // row of the stack
};

// From a tree to steps. Constants are computed, and what is linear in one variable becomes one step.
class StepWriter {
 public:
  using Step = Evaluation::Step;
  explicit StepWriter(const Tree& tree) : tree_(tree) {}

  std::vector<Step> steps() {
    emit(tree_.size() - 1);
    return std::move(steps_);
  }
  std::size_t rows() const { return deepest_; }

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
    steps_[otherwise].index = steps_.size() - 1;
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
    Evaluation::Machine<1>::run(std::span(steps_).last(operands + 1), nullptr, values);
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

Evaluation::Evaluation(const Tree& tree) {
  StepWriter writer(tree);
  steps_ = writer.steps();
  rows_ = writer.rows();
}

double Evaluation::at(const double* const* variables, double* stack) const {
  Machine<1>::run(steps_, variables, stack);
  return *stack;
}

void Evaluation::over(std::span<const double* const> variables, std::span<double> values, double* stack) const {
  std::vector<const double*> here(variables.begin(), variables.end());
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    Machine<kLanes>::run(steps_, here.data(), stack);
    std::copy_n(stack, kLanes, values.begin() + static_cast<std::ptrdiff_t>(i));
    for (const double*& each : here) each += kLanes;
  }
  for (; i < values.size(); ++i) {
    values[i] = at(here.data(), stack);
    for (const double*& each : here) ++each;
  }
}

}  // namespace simscope::formula
