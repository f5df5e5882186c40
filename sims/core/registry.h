// Every simulation, in the order of sims/registry.def. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "sims/core/description.h"

namespace simscope {

std::span<const Description* const> simulations();
// UsageError with the closest id where there is none.
const Description& simulationById(std::string_view id);

}  // namespace simscope
