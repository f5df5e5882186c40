// What the tests of several devices share.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sims/compute/fault.h"
#include "sims/core/registry.h"

namespace simscope::devices_test {

// Failures of the last device, counted from here; gone with it.
struct Faults {
  explicit Faults(const std::string& faults) { compute::setFaults(faults); }
  ~Faults() { compute::setFaults(""); }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;
};

// NaN is equal to itself.
inline std::vector<std::uint64_t> bitsOf(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double each : values) bits.push_back(std::bit_cast<std::uint64_t>(each));
  return bits;
}

inline ParameterSet smallHeat(const std::string& size = "131") {
  ParameterSet parameters = simulationById("heat").defaults();
  parameters.setText("grid_points", size);
  return parameters;
}

}  // namespace simscope::devices_test
