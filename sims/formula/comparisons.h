// Chains of comparisons in typed formulas. Every reader here computes -1 < x < 1 as (-1 < x) < 1, which is always true
// or false where nobody expects it: formulas with a chain are refused. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace simscope::formula {

struct ComparisonChain {
  std::size_t byte;  // of its second comparison
  std::string what;  // for a message: "comparisons do not chain; write -1 < x && x < 1"
};

// The first chain in a formula that is otherwise sound. Parentheses make a comparison an operand: (x < 1) == (y < 1).
std::optional<ComparisonChain> findComparisonChain(std::string_view formula);

}  // namespace simscope::formula
