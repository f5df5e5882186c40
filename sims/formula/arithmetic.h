// Arithmetic without variables, in the language of formulas, and the division of a typed quantity into terms with
// units: the parts of quantity.h. Plain functions; any thread. Errors: UsageError names the column of the fault and
// what was expected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simscope::formula {

// One term of a sum: "1/3", "mm". Its sign belongs to it.
struct Term {
  std::string arithmetic;  // in plain ASCII
  std::string unit;        // as typed; empty where there is none
  bool literal = false;    // the arithmetic is one decimal number
};

// At least one term. The text has at most 200 characters. A sum without any unit is one term.
std::vector<Term> termsOf(std::string_view text);
// The value of a term's arithmetic. It may be NaN or infinite.
double evaluate(const std::string& arithmetic);

}  // namespace simscope::formula
