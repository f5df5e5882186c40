// Helpers of this folder's tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"
#include "sims/eigenstates/eigenstates.h"
#include "sims/eigenstates/problem.h"

namespace simscope::eigenstates::tests {

using simscope::tests::Changes;

inline ParameterSet with(const Changes& changes) {
  return simscope::tests::changed(description().defaults(), changes);
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}
inline Stepper runOf(const Changes& changes, compute::DevicePtr device) {
  return Stepper(description(), std::move(device), with(changes), 1);
}
inline double diagnostic(Stepper& run, const char* key) {
  return run.diagnostics()[description().diagnosticIndex(key)];
}

// A solved problem, and its numbers on the host.
struct Solution {
  Parameters p;
  Grid grid;
  std::vector<double> v, energies, exact, phi;  // v: as H has it; phi: state by state
  double orthonormality = 0;
  std::vector<double> residuals, estimates;

  const double* state(std::size_t n) const { return phi.data() + n * v.size(); }
};
inline Solution solved(const Changes& changes, const compute::DevicePtr& device) {
  Solution s;
  s.p = parametersWith(changes);
  device->run([&] {
    Problem problem(device, s.p);
    problem.solve();
    s.grid = problem.grid();
    s.v = problem.diagonal();
    s.energies = problem.energies();
    s.exact = problem.exactLevels();
    s.phi = problem.phi().toHost();
    s.orthonormality = problem.orthonormality();
    s.residuals = problem.residuals();
    s.estimates = problem.estimates();
  });
  return s;
}
// Sign changes of a row, where it is more than a tail.
inline int nodesOf(const Solution& s, std::size_t n) {
  const double* const row = s.state(n);
  double largest = 0, before = 0;
  for (std::size_t i = 0; i < s.v.size(); ++i) largest = std::max(largest, std::abs(row[i]));
  int nodes = 0;
  for (std::size_t i = 0; i < s.v.size(); ++i) {
    if (std::abs(row[i]) < 1e-7 * largest) continue;
    nodes += before * row[i] < 0;
    before = row[i];
  }
  return nodes;
}

}  // namespace simscope::eigenstates::tests
