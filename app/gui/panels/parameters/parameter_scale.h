// Converts between a parameter's value and its position on a slider, with rounded values for the slider.
// Plain functions of the description; any thread.
#pragma once

#include "sims/core/parameters.h"

namespace simscope::gui {

// Whether every position of a slider gives a valid number: powers of two are chosen from a list instead.
bool isSlidable(const ParameterInfo& info);
// The position of a value in [0, 1]. Log scales are logarithmic; linear ranges much wider than the default value are
// cubic about zero (or about the end nearest to it), so that small values can be reached.
double sliderPlace(const ParameterInfo& info, double value);
// The value at a position, rounded to about 1/200 of the local scale (1/2000 if `fine`), inside the range.
double sliderValue(const ParameterInfo& info, double place, bool fine);

// Integer and Real values as a number.
double numberOf(const Value& value);
// A value of the parameter's kind, unchecked.
Value valueOf(const ParameterInfo& info, double number);

}  // namespace simscope::gui
