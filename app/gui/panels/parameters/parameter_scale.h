// Between a parameter's value and its place on a slider, and the round values that a slider's stroke gives.
// Plain functions of the description; any thread.
#pragma once

#include "sims/core/parameters.h"

namespace simscope::gui {

// Whether it is a number that any place of a slider is a value of: powers of two are chosen from a list.
bool isSlidable(const ParameterInfo& info);
// The place of a value in [0, 1]. Log scales are logarithmic; linear ranges much wider than the default value are cubic
// about zero (or about the end nearest to it), so that small values can be reached.
double sliderPlace(const ParameterInfo& info, double value);
// The value at a place, rounded to about 1/200 of what lies around it (1/2000 where `fine`), inside the range.
double sliderValue(const ParameterInfo& info, double place, bool fine);

// Integer and Real values as a number.
double numberOf(const Value& value);
// A value of the parameter's kind, unchecked.
Value valueOf(const ParameterInfo& info, double number);

}  // namespace simscope::gui
