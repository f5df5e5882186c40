// Stationary states of one particle in the plane, and the motion of their superposition: Hφ = Eφ with H = -½∇² + V(x,
// y), ψ = 0 at the walls, ħ = m = 1. Each step is one iteration of the eigensolver, until the states are within the
// tolerance, and one step of the superposition's time, from which all displayed values follow. README.md has methods
// and sources.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sims/core/simulation.h"
#include "sims/eigenstates2d/solver.h"
#include "sims/superposition/settling.h"

namespace simscope::eigenstates2d {

enum Diagnostic {
  kEnergy,
  kEnergyExact,
  kLevelsError,
  kResidual,
  kConverged,
  kIterations,
  kOrthonormality,
  kGap,
  kDegeneracy,
  kWeyl,
  kNorm,
  kMeanX,
  kMeanXExact,
  kMeanY,
  kMeanYExact,
  kPacketKept,
  kDiagnostics
};

const Description& description();
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);

// Advice about states within the tolerance; else that they are not. coarser: half and a quarter of the points, or none.
std::vector<Finding> findingsFor(const Parameters& parameters, const Solver& solver, double packet_kept, double gap,
                                 std::span<const superposition::Coarser> coarser);

}  // namespace simscope::eigenstates2d
