// The wave packet in the plane as a simulation: ψ on a device, advanced by a Propagator, measured and shown there.
#pragma once

#include <memory>
#include <vector>

#include "sims/core/simulation.h"
#include "sims/schrodinger2d/propagation/propagator.h"

namespace simscope::schrodinger2d {

const Description& description();
std::vector<Preset> presets();  // of this simulation
// Momentum and energy of a launched packet, with its ratio to the barrier's height.
std::vector<LaunchReading> launchReadings(const ParameterSet& parameters, const Brush& brush, const Frame& frame);

// The function description().create: single or double precision, by the parameters. The state is that of reset().
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);
// The same with a propagator chosen by hand, for tests and measurements.
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters, Route route);

// Bytes that a simulation of these parameters takes at most, with three frames; see Description::memory.
double memoryNeeded(const ParameterSet& parameters, compute::Backend backend);

// For Description::decomposition: the most ranks of a run, and the bytes that each takes.
int mostRanks(const ParameterSet& parameters);
double memoryOfRank(const ParameterSet& parameters, int ranks);

// The order of description().diagnostics.
enum Diagnostic {
  kNorm,
  kEnergy,
  kTransmitted,
  kReflected,
  kAbsorbed,
  kMeanX,
  kMeanXExact,
  kMeanY,
  kMeanYExact,
  kWidthX,
  kWidthXExact,
  kWidthY,
  kWidthYExact,
  kError,
  kNormDrift,
  kEnergyDrift,
  kDiagnosticCount
};

}  // namespace simscope::schrodinger2d
