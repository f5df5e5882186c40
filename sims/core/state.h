// A simulation's whole state in host memory: what save, load, and a switch of the backend move.
// Loading a state into a simulation of the same parameters continues the run bit for bit on the same backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sims/compute/error.h"
#include "sims/core/parameters.h"

namespace simscope {

struct StateArray {
  std::string name = {};                // "psi"
  std::string dtype = {};               // NumPy's: "<c8", "<c16", "<f4", "<f8", "<i4"
  std::vector<std::size_t> shape = {};  // row-major
  std::vector<std::byte> bytes = {};
};

struct State {
  std::string simulation;  // its id
  ParameterSet parameters;
  std::uint64_t seed = 0;
  std::int64_t steps = 0;
  double time = 0;
  std::vector<StateArray> arrays;

  const StateArray* find(std::string_view name) const noexcept {
    for (const auto& a : arrays) {
      if (a.name == name) return &a;
    }
    return nullptr;
  }
  std::size_t bytes() const noexcept {
    std::size_t sum = 0;
    for (const auto& a : arrays) sum += a.bytes.size();
    return sum;
  }
};

}  // namespace simscope
