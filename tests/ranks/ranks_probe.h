// What ranks_probe checks of processes, and tests/devices of threads. Each is called by all ranks, and tells on how
// many counts it was wrong.
#pragma once

#include "sims/compute/ranks/ranks.h"

namespace simscope::ranks_probe {

int wrongCollectives(compute::Ranks& ranks);  // every operation of Ranks itself
int wrongBlocks(compute::Ranks& ranks);       // sims/compute/ranks/blocks.h

}  // namespace simscope::ranks_probe
