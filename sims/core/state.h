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
#include <utility>
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

// The values as they lie in memory. A T may hold several components: the shape then has them last.
template <class T>
StateArray arrayOf(std::string name, std::string dtype, std::vector<std::size_t> shape, const std::vector<T>& values) {
  StateArray array{std::move(name), std::move(dtype), std::move(shape), {}};
  const auto bytes = std::as_bytes(std::span<const T>(values));
  array.bytes.assign(bytes.begin(), bytes.end());
  return array;
}

// Type and shape are the caller's to check.
template <class T>
std::vector<T> valuesOf(const StateArray& array) {
  std::vector<T> values(array.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), values.size() * sizeof(T));
  return values;
}

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
