// Helpers of this folder's tests.
#pragma once

#include <string>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/descent/descent.h"

namespace simscope::descent::tests {

using simscope::tests::changed;
using simscope::tests::Changes;
using simscope::tests::cpu;
using simscope::tests::sameBits;

inline ParameterSet with(const Changes& changes, ParameterSet set = description().defaults()) {
  return changed(std::move(set), changes);
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

class Session : public simscope::tests::Run<Descent, Diagnostic> {
 public:
  explicit Session(const ParameterSet& set, compute::DevicePtr device = cpu()) : Run(set, 1, std::move(device)) {}
  explicit Session(const Changes& changes, compute::DevicePtr device = cpu()) : Session(with(changes), device) {}
};

inline const Changes kSmall{{"starts", "32"}};
inline const Changes kBowl{{"starts", "32"}, {"surface", "bowl"}, {"half_edge", "4"}};
inline const char* const kSurfaces[] = {"bowl", "rosenbrock", "himmelblau", "rastrigin", "beale", "ackley", "formula"};
inline const char* const kMethods[] = {"plain", "momentum", "nesterov", "adam", "bfgs"};

}  // namespace simscope::descent::tests
