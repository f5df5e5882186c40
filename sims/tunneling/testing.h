// Helpers of this folder's tests.
#pragma once

#include <utility>

#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"
#include "sims/tunneling/simulation.h"

namespace simscope::tunneling::tests {

using simscope::tests::changed;
using simscope::tests::Changes;
using simscope::tests::psiOf;
using simscope::tests::relativeDifference;

inline ParameterSet with(const Changes& changes, ParameterSet set = description().defaults()) {
  return changed(std::move(set), changes);
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

// From the documents' values: a periodic domain of 4096 points, and a time step of 0.05.
inline ParameterSet documented(const Changes& changes) {
  return with(changes, description().preset("document"));
}

inline compute::DevicePtr cpu() {
  static const compute::DevicePtr device = simscope::tests::cpu(1);
  return device;
}
inline Stepper start(const ParameterSet& parameters, compute::DevicePtr device = cpu()) {
  return Stepper(description(), std::move(device), parameters, 0);
}

}  // namespace simscope::tunneling::tests
