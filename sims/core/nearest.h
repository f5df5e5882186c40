// The valid value nearest to a number. Plain functions of the description; any thread.
#pragma once

#include <cstdint>

#include "sims/core/parameters.h"

namespace simscope {

// Of an Integer. `value` need not be an integer nor representable as one. Where two powers of two are equally far, the
// finer one.
std::int64_t nearestInteger(const ParameterInfo& info, double value);
// Of an Integer or a Real, of its kind; `number` is not NaN.
Value nearestValue(const ParameterInfo& info, double number);

}  // namespace simscope
