// Stationary states of one particle on a line, and the motion of their superposition: Hφ = Eφ with H = -½ d²/dx² +
// V(x), ψ = 0 at both walls, ħ = m = 1. The eigenproblem is solved at the first request after a reset, a change of the
// potential, or a stroke of the mouse; a step only advances the phases. README.md has methods and sources.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sims/compute/complex.h"
#include "sims/core/simulation.h"
#include "sims/eigenstates/parameters.h"
#include "sims/superposition/settling.h"

namespace simscope::eigenstates {

enum Diagnostic {
  kNorm,
  kEnergy,
  kEnergyDrift,
  kMeanPosition,
  kMeanPositionExact,
  kReturn,
  kRevivalTime,
  kLevel,
  kLevelExact,
  kLevelsError,
  kSplitting,
  kOrthonormality,
  kResidual,
  kPacketKept,
  kDiagnostics
};

const Description& description();
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);

// The input of advice.
struct Solved {
  std::span<const double> potential, energies;
  std::size_t drawn = 0;  // number of lowest states examined
  std::span<const compute::Complex<double>> coefficients;
  double packet_kept = 1;                                // share of the packet in the K states
  double splitting = 0;                                  // NaN: below rounding
  std::span<const superposition::Coarser> coarser = {};  // half and a quarter of the points, or none
  std::span<const double> exact = {};                    // levels in closed form, or none
};
std::vector<Finding> findingsFor(const Parameters& parameters, const Grid& grid, const Solved& solved);

// g(x) of the packet on the grid, N values, hΣ|g|² = 1 where the walls do not cut it.
std::vector<compute::Complex<double>> packetOn(const Parameters& parameters, const Grid& grid);
// The carpet's duration: the time after which the superposition returns, exactly or nearly.
double carpetTime(const Parameters& parameters, std::span<const compute::Complex<double>> coefficients,
                  std::span<const double> energies);
// The box's revival time 4L²/π, after which every phase has made whole turns.
double boxRevival(double length);

}  // namespace simscope::eigenstates
