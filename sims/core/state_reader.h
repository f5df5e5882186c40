// Reads a state for a simulation: every array is checked for its type, its shape, and its values before the simulation
// changes. A state may come from an untrusted file.
//
// Values that it returns are finite and in range, so that they may be cast and used as indices. Simulations use it
// through sims/core/archive.h. Of an array that is not in memory (StateSource) it reads the requested rows, and keeps
// them.
// Plain host data; one thread at a time. Errors: UsageError naming the simulation, the array, the index, and what is
// allowed.
#pragma once

#include <cstddef>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sims/compute/complex.h"
#include "sims/core/state.h"

namespace simscope {

// Inclusive. NaN and infinity are outside every range.
struct StateRange {
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
};

// One number of an array of "<f8" that holds many different ones.
struct StateField {
  const char* name;  // for messages: "half_edge"
  StateRange range = {};
  bool whole = false;
};
inline constexpr StateRange kYesOrNo{0, 1};

// NumPy's name of an element; a complex number is one element of two components.
template <class T>
inline constexpr const char* kDtypeOf = nullptr;
template <>
inline constexpr const char* kDtypeOf<float> = "<f4";
template <>
inline constexpr const char* kDtypeOf<double> = "<f8";
template <>
inline constexpr const char* kDtypeOf<int> = "<i4";
template <>
inline constexpr const char* kDtypeOf<compute::Complex<float>> = "<c8";
template <>
inline constexpr const char* kDtypeOf<compute::Complex<double>> = "<c16";

class StateReader {
 public:
  using Shape = std::vector<std::size_t>;

  // For a state of this simulation, with steps and a time that a run can have. The state must outlive the reader.
  StateReader(std::string simulation, const State& state);

  bool has(std::string_view array) const noexcept { return state_.find(array) != nullptr; }
  const StateArray& array(std::string_view name) const;  // unchecked; must exist
  // With `rows` only those are needed: the array then has `part`, or all rows.
  const StateArray& array(std::string_view name, const char* dtype, const Shape& shape, StateRange range,
                          std::optional<StateRows> rows = {}) const;
  template <class T>
  const StateArray& array(std::string_view name, const Shape& shape, StateRange range = {}) const {
    return array(name, kDtypeOf<T>, shape, range);
  }
  template <class T>
  std::vector<T> values(std::string_view name, const Shape& shape, StateRange range = {}) const {
    return valuesOf<T>(array<T>(name, shape, range));
  }
  // The values of an array that holds many different numbers; each has its own requirement.
  std::vector<double> numbers(std::string_view name, std::size_t count) const;
  void require(std::string_view array, std::size_t at, const StateField& field, double value) const;

  // "nbody: the state's array 'trails' must have …"
  [[noreturn]] void refuse(std::string_view array, const std::string& why) const;

 private:
  const StateArray& inMemory(const StateArray& found, std::optional<StateRows> rows) const;

  std::string simulation_;
  const State& state_;
  mutable std::list<StateArray> read_;
};

}  // namespace simscope
