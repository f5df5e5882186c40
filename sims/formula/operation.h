// The operations of a formula: of its tree, its evaluation, its bounds, and the bytecode of devices. Plain numbers, for
// device code, too. The order counts: leaves, what has one operand, two, any number, three; ranges within are named.
#pragma once

#include <cstdint>

namespace simscope::formula {

enum class Op : std::int32_t {
  Constant,
  Variable,
  Second,  // variable, in bytecode
  Negate,
  Square,
  WholePower,  // to the power of the instruction's value; neither stands in a tree
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Asinh,
  Acosh,
  Atanh,
  Erf,
  Exp,
  Log,
  Log2,
  Log10,
  Sqrt,
  Abs,
  Not,
  Sign,
  Heaviside,
  Floor,
  Ceil,
  Round,
  Rint,  // these jump
  Add,
  Subtract,
  Multiply,
  Divide,
  Power,
  Pow,  // the function: Power(x, 2) is x·x, Pow(x, 2) is the library's
  Mod,
  Atan2,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  Unequal,
  And,
  Or,  // these jump
  Min,
  Max,
  Sum,
  Average,  // of one or more
  Select,   // condition, then, else
  Linear,
  Branch,
  Otherwise,  // steps of the evaluation (evaluation.cpp)
};

inline constexpr bool isStep(Op op) {
  return (op >= Op::Not && op <= Op::Rint) || (op >= Op::Mod && op <= Op::Or) || op == Op::Select;
}

}  // namespace simscope::formula
