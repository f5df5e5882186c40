// The views of the description.
#pragma once

#include <vector>

#include "sims/core/view.h"

namespace simscope::eigenstates2d {

inline constexpr const char* kUnitOfEnergy = "ħ²/(m·length²)";
std::vector<View> views();

}  // namespace simscope::eigenstates2d
