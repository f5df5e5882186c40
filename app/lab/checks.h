// Checks a lesson's kernels against a plain loop, so that no number of a wrong result is shown. Every lesson's checks
// end in requireRight; its exception ends the lesson (Outcome), which then has no numbers.
//
// Thread: the device's. Errors: Error, with the place and both values.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "sims/compute/device.h"
#include "sims/compute/fault.h"

namespace simscope::lab {

// Throws `why` unless `right`. Tests request a wrong result by the fault "result".
inline void requireRight(bool right, const std::string& why) {
  if (!right || compute::faultAt(compute::FaultPlace::Result)) throw Error(why);
}

// Throws unless `got` is `expected` within `tolerance`, relative where |expected| is more than 1.
inline void requireValue(const std::string& what, double got, double expected, double tolerance) {
  const bool right = std::abs(got - expected) <= tolerance * std::max(1.0, std::abs(expected));
  if (right && !compute::anyFault()) return;  // formatting every message would take longer than the checks
  requireRight(right, fmt::format("{} gave {}, but a plain loop gives {}: its time is not valid", what, got, expected));
}

// The same for `n` values in the device's memory, at their beginning, middle, and end; expected(i): on the host. Waits.
template <class T, class Expected>
void requireValues(const std::string& what, compute::Device& device, const T* values, std::size_t n, double tolerance,
                   const Expected& expected) {
  constexpr std::size_t kWindow = 5000;  // longer than the elements of any block of threads
  std::vector<T> window(std::min(n, kWindow));
  for (const std::size_t from : {std::size_t{0}, (n - window.size()) / 2, n - window.size()}) {
    device.download(window.data(), values + from, window.size() * sizeof(T));
    for (std::size_t i = 0; i < window.size(); ++i) {
      requireValue(fmt::format("{} at {}", what, from + i), static_cast<double>(window[i]),
                   static_cast<double>(expected(from + i)), tolerance);
    }
  }
}

}  // namespace simscope::lab
