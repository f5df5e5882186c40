// The CPU's side of advance(); see advance.h.
#pragma once

#include "sims/lorentz/advance.h"

namespace simscope::lorentz {

void advanceOnCpu(compute::Device& device, const Setup& setup, const Particles& particles, const History& history,
                  int steps);

}  // namespace simscope::lorentz
