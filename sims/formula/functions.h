// The functions, operators, and constants that can be typed: one table for formulas and for numbers. Plain constant
// data; any thread.
#pragma once

#include <span>
#include <string_view>

#include "sims/formula/operation.h"

namespace simscope::formula {

struct Function {
  std::string_view name;
  Op op;
  int least, most;                          // arguments
  double (*one)(double) = nullptr;          // of one
  double (*two)(double, double) = nullptr;  // of two
};
struct Operator {
  std::string_view sign;
  Op op;
  int binds;  // what binds more tightly has more
};
struct NamedConstant {
  std::string_view name;
  double value;
};

// In the order of the alphabet.
std::span<const Function> functions();
// Null where there is none.
const Function* findFunction(std::string_view name);
const Function* functionOf(Op op);                  // of several names the first
const Operator* operatorAt(std::string_view text);  // that the text begins with
const Operator* operatorOf(Op op);
const NamedConstant* findConstant(std::string_view name);

}  // namespace simscope::formula
