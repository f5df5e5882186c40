// The reader of all that is typed as a formula: from its text to its tree. What people write otherwise than a compiler
// would take it (x**2, x², 2x, π·x, −x, "and", if(c, a, b)) is read where it has one meaning; what has several, or none
// here, is a fault with what to write instead. Chains of comparisons (-1 < x < 1) are faults, too.
//
// Operators, from the loosest on: ?:, ||, &&, comparisons, + -, * / and signs, ^. Powers are read from the right:
// -x^2 is -(x^2), 2^3^2 is 2^(3^2).
//
// Pure functions; any thread. No text can exhaust the stack of the reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sims/formula/operation.h"

namespace simscope::formula {

struct Node {
  Op op = Op::Constant;
  double value = 0;                     // of a constant
  std::size_t variable = 0;             // index of its name
  std::vector<std::size_t> parts = {};  // indices of the operands
  std::size_t at = 0;                   // byte of the typed text
};

// Operands stand before what they are operands of: the last node is the root.
using Tree = std::vector<Node>;
// x^2, a product for every output.
inline bool isSquare(const Tree& tree, const Node& node) {
  return node.op == Op::Power && tree[node.parts[1]].op == Op::Constant && tree[node.parts[1]].value == 2;
}

struct Rules {
  std::vector<std::string> names;  // of the variables; they hide functions and constants
  std::string value = "V";         // what the formula gives, in messages
  int nested = 3000;               // parentheses, signs, and choices within each other; more is a fault
  std::string unknown = {};        // what a name can be, where it is unknown; empty: a list of all
};

struct Reading {
  Tree tree;
  std::size_t fault_at = 0;  // byte of the typed text
  std::string fault = {};    // for a message; empty where there is none
};

Reading read(std::string_view typed, const Rules& rules);
// UsageError: "formula = …: column 5: …".
Tree readSound(std::string_view typed, const Rules& rules);
// 1 for the first character; bytes that continue one of UTF-8 do not count.
std::size_t columnOf(std::string_view text, std::size_t byte);
[[noreturn]] void refuse(std::string_view typed, std::size_t byte, const std::string& what);

}  // namespace simscope::formula
