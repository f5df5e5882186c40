// The wave packet in the plane as a simulation: ψ on a device, advanced by a Propagator, measured and shown there.
#pragma once

#include <memory>
#include <vector>

#include "sims/core/simulation.h"
#include "sims/schrodinger2d/propagation/propagator.h"

namespace simscope::schrodinger2d {

const Description& description();
std::vector<Preset> presets();  // of it
// Momentum and energy of a packet that is launched, beside the barrier's height.
std::vector<LaunchReading> launchReadings(const ParameterSet& parameters, const Brush& brush, const Frame& frame);

// What description().create is: single or double precision as the parameters say. The state is that of reset().
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);
// The same with a propagator chosen by hand, for tests and measurements.
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters, Route route);

// Bytes that a simulation of these parameters takes at most, with three frames; see Description::memory.
double memoryNeeded(const ParameterSet& parameters, compute::Backend backend);

// What Description::decomposition tells: of a run divided among ranks, each of which takes so many bytes.
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
