// A formula as text for CUDA's compilers. No word of the typed text is in it: variables are v0, v1, … in the order of
// their names, and numbers are formatted again. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "sims/formula/reader.h"

namespace simscope::formula {

// What the texts need before them: the type `real`, and functions that CUDA does not have.
extern const std::string_view kCudaFunctions;
// An expression; in parentheses where it needs them.
std::string cudaText(const Tree& tree);

}  // namespace simscope::formula
