// A compiled formula of x and y: instructions for a stack machine of bounded length and depth, plain data that a
// functor carries to either backend. evaluate<double> gives the value, evaluate<Dual> its gradient, too.
#pragma once

#include "sims/descent/dual.h"
#include "sims/formula/operation.h"

namespace simscope::descent {

using formula::Op;

struct Instruction {
  double value;
  Op op;
};

struct Program {
  static constexpr int kMostInstructions = 120, kMostDepth = 16;
  int size = 0;
  Instruction code[kMostInstructions] = {};
};

template <class T>
SIMSCOPE_HD T truth(bool holds) {
  return T(holds ? 1.0 : 0.0);
}

template <class T>
SIMSCOPE_HD T ofOne(const Instruction& each, const T& a) {
  switch (each.op) {
    case Op::Negate:
      return -a;
    case Op::Not:
      return truth<T>(valueOf(a) == 0);
    case Op::Square:
      return squareOf(a);
    case Op::WholePower:
      return wholePower(a, static_cast<long long>(each.value));
    case Op::Sin:
      return sinOf(a);
    case Op::Cos:
      return cosOf(a);
    case Op::Tan:
      return tanOf(a);
    case Op::Tanh:
      return tanhOf(a);
    case Op::Asin:
      return asinOf(a);
    case Op::Acos:
      return 1.570796326794896619 - asinOf(a);
    case Op::Atan:
      return atanOf(a);
    case Op::Sinh:
      return sinhOf(a);
    case Op::Cosh:
      return coshOf(a);
    case Op::Asinh:
      return asinhOf(a);
    case Op::Acosh:
      return acoshOf(a);
    case Op::Atanh:
      return atanhOf(a);
    case Op::Erf:
      return erfOf(a);
    case Op::Exp:
      return expOf(a);
    case Op::Log:
      return logOf(a);
    case Op::Log2:
      return logOf(a) / T(0.693147180559945309);
    case Op::Log10:
      return logOf(a) / T(2.302585092994045684);
    case Op::Sqrt:
      return rootOf(a);
    case Op::Abs:
      return absOf(a);
    case Op::Floor:  // with slope 0, as all that jump
      return T(std::floor(valueOf(a)));
    case Op::Ceil:
      return T(std::ceil(valueOf(a)));
    case Op::Round:
      return T(std::round(valueOf(a)));
    case Op::Rint:
      return T(std::rint(valueOf(a)));
    case Op::Heaviside:
      return T(valueOf(a) < 0 ? 0.0 : valueOf(a) > 0 ? 1.0 : valueOf(a) == 0 ? 0.5 : valueOf(a));
    default:
      return T(valueOf(a) > 0 ? 1.0 : valueOf(a) < 0 ? -1.0 : 0.0);  // Sign
  }
}

template <class T>
SIMSCOPE_HD T ofTwo(Op op, const T& a, const T& b) {
  const double l = valueOf(a), r = valueOf(b);
  switch (op) {
    case Op::Add:
      return a + b;
    case Op::Subtract:
      return a - b;
    case Op::Multiply:
      return a * b;
    case Op::Divide:
      return a / b;
    case Op::Power:
      return powerOf(a, b);
    case Op::Mod:
      return a - std::floor(l / r) * b;
    case Op::Atan2:
      return atan2Of(a, b);
    case Op::Min:
      return lesserOf(a, b);
    case Op::Max:
      return greaterOf(a, b);
    case Op::Less:
      return truth<T>(l < r);
    case Op::LessEqual:
      return truth<T>(l <= r);
    case Op::Greater:
      return truth<T>(l > r);
    case Op::GreaterEqual:
      return truth<T>(l >= r);
    case Op::Equal:
      return truth<T>(l == r);
    case Op::Unequal:
      return truth<T>(l != r);
    case Op::And:
      return truth<T>(l != 0 && r != 0);
    default:
      return truth<T>(l != 0 || r != 0);  // Or
  }
}

// The compiler ensures that the stack neither overflows nor underflows.
template <class T>
SIMSCOPE_HD T evaluate(const Program& program, const T& x, const T& y) {
  T stack[Program::kMostDepth];
  int top = -1;
  for (int i = 0; i < program.size; ++i) {
    const Instruction& each = program.code[i];
    const Op op = each.op;
    if (op <= Op::Second) {
      stack[++top] = op == Op::Constant ? T(each.value) : op == Op::Variable ? x : y;
    } else if (op < Op::Add) {
      stack[top] = ofOne(each, stack[top]);
    } else if (op == Op::Select) {
      top -= 2;
      stack[top] = valueOf(stack[top]) != 0 ? stack[top + 1] : stack[top + 2];
    } else {
      --top;
      stack[top] = ofTwo(op, stack[top], stack[top + 1]);
    }
  }
  return stack[0];
}

}  // namespace simscope::descent
