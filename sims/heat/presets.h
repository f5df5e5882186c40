// What the heat simulation opens with, and what it offers beside. Plain data; any thread.
#pragma once

#include <vector>

#include "sims/core/description.h"

namespace simscope::heat {

std::vector<Preset> heatPresets();

}  // namespace simscope::heat
