// An equation typed on one line ("iħ ∂ψ/∂t = -(ħ²/2m) ∂²ψ/∂x² + V(x) ψ"), parsed into symbols with their indices and
// exponents, fractions, roots. Plain data; any thread. Errors: none, any text is valid.
//
//   a/b         a fraction of what stands together without spaces on either side; parentheses that hold all of a side
//               are not drawn. With spaces (a / b), and within exponents, a stroke.
//   x² xₙ x^2 x_n x^(n-1)   exponents and indices
//   √x √(…)     a root
//   d and Δ before a letter belong to it (dt, Δt); words of three letters and more, and the names of functions, are
//   upright.
// Statements on one line are separated by a comma or semicolon and two spaces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simscope {

struct EquationNode {
  enum class Kind {
    Row,       // children, one after the other
    Symbol,    // text, italic: a quantity
    Upright,   // text: digits, words, functions, ∂ ∇ Σ
    Operator,  // text: + − = ·
    Space,
    Fraction,  // children: numerator, denominator
    Root,      // child
    Group,     // child, between text's two characters
    Scripts,   // children: base, index, exponent; either of the last two may be an empty row
  };
  Kind kind = Kind::Row;
  std::string text = {};
  std::vector<EquationNode> children = {};
};

// The root is a row.
EquationNode parseEquation(std::string_view text);
// The statements of a line.
std::vector<std::string> equationStatements(std::string_view text);
// A symbol's name in any notation: "V_0" for V₀ and V_0, "dt"; empty for other nodes.
std::string symbolName(const EquationNode& node);
// The names of all symbols, in order, each once.
std::vector<std::string> symbolsOf(const EquationNode& node);
// All characters, in the order in which they are drawn.
std::string textOf(const EquationNode& node);

// One UTF-8 character of a text, from `at` on; `at` moves behind it. An invalid byte counts as one character.
std::string_view nextCharacter(std::string_view text, std::size_t& at);

}  // namespace simscope
