// A gas whose molecules have Maxwell's distribution of velocities, or approach it.
//   Model::Ideal  three dimensions: each step draws new molecules, and counts them (sample.h).
//   Model::Discs  two dimensions: elastic discs in a box, from a start far from equilibrium (discs.h, start.h).
// README.md has the equations, their sources, and the measured quantities.
#pragma once

#include <limits>

#include "sims/core/simulation.h"
#include "sims/maxwell_boltzmann/counts.h"
#include "sims/maxwell_boltzmann/parameters.h"

namespace simscope::maxwell_boltzmann {

const Description& description();
double memoryOf(const ParameterSet& parameters, compute::Backend backend);

// The order of description().diagnostics.
enum Diagnostic {
  kMeanSpeed,
  kMeanSpeedExact,
  kProbableSpeed,
  kProbableSpeedExact,
  kRootMeanSquare,
  kRootMeanSquareExact,
  kMeanEnergy,
  kMeanEnergyExact,
  kTemperature,
  kDistance,
  kDistanceScaled,
  kSpeedError,
  kEnergyError,
  kH,
  kHExact,
  kPressure,
  kPressureExact,
  kPressureWalls,
  kCompressibility,
  kCompressibilityExact,
  kCollisionRate,
  kCollisionRateExact,
  kLateShare,
  kEnergyDrift,
  kMomentum,
  kDiagnosticCount
};

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // a diagnostic without meaning

// Common to both models: the counts, and values derived from them.
class Gas : public Simulation {
 protected:
  Gas(compute::DevicePtr device, const ParameterSet& parameters)
      : Simulation(maxwell_boltzmann::description(), std::move(device), parameters),
        p_(binding().read(parameters)),
        counts_(device_, kHistograms * kPlaces),
        kelvin_(p_.temperature) {}

  // Speeds in m/s, from the counts and these means of v and v².
  void describeSpeeds(std::span<double> values, double mean, double mean_square) const;
  // Advice about the axis of speeds.
  std::vector<Finding> axisFindings() const;
  SpeedDistribution speeds() const { return {p_.dimensions(), p_.sigmaAt(kelvin_)}; }

  Parameters p_;
  Counts counts_;
  double kelvin_;  // the gas's own temperature: tools change it
};

}  // namespace simscope::maxwell_boltzmann
