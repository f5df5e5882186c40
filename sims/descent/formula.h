// Compiles a formula f(x, y) in the language of all simulations (sims/formula/reader.h) to instructions for either
// backend. `?` computes both sides and selects one.
//
// Any thread. UsageError names the formula, the column of the fault, and what was expected there.
#pragma once

#include <string>

#include "sims/descent/program.h"

namespace simscope::descent {

Program compile(const std::string& formula);

}  // namespace simscope::descent
