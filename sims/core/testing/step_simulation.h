// A simulation whose picture says how many steps it has made: a field of kStepBits columns of cells, the lowest bit at
// the left, 1 where the bit is set. It lies on the run's device, whichever that is.
#pragma once

#include "sims/core/description.h"

namespace simscope::fake {

constexpr int kStepBits = 20, kCellsABit = 16;

const Description& stepDescription();

}  // namespace simscope::fake
