// Numbers as they are typed in decimal notation, and the valid value nearest to one. Plain functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sims/core/parameters.h"

namespace simscope {

// Nothing where the text is no number. A magnitude that double cannot hold gives 0 or Inf.
std::optional<double> readReal(std::string_view text);
// For an Integer. `value` need not be an integer nor representable as one. Of two equally near powers of two, the finer
// one.
std::int64_t nearestInteger(const ParameterInfo& info, double value);
// For an Integer or a Real, as a value of that kind; `number` must not be NaN.
Value nearestValue(const ParameterInfo& info, double number);

}  // namespace simscope
