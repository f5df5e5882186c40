// The sum of two values, for reductions (sims/compute/loops/parallel.h): of numbers, of what has an operator +, and of
// plain structs of doubles, field by field. A host-device functor.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "sims/compute/host_device.h"

namespace simscope::compute {

namespace detail {

// Whether as many doubles as have room in a T are its fields: none of another type takes a double without narrowing.
template <class T, std::size_t... K>
consteval bool hasDoublesAlone(std::index_sequence<K...>) {
  return requires(double number) {
    T{(static_cast<void>(K), number)...};
  };
}

}  // namespace detail

struct Plus {
  template <class T>
  SIMSCOPE_HD T operator()(const T& a, const T& b) const {
    if constexpr (requires { a + b; }) {
      return a + b;
    } else {
      constexpr std::size_t kFields = sizeof(T) / sizeof(double);
      static_assert(detail::hasDoublesAlone<T>(std::make_index_sequence<kFields>()), "fields of other types: add them");
      auto sums = std::bit_cast<std::array<double, kFields>>(a);
      const auto more = std::bit_cast<std::array<double, kFields>>(b);
      for (std::size_t k = 0; k < kFields; ++k) sums[k] += more[k];
      return std::bit_cast<T>(sums);
    }
  }
};

}  // namespace simscope::compute
