// Helpers of this folder's tests: parameters from key=value pairs, and runs to a diagnostic.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sims/core/stepper.h"
#include "sims/tunneling/simulation.h"

namespace simscope::tunneling::testing {

using Changes = std::vector<std::pair<std::string, std::string>>;

inline ParameterSet with(const Changes& changes, ParameterSet set = description().defaults()) {
  for (const auto& [key, value] : changes) set.setText(key, value);
  return set;
}

inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

inline compute::DevicePtr cpu() {
  static const compute::DevicePtr device = compute::Device::open("cpu", 1);
  return device;
}

inline Stepper start(const ParameterSet& parameters, compute::DevicePtr device = cpu()) {
  return Stepper(description(), std::move(device), parameters, 0);
}

// ψ of a state, widened to double.
inline std::vector<Complex<double>> psiOf(const State& state) {
  const StateArray& array = *state.find("psi");
  std::vector<Complex<double>> psi(array.shape.at(0));
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
inline double relativeDistance(const std::vector<Complex<double>>& a, const std::vector<Complex<double>>& b) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += norm2(a[i] - b[i]);
    whole += norm2(b[i]);
  }
  return a.size() == b.size() ? std::sqrt(difference / whole) : 1e300;
}

}  // namespace simscope::tunneling::testing
