// The symbol of a parameter in equations: "σ" for "Packet width σ". Any thread.
#pragma once

#include <string>
#include <vector>

#include "sims/core/parameters.h"

namespace simscope {

// As written in the title; empty if it has none.
std::string symbolIn(const std::string& title);
// symbolName() of that symbol, for comparison with equations; empty: none.
std::string symbolOf(const ParameterSet& parameters, std::size_t index);
// Whether an equation's symbol is the parameter's. V also matches V₀ if no parameter's symbol is V: `all` are the
// symbols of the parameters.
bool means(const std::string& in_equation, const std::string& of_parameter, const std::vector<std::string>& all);

}  // namespace simscope
