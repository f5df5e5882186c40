// Helpers of this folder's tests.
#pragma once

#include <utility>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/diffraction/diffraction.h"

namespace simscope::diffraction::tests {

using simscope::tests::changed;
using simscope::tests::Changes;
using simscope::tests::channelOf;
using simscope::tests::cpu;
using simscope::tests::hasFinding;
using simscope::tests::refusal;
using simscope::tests::refusedParameter;
using simscope::tests::relativeDifference;
using simscope::tests::sameBits;

inline ParameterSet with(const Changes& changes, ParameterSet set = description().defaults()) {
  return changed(std::move(set), changes);
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

class Session : public simscope::tests::Run<Diffraction, Diagnostic> {
 public:
  explicit Session(const Changes& changes, compute::DevicePtr device = cpu())
      : Run(with(changes), 1, std::move(device)) {}

  Diffraction& run() { return simulation(); }
  std::vector<float> pattern() { return values<float>("pattern"); }
};

}  // namespace simscope::diffraction::tests
