// Round numbers for axes: tick positions in steps of 1, 2, or 5 times a power of ten, and their texts.
//
// Plain functions; any thread. Source of the idea: P. Heckbert, "Nice numbers for graph labels", Graphics Gems (1990).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sims/core/description.h"

namespace simscope::render {

struct AxisTicks {
  double step = 0;                  // between major ticks; 0 if the range is empty or not finite
  int exponent = 0;                 // labels are in units of 10^exponent, a multiple of three; 0 for ordinary sizes
  std::vector<double> major;        // ascending, within [low, high]
  std::vector<double> minor;        // between them
  std::vector<std::string> labels;  // one per major tick
};

// At most `most` (≥ 1) major ticks on [low, high], with as many minor ticks between as suit the step.
AxisTicks axisTicks(double low, double high, int most);

// For an axis in decades: `low` and `high` are decimal logarithms, and so are the ticks' positions; the labels are the
// numbers. Powers of ten, with their multiples between; within few decades 1, 2, and 5 of each; for still smaller
// ranges, round numbers.
AxisTicks decadeTicks(double low, double high, int most);

// Names for the intervals 0 to 1, 1 to 2, and so on, at their middles.
AxisTicks namedTicks(const std::vector<std::string>& names, double low, double high);

// `value` with as many decimals as ticks `step` apart need, a true minus sign, and no "−0".
std::string tickLabel(double value, double step);

// `value` with `digits` significant digits, in ordinary notation: 0.0345, 12.3, −4.1×10⁻⁷.
std::string numberText(double value, int digits);

// 10^exponent in Unicode superscripts: "10⁻³".
std::string powerOfTen(int exponent);

// Whether a unit takes SI prefixes: m, s, Hz, but not "length".
bool takesPrefix(const std::string& unit);

// The unit of labels in 10^exponent (a multiple of three): "µm" and "GHz" for units that take SI prefixes, "10⁻⁶
// length" for others, "10⁻⁶" without a unit.
std::string scaledUnit(const std::string& unit, int exponent);

// 1048576 → "1,048,576"
std::string countText(std::int64_t count);

// `time` with the decimals that steps of `time_step` need: at least two, at most six. time_step 0: unknown.
std::string timeText(double time, double time_step);
// "t = 15.00 s", "n = 1,000,000 darts".
std::string clockText(const ClockInfo& clock, double time, double time_step);
// Likewise, with the time as `number` unless the clock counts.
std::string clockText(const ClockInfo& clock, double time, const std::string& number);

}  // namespace simscope::render
