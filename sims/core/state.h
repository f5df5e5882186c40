// A simulation's whole state in host memory: the object that save, load, and a switch of the backend use.
// Loading a state into a simulation of the same parameters continues the run bit for bit on the same backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sims/compute/error.h"
#include "sims/core/parameters.h"

namespace simscope {

// Rows of an array, along its first axis.
struct StateRows {
  std::size_t first = 0, count = 0;
};

// An array that is not in memory; readers fetch the rows that they need. Thread: any, several at once. Errors:
// UsageError where it is damaged or no longer exists.
class StateSource {
 public:
  virtual ~StateSource() = default;
  virtual std::size_t bytes() const = 0;  // of all rows
  virtual std::vector<std::byte> read(StateRows rows) const = 0;
  virtual std::string digest() const = 0;  // equal for equal bytes
};

struct StateArray {
  std::string name = {};                           // "psi"
  std::string dtype = {};                          // NumPy's: "<c8", "<c16", "<f4", "<f8", "<i4"
  std::vector<std::size_t> shape = {};             // row-major
  std::vector<std::byte> bytes = {};               // of all rows, unless one of these is set:
  std::optional<StateRows> part = {};              // the rows that `bytes` has, of an array that ranks hold in parts
  std::shared_ptr<const StateSource> source = {};  // from which rows are read; `bytes` is then empty
};

// The values as they lie in memory. A T may hold several components: the shape then has them last.
template <class T>
StateArray arrayOf(std::string name, std::string dtype, std::vector<std::size_t> shape, const std::vector<T>& values) {
  StateArray array{std::move(name), std::move(dtype), std::move(shape), {}};
  const auto bytes = std::as_bytes(std::span<const T>(values));
  array.bytes.assign(bytes.begin(), bytes.end());
  return array;
}

// The caller checks type and shape.
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
    for (const auto& a : arrays) sum += a.source ? a.source->bytes() : a.bytes.size();
    return sum;
  }
};

}  // namespace simscope
