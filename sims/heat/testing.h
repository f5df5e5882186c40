// Helpers of this folder's tests.
#pragma once

#include <utility>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/heat/heat.h"

namespace simscope::heat::tests {

using simscope::tests::changed;
using simscope::tests::Changes;
using simscope::tests::channelOf;
using simscope::tests::cpu;
using simscope::tests::hasFinding;
using simscope::tests::sameBits;

inline ParameterSet with(const Changes& changes, ParameterSet set = description().defaults()) {
  return changed(std::move(set), changes);
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

class Session : public simscope::tests::Run<Heat, Diagnostic> {
 public:
  explicit Session(const Changes& changes, std::uint64_t seed = 1, compute::DevicePtr device = cpu())
      : Run(with(changes), seed, std::move(device)) {}

  Heat& heat() { return simulation(); }
  std::vector<float> field() { return values<float>("temperature"); }
  void setField(const std::vector<float>& values) { setValues("temperature", values); }
};

// Under address sanitizing everything takes a dozen times longer.
inline constexpr bool kSlow = SIMSCOPE_SANITIZE;

}  // namespace simscope::heat::tests
