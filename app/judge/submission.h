// An array computed by another program, placed into a simulation's state.
//
// It has the shape of Description::state_array (axes of length 1 are ignored), or, for bodies, a row for each with the
// columns of the state's arrays in their order: for N-body x y z, then v_x v_y v_z, then the mass. Any of NumPy's real,
// integer, and complex types, either byte order, C or Fortran order; a complex array for ψ, a real one otherwise.
// Numbers are converted to the state's type: complex128 is rounded if the scene computes in single precision.
// Plain host data; any thread. Errors: UsageError naming the file, its content, and what would fit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sims/compute/device.h"
#include "sims/core/simulation.h"
#include "sims/core/state.h"

namespace simscope::judge {

struct Submission {
  State state;                      // the own run's, with the submitted array in place of its own
  std::vector<std::string> arrays;  // of the state, that it replaces: "psi"
  std::string told;                 // "complex64 (4096,)"
};

// `own`: the state of the scene's own run at the judged time, `entries` its arrays. `device`: where a grid of the
// submitted size is tried before a message proposes it.
Submission placed(const std::filesystem::path& file, const Description& description, const State& own,
                  const std::vector<Simulation::StateEntry>& entries, const compute::DevicePtr& device);

// Its numbers; of complex ones both components, one behind the other.
std::vector<double> doublesOf(const StateArray& array);
// Writes them as the array has them; UsageError if its type cannot hold one.
void fill(StateArray& array, const std::vector<double>& numbers);

// The relative distance of the second from the first: ‖b - a‖/‖a‖. For ψ after the phase rotation that minimises it,
// since a global phase is not measurable; `phase` is that rotation in radians, NaN for real arrays.
struct Distance {
  double relative = 0, phase = 0;
};
Distance distance(const StateArray& own, const StateArray& theirs);

}  // namespace simscope::judge
