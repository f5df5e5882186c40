// Real numbers as indices: a cast of a number outside the type's range, or of NaN, is undefined.
#pragma once

#include "sims/compute/host_device.h"

namespace simscope::compute {

// The whole part of `at`, at least `low` and at most `high`; `low` for NaN.
SIMSCOPE_HD inline int wholeWithin(double at, int low, int high) {
  return at > low ? (at < high ? static_cast<int>(at) : high) : low;
}

}  // namespace simscope::compute
