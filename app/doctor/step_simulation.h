// A simulation whose picture shows its number of steps: a field of kStepBits columns of cells, the lowest bit at the
// left, 1 if the bit is set. Its data is on the run's device. It is not in the list of simulations: it tests that a
// picture shows its frame.
#pragma once

#include <cstdint>

#include "sims/core/description.h"

namespace simscope::render {
class Figure;
}

namespace simscope::doctor {

constexpr int kStepBits = 20, kCellsABit = 16;

const Description& stepDescription();

// The step shown by the figure's last picture of it, read from its pixels. Waits. Thread: the figure's.
std::int64_t shownStep(render::Figure& figure);

}  // namespace simscope::doctor
