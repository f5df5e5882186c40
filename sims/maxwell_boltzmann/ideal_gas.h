// The ideal gas of Model::Ideal: every step is another draw of all molecules (sample.h).
#pragma once

#include <memory>

#include "sims/core/simulation.h"

namespace simscope::maxwell_boltzmann {

std::unique_ptr<Simulation> makeIdealGas(compute::DevicePtr device, const ParameterSet& parameters);

}  // namespace simscope::maxwell_boltzmann
