// Texts for parameters and their values. Plain functions; any thread.
#pragma once

#include <cstddef>
#include <string>

#include "sims/core/parameters.h"

namespace simscope::gui {

// Title, help, key, range, default, and when a change applies.
std::string parameterHelp(const ParameterSet& parameters, std::size_t index);
// A value of the parameter for the user: "633 nm", "Double slit", "no text".
std::string valueText(const ParameterSet& parameters, std::size_t index, const Value& value);

}  // namespace simscope::gui
