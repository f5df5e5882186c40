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

// The parser ensures that the stack neither overflows nor underflows.
template <class T>
SIMSCOPE_HD T evaluate(const Program& program, const T& x, const T& y) {
  T stack[Program::kMostDepth];
  int top = -1;
  for (int i = 0; i < program.size; ++i) {
    const Instruction& each = program.code[i];
    const Op op = each.op;
    if (op <= Op::Second) {
      stack[++top] = op == Op::Constant ? T(each.value) : op == Op::Variable ? x : y;
      continue;
    }
    if (op < Op::Add) {
      T& a = stack[top];
      switch (op) {
        case Op::Negate:
          a = -a;
          break;
        case Op::Not:
          a = truth<T>(valueOf(a) == 0);
          break;
        case Op::Square:
          a = squareOf(a);
          break;
        case Op::WholePower:
          a = wholePower(a, static_cast<long long>(each.value));
          break;
        case Op::Sin:
          a = sinOf(a);
          break;
        case Op::Cos:
          a = cosOf(a);
          break;
        case Op::Tan:
          a = tanOf(a);
          break;
        case Op::Tanh:
          a = tanhOf(a);
          break;
        case Op::Asin:
          a = asinOf(a);
          break;
        case Op::Acos:
          a = 1.570796326794896619 - asinOf(a);
          break;
        case Op::Atan:
          a = atanOf(a);
          break;
        case Op::Sinh:
          a = sinhOf(a);
          break;
        case Op::Cosh:
          a = coshOf(a);
          break;
        case Op::Asinh:
          a = asinhOf(a);
          break;
        case Op::Acosh:
          a = acoshOf(a);
          break;
        case Op::Atanh:
          a = atanhOf(a);
          break;
        case Op::Erf:
          a = erfOf(a);
          break;
        case Op::Exp:
          a = expOf(a);
          break;
        case Op::Log:
          a = logOf(a);
          break;
        case Op::Log2:
          a = logOf(a) / T(0.693147180559945309);
          break;
        case Op::Log10:
          a = logOf(a) / T(2.302585092994045684);
          break;
        case Op::Sqrt:
          a = rootOf(a);
          break;
        case Op::Abs:
          a = absOf(a);
          break;
        case Op::Floor:  // with slope 0, as all that jump
          a = T(std::floor(valueOf(a)));
          break;
        case Op::Ceil:
          a = T(std::ceil(valueOf(a)));
          break;
        case Op::Round:
          a = T(std::round(valueOf(a)));
          break;
        case Op::Rint:
          a = T(std::rint(valueOf(a)));
          break;
        case Op::Heaviside:
          a = T(valueOf(a) < 0 ? 0.0 : valueOf(a) > 0 ? 1.0 : valueOf(a) == 0 ? 0.5 : valueOf(a));
          break;
        default:
          a = T(valueOf(a) > 0 ? 1.0 : valueOf(a) < 0 ? -1.0 : 0.0);
          break;  // Sign
      }
      continue;
    }
    if (op == Op::Select) {
      top -= 2;
      stack[top] = valueOf(stack[top]) != 0 ? stack[top + 1] : stack[top + 2];
      continue;
    }
    const T b = stack[top--];
    T& a = stack[top];
    const double l = valueOf(a), r = valueOf(b);
    switch (op) {
      case Op::Add:
        a = a + b;
        break;
      case Op::Subtract:
        a = a - b;
        break;
      case Op::Multiply:
        a = a * b;
        break;
      case Op::Divide:
        a = a / b;
        break;
      case Op::Power:
        a = powerOf(a, b);
        break;
      case Op::Mod:
        a = a - std::floor(l / r) * b;
        break;
      case Op::Atan2:
        a = atan2Of(a, b);
        break;
      case Op::Min:
        a = lesserOf(a, b);
        break;
      case Op::Max:
        a = greaterOf(a, b);
        break;
      case Op::Less:
        a = truth<T>(l < r);
        break;
      case Op::LessEqual:
        a = truth<T>(l <= r);
        break;
      case Op::Greater:
        a = truth<T>(l > r);
        break;
      case Op::GreaterEqual:
        a = truth<T>(l >= r);
        break;
      case Op::Equal:
        a = truth<T>(l == r);
        break;
      case Op::Unequal:
        a = truth<T>(l != r);
        break;
      case Op::And:
        a = truth<T>(l != 0 && r != 0);
        break;
      default:
        a = truth<T>(l != 0 || r != 0);
        break;  // Or
    }
  }
  return stack[0];
}

}  // namespace simscope::descent
