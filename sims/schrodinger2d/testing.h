// Helpers of this folder's tests: parameters from key=value pairs, runs, and waves as numbers.
#pragma once

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "sims/core/stepper.h"
#include "sims/schrodinger2d/physics.h"
#include "sims/schrodinger2d/simulation.h"

namespace simscope::schrodinger2d::testing {

using Changes = std::vector<std::pair<std::string, std::string>>;
using Wave = std::vector<Complex<double>>;

inline ParameterSet with(const Changes& changes, ParameterSet set = description().defaults()) {
  for (const auto& [key, value] : changes) set.setText(key, value);
  return set;
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

inline compute::DevicePtr cpu() {
  static const compute::DevicePtr device = compute::Device::open("cpu", 2);
  return device;
}
inline Stepper start(const ParameterSet& parameters, compute::DevicePtr device = cpu()) {
  return Stepper(description(), std::move(device), parameters, 0);
}
inline Stepper start(const Changes& changes) {
  return start(with(changes));
}

// A small plane in double precision with nothing in it, to be changed further.
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

// ψ of a state, widened to double.
inline Wave psiOf(const State& state) {
  const StateArray& array = *state.find("psi");
  Wave psi(array.shape.at(0) * array.shape.at(1));
  if (array.dtype == "<c16") {
    std::memcpy(psi.data(), array.bytes.data(), array.bytes.size());
  } else {
    std::vector<Complex<float>> narrow(psi.size());
    std::memcpy(narrow.data(), array.bytes.data(), array.bytes.size());
    for (std::size_t i = 0; i < psi.size(); ++i) psi[i] = {narrow[i].re, narrow[i].im};
  }
  return psi;
}

// ‖a - b‖/‖b‖
inline double relativeDistance(const Wave& a, const Wave& b) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += norm2(a[i] - b[i]);
    whole += norm2(b[i]);
  }
  return a.size() == b.size() ? std::sqrt(difference / whole) : 1e300;
}

inline bool sameArrays(const State& a, const State& b) {
  if (a.arrays.size() != b.arrays.size() || a.steps != b.steps || a.time != b.time) return false;
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    if (a.arrays[i].name != b.arrays[i].name || a.arrays[i].bytes != b.arrays[i].bytes) return false;
  }
  return true;
}

inline const Channel& channelOf(const Frame& frame, const std::string& key) {
  const Channel* const found = frame.find(key);
  if (!found) throw Error("no channel " + key);
  return *found;
}

// What a refused request says; empty where it was accepted.
template <class Request>
std::string refusal(const Request& request) {
  try {
    request();
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

}  // namespace simscope::schrodinger2d::testing
