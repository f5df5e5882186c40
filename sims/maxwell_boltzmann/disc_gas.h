// The gas of Model::Discs: elastic discs in a box (discs.h), from a start that may be far from equilibrium (start.h).
#pragma once

#include <memory>

#include "sims/core/simulation.h"

namespace simscope::maxwell_boltzmann {

std::unique_ptr<Simulation> makeDiscGas(compute::DevicePtr device, const ParameterSet& parameters);

}  // namespace simscope::maxwell_boltzmann
