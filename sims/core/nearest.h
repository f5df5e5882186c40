// The valid value nearest to a number. Plain functions of the description; any thread.
#pragma once

#include <cstdint>

#include "sims/core/parameters.h"

namespace simscope {

// For an Integer. `value` need not be an integer nor representable as one. Of two equally near powers of two, the finer
// one.
std::int64_t nearestInteger(const ParameterInfo& info, double value);
// For an Integer or a Real, as a value of that kind; `number` must not be NaN.
Value nearestValue(const ParameterInfo& info, double number);

}  // namespace simscope
