// The symbol that stands for a parameter in equations: "σ" of "Packet width σ". Any thread.
#pragma once

#include <string>
#include <vector>

#include "sims/core/parameters.h"

namespace simscope {

// As the title writes it; empty where it has none.
std::string symbolIn(const std::string& title);
// symbolName() of that: what the same symbol is called in an equation; empty: none.
std::string symbolOf(const ParameterSet& parameters, std::size_t index);
// Whether an equation's symbol is the parameter's. V stands for V₀, too, where nothing stands for V alone: `all` are
// the symbols of the parameters.
bool means(const std::string& in_equation, const std::string& of_parameter, const std::vector<std::string>& all);

}  // namespace simscope
