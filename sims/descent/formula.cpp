#include "sims/descent/formula.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "sims/compute/error.h"
#include "sims/formula/reader.h"

namespace simscope::descent {
namespace {

constexpr std::size_t kLongestFormula = 1024;  // characters
constexpr int kMostNested = 64;

class Compiler {
 public:
  explicit Compiler(std::string_view typed)
      : typed_(typed), tree_(formula::readSound(typed, {.names = {"x", "y"}, .value = "f", .nested = kMostNested})) {}

  Program program() {
    emit(tree_.back());
    return program_;
  }

 private:
  void emit(const formula::Node& node) {
    switch (node.op) {
      case Op::Constant:
        return push({node.value, Op::Constant}, 0, node);
      case Op::Variable:
        return push({0, node.variable == 0 ? Op::Variable : Op::Second}, 0, node);
      case Op::Power:
        return power(node);
      case Op::Min:
      case Op::Max:
        return fold(node, node.op);
      case Op::Sum:
        return fold(node, Op::Add);
      case Op::Average:
        fold(node, Op::Add);
        push({static_cast<double>(node.parts.size()), Op::Constant}, 0, node);
        return push({0, Op::Divide}, 2, node);
      default:
        for (const std::size_t part : node.parts) emit(tree_[part]);
        return push({0, node.op == Op::Pow ? Op::Power : node.op}, static_cast<int>(node.parts.size()), node);
    }
  }
  void fold(const formula::Node& node, Op op) {
    emit(tree_[node.parts[0]]);
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
      emit(tree_[node.parts[i]]);
      push({0, op}, 2, node);
    }
  }
  // A constant whole power needs no logarithm, and has the same bits on either backend.
  void power(const formula::Node& node) {
    constexpr double kMostWhole = 64;
    emit(tree_[node.parts[0]]);
    const formula::Node& exponent = tree_[node.parts[1]];
    const double n = exponent.value;
    if (exponent.op == Op::Constant && n == std::floor(n) && n >= 0 && n <= kMostWhole) {
      return push({n, n == 2 ? Op::Square : Op::WholePower}, 1, node);
    }
    emit(exponent);
    push({0, Op::Power}, 2, node);
  }

  void push(Instruction instruction, int pops, const formula::Node& node) {
    if (program_.size == Program::kMostInstructions) {
      formula::refuse(typed_, node.at,
                      fmt::format("the formula is too long; expected at most {} numbers, names, and operators",
                                  Program::kMostInstructions));
    }
    depth_ += 1 - pops;
    if (depth_ > Program::kMostDepth) {
      formula::refuse(typed_, node.at,
                      fmt::format("the formula needs more than {} intermediate values; expected a simpler formula",
                                  Program::kMostDepth));
    }
    program_.code[program_.size++] = instruction;
  }

  std::string_view typed_;
  formula::Tree tree_;
  int depth_ = 0;
  Program program_;
};

}  // namespace

Program compile(const std::string& formula) {
  if (formula.size() > kLongestFormula) {
    throw UsageError(fmt::format("formula: {} characters; at most {} are allowed", formula.size(), kLongestFormula));
  }
  return Compiler(formula).program();
}

}  // namespace simscope::descent
