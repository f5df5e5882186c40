// The tunnelling wavepacket as a simulation: ψ on a device, advanced by a Propagator, measured and shown on the device.
#pragma once

#include <memory>

#include "sims/core/simulation.h"
#include "sims/tunneling/propagator.h"

namespace simscope::tunneling {

const Description& description();

// The function description().create: single or double precision, by the parameters. The state is that of reset().
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);
// The same with a propagator chosen by hand, for tests and measurements.
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters, Route route);

// The order of description().diagnostics.
enum Diagnostic {
  kNorm,
  kEnergy,
  kReflection,
  kTransmission,
  kInside,
  kMeanPosition,
  kMeanMomentum,
  kSpread,
  kTransmissionExact,
  kNormDrift,
  kAbsorbed,
  kEnergyDrift,
  kError,
  kDiagnosticCount
};

}  // namespace simscope::tunneling
