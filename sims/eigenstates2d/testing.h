// Helpers of this folder's tests.
#pragma once

#include <string>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"
#include "sims/eigenstates2d/eigenstates2d.h"
#include "sims/eigenstates2d/exact.h"

namespace simscope::eigenstates2d::tests {

using simscope::tests::Changes;

inline ParameterSet with(const Changes& changes) {
  return simscope::tests::changed(description().defaults(), changes);
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}
inline Stepper runOf(const Changes& changes, compute::DevicePtr device, std::uint64_t seed = 1) {
  return Stepper(description(), std::move(device), with(changes), seed);
}
inline double diagnostic(Stepper& run, const char* key) {
  return run.diagnostics()[description().diagnosticIndex(key)];
}

// A solver at rest, and its numbers on the host.
struct Solution {
  Parameters p;
  Landscape landscape;
  std::vector<double> energies, residuals, exact, states;
  double orthonormality = 0;
  int iterations = 0;
  bool converged = false;

  double at(std::size_t n, int x, int y) const {
    const auto side = static_cast<std::size_t>(p.grid_points);
    return states[(n * side + static_cast<std::size_t>(y)) * side + static_cast<std::size_t>(x)];
  }
};
inline Solution solved(const Changes& changes, const compute::DevicePtr& device, std::uint64_t seed = 1) {
  Solution s;
  s.p = parametersWith(changes);
  device->run([&] {
    Solver solver(device, s.p);
    solver.start(seed);
    constexpr int kPatience = 60;
    for (int i = 0; i < kPatience && !solver.converged(); ++i) solver.iterate();
    s.landscape = solver.landscape();
    s.energies = solver.energies();
    s.energies.resize(static_cast<std::size_t>(s.p.states));
    s.residuals = solver.residuals();
    s.exact = exactLevels(s.p, s.p.states);
    s.states = solver.states().toHost();
    s.orthonormality = solver.orthonormality();
    s.iterations = solver.iterations();
    s.converged = solver.converged();
  });
  return s;
}
inline double largestError(const Solution& s) {
  double worst = 0;
  for (std::size_t n = 0; n < s.exact.size(); ++n) worst = std::max(worst, std::abs(s.energies[n] - s.exact[n]));
  return worst;
}

}  // namespace simscope::eigenstates2d::tests
