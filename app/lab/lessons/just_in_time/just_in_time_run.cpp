#include <fmt/format.h>

#include <cmath>

#include "app/lab/lessons/just_in_time/just_in_time_program.h"

namespace simscope::lab::just_in_time {
namespace {

constexpr unsigned kTurnsBetween = 64;  // turns of a loop between checks of the clock

// Walks through the program with the variables of one element.
class Walker {
 public:
  Walker(const Program& program, const Inputs& inputs, std::size_t i, Watch& watch)
      : program_(program), watch_(watch), turns_(0) {
    for (std::size_t k = 0; k < kInputs; ++k) values_[k] = program.reads[k] ? inputs.arrays[k][i] : 0;
    values_[kPlace] = static_cast<double>(i);
    values_[kCount] = static_cast<double>(inputs.n);
    values_[kPi] = 3.14159265358979323846;
    for (int k = kOut; k < program.variables; ++k) values_[static_cast<std::size_t>(k)] = 0;
  }

  double result() { return run(program_.body) ? values_[kOut] : std::nan(""); }
  double operations() const { return operations_; }

 private:
  double at(int place) {
    const Node& node = program_.nodes[static_cast<std::size_t>(place)];
    switch (node.op) {
      case Op::Number:
        return node.number;
      case Op::Variable:
        return values_[static_cast<std::size_t>(node.index)];
      case Op::And:
        return at(node.of[0]) != 0 && at(node.of[1]) != 0 ? 1 : 0;
      case Op::Or:
        return at(node.of[0]) != 0 || at(node.of[1]) != 0 ? 1 : 0;
      case Op::Choose:
        return at(node.of[0]) != 0 ? at(node.of[1]) : at(node.of[2]);
      case Op::Call: {
        const Function& function = functions()[static_cast<std::size_t>(node.index)];
        operations_ += 1;
        const double first = at(node.of[0]);
        return function.operands == 1 ? function.one(first) : function.two(first, at(node.of[1]));
      }
      default:
        break;
    }
    operations_ += 1;
    const double x = at(node.of[0]);
    if (node.op == Op::Negate) return -x;
    if (node.op == Op::Not) return x == 0 ? 1 : 0;
    if (node.op == Op::Square) return x * x;
    const double y = at(node.of[1]);
    switch (node.op) {
      case Op::Add:
        return x + y;
      case Op::Subtract:
        return x - y;
      case Op::Multiply:
        return x * y;
      case Op::Divide:
        return x / y;
      case Op::Less:
        return x < y ? 1 : 0;
      case Op::LessEqual:
        return x <= y ? 1 : 0;
      case Op::Greater:
        return x > y ? 1 : 0;
      case Op::GreaterEqual:
        return x >= y ? 1 : 0;
      case Op::Equal:
        return x == y ? 1 : 0;
      default:
        return x != y ? 1 : 0;
    }
  }

  // False: the watch has ended it.
  bool goesOn(int line) {
    if (++turns_ % kTurnsBetween != 0) return true;
    if (watch_.line.load(std::memory_order_relaxed) != 0) return false;
    if (std::chrono::steady_clock::now() < watch_.deadline) return true;
    int none = 0;
    watch_.line.compare_exchange_strong(none, line);
    return false;
  }

  bool run(const std::vector<Statement>& all) {
    for (const Statement& each : all) {
      switch (each.kind) {
        case Statement::Kind::Assign:
          values_[static_cast<std::size_t>(each.variable)] = at(each.expression);
          break;
        case Statement::Kind::If:
          if (!run(at(each.expression) != 0 ? each.body : each.otherwise)) return false;
          break;
        case Statement::Kind::While:
          while (at(each.expression) != 0) {
            if (!goesOn(each.line) || !run(each.body)) return false;
          }
          break;
        case Statement::Kind::Repeat: {
          const double times = at(each.expression);
          for (double k = 0; k < times; k += 1) {
            if (!goesOn(each.line) || !run(each.body)) return false;
          }
          break;
        }
      }
    }
    return true;
  }

  const Program& program_;
  Watch& watch_;
  unsigned turns_;
  double operations_ = 0;
  std::array<double, kMostVariables> values_;  // those that the program has
};

double minus(double x) {
  return x < 0 ? -x : x;
}

}  // namespace

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      {"sin", "sin", 1, std::sin, nullptr},       {"cos", "cos", 1, std::cos, nullptr},
      {"tan", "tan", 1, std::tan, nullptr},       {"asin", "asin", 1, std::asin, nullptr},
      {"acos", "acos", 1, std::acos, nullptr},    {"atan", "atan", 1, std::atan, nullptr},
      {"sinh", "sinh", 1, std::sinh, nullptr},    {"cosh", "cosh", 1, std::cosh, nullptr},
      {"tanh", "tanh", 1, std::tanh, nullptr},    {"exp", "exp", 1, std::exp, nullptr},
      {"ln", "log", 1, std::log, nullptr},        {"log2", "log2", 1, std::log2, nullptr},
      {"log10", "log10", 1, std::log10, nullptr}, {"sqrt", "sqrt", 1, std::sqrt, nullptr},
      {"abs", "fabs", 1, minus, nullptr},         {"floor", "floor", 1, std::floor, nullptr},
      {"ceil", "ceil", 1, std::ceil, nullptr},    {"min", "fmin", 2, nullptr, std::fmin},
      {"max", "fmax", 2, nullptr, std::fmax},     {"mod", "fmod", 2, nullptr, std::fmod},
      {"pow", "pow", 2, nullptr, std::pow},       {"atan2", "atan2", 2, nullptr, std::atan2},
  };
  return all;
}

double interpret(const Program& program, const Inputs& inputs, std::size_t i, Watch& watch, double* operations) {
  Walker walker(program, inputs, i, watch);
  const double result = walker.result();
  if (operations) *operations += walker.operations();
  return result;
}

}  // namespace simscope::lab::just_in_time
