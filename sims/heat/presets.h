// The presets of the heat simulation; the first is the default. Plain data; any thread.
#pragma once

#include <vector>

#include "sims/core/description.h"

namespace simscope::heat {

std::vector<Preset> heatPresets();

}  // namespace simscope::heat
