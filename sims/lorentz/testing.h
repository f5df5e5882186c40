// Helpers of this folder's tests.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/lorentz/lorentz.h"

namespace simscope::lorentz::tests {

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

class Session : public simscope::tests::Run<Lorentz, Diagnostic> {
 public:
  explicit Session(const ParameterSet& set, compute::DevicePtr device = cpu()) : Run(set, 1, std::move(device)) {}
  explicit Session(const Changes& changes, compute::DevicePtr device = cpu()) : Session(with(changes), device) {}
};

// Few particles in each of the fields, at speeds that make them turn and bounce.
inline std::vector<Changes> everyField() {
  const Changes few{{"particles", "200"}, {"charges", "both"}, {"time_step", "0.02"}};
  return {
      few.with({{"configuration", "uniform"}, {"electric_field", "0.3"}, {"speed", "1"}}),
      few.with({{"configuration", "gradient"}, {"length", "10"}, {"speed", "1"}}),
      few.with({{"configuration", "bottle"}, {"length", "4"}, {"speed", "0.5"}, {"mirror_ratio", "60"}}),
      few.with({{"configuration", "dipole"},
                {"field", "200"},
                {"shell", "3"},
                {"speed", "1"},
                {"cloud", "0.1"},
                {"time_step", "0.005"}}),
      few.with(
          {{"configuration", "tokamak"}, {"field", "20"}, {"speed", "1"}, {"cloud", "0.1"}, {"time_step", "0.005"}})};
}
inline std::vector<Changes> everyRun() {
  std::vector<Changes> all;
  for (const Changes& field : everyField()) {
    for (const char* pusher : {"boris", "euler", "runge_kutta"}) {
      all.push_back(field.with({{"pusher", pusher}}));
      all.push_back(field.with({{"pusher", pusher}, {"relativistic", "on"}, {"light_speed", "2"}}));
    }
  }
  return all;
}

}  // namespace simscope::lorentz::tests
