// Presets: gases of different molecules, and of discs from different starts.
#pragma once

#include <vector>

#include "sims/core/description.h"

namespace simscope::maxwell_boltzmann {

std::vector<Preset> gasPresets();  // the first is the defaults

}  // namespace simscope::maxwell_boltzmann
