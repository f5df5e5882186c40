// Real numbers as indices: a cast of a number that the type does not hold is undefined, of NaN as well.
#pragma once

#include "sims/compute/host_device.h"

namespace simscope::compute {

// The whole part of `at`, no less than `low` and no more than `high`; `low` for NaN.
SIMSCOPE_HD inline int wholeWithin(double at, int low, int high) {
  return at > low ? (at < high ? static_cast<int>(at) : high) : low;
}

}  // namespace simscope::compute
