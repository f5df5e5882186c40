// An array that another program computed, placed into a simulation's state.
//
// It has the shape of Description::state_array (axes of length 1 do not count), or, of bodies, a row for each with the
// columns of the state's arrays in their order: of N-body x y z, then v_x v_y v_z, then the mass. Any of NumPy's real,
// whole, and complex types, either byte order, C or Fortran order; a complex array for ψ, a real one for all else.
// Numbers become those of the state: complex128 is rounded where the scene computes in single precision.
// Plain host data; any thread. Errors: UsageError naming the file, what it has, and what fits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sims/core/simulation.h"
#include "sims/core/state.h"

namespace simscope::judge {

struct Submission {
  State state;                      // the own run's, with what was handed in in place of its own
  std::vector<std::string> arrays;  // of the state that it replaces: "psi"
  std::string told;                 // "complex64 (4096,)"
};

// `own`: the state of the scene's own run at the time that is judged, `entries` what it is made of.
Submission placed(const std::filesystem::path& file, const Description& description, const State& own,
                  const std::vector<Simulation::StateEntry>& entries);

// How far the second lies from the first, relative to the first: ‖b - a‖/‖a‖. Of ψ after the phase that brings them
// nearest, which nothing can measure; `phase` is that one in radians, NaN of real arrays.
struct Distance {
  double relative = 0, phase = 0;
};
Distance distance(const StateArray& own, const StateArray& theirs);

}  // namespace simscope::judge
