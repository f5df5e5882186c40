// Helpers of this folder's tests.
#pragma once

#include <utility>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"
#include "sims/schrodinger2d/physics.h"
#include "sims/schrodinger2d/simulation.h"

namespace simscope::schrodinger2d::tests {

using simscope::tests::changed;
using simscope::tests::Changes;
using simscope::tests::channelOf;
using simscope::tests::psiOf;
using simscope::tests::refusal;
using simscope::tests::refusedParameter;
using simscope::tests::relativeDifference;
using simscope::tests::sameBits;
using Wave = std::vector<Complex<double>>;

// The defaults without absorbing edges, so that the norm reveals every error.
inline ParameterSet closed() {
  return changed(description().defaults(), {{"absorbing_edges", "off"}});
}
inline ParameterSet with(const Changes& changes, ParameterSet set = closed()) {
  return changed(std::move(set), changes);
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

inline compute::DevicePtr cpu() {
  static const compute::DevicePtr device = simscope::tests::cpu();
  return device;
}
inline Stepper start(const ParameterSet& parameters, compute::DevicePtr device = cpu()) {
  return Stepper(description(), std::move(device), parameters, 0);
}
inline Stepper start(const Changes& changes) {
  return start(with(changes));
}

// A small plane in double precision without a potential, for further changes.
inline ParameterSet small(const Changes& changes) {
  return with(changes, with({{"grid_points", "128"},
                             {"domain_length", "20"},
                             {"potential", "none"},
                             {"packet_x", "-3"},
                             {"packet_y", "1"},
                             {"packet_width", "0.9"},
                             {"momentum_x", "2"},
                             {"momentum_y", "-1"},
                             {"time_step", "0.01"},
                             {"screen_x", "5"},
                             {"precision", "double"}}));
}

// Two packets in the small plane; the first is the same.
inline ParameterSet two(const Changes& changes) {
  return with(changes, small({{"second_packet", "on"},
                              {"second_x", "3"},
                              {"second_y", "-1"},
                              {"second_width", "0.9"},
                              {"second_momentum_x", "-2"},
                              {"second_momentum_y", "1"}}));
}

}  // namespace simscope::schrodinger2d::tests
