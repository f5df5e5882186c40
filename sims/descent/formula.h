// Reads a formula f(x, y) and compiles it: + - * / ^, comparisons, && || !, c ? a : b, numbers, x, y, pi, e, and the
// functions that functionNames() lists. Operators bind as in muParser: ^ to the right and before a sign (-x^2 is
// -(x^2)), log is the natural one; `?` computes both sides and selects one.
//
// Any thread. UsageError names the formula, the column of the fault, and what was expected there.
#pragma once

#include <string>

#include "sims/descent/program.h"

namespace simscope::descent {

Program compile(const std::string& formula);
std::string functionNames();

}  // namespace simscope::descent
