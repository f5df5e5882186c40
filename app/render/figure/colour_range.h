// From a value to its place in a colour table, and the ticks of a colour bar. The shaders use the same rule.
//
// Plain functions and data; any thread. Errors: none; a range that is empty or not finite is given some extent.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "app/render/figure/figure.h"
#include "app/render/figure/ticks.h"

namespace simscope::render {

// A logarithmic range that begins at or below zero begins this far below its end instead.
constexpr double kLogDecades = 6;

struct ColourRange {
  Limits limits;
  FieldScale scale = FieldScale::Linear;
  bool symmetric = false;  // Gamma: the root is taken to either side of the middle

  // 0 at the low end, 1 at the high end, beyond them outside. Linear; Log: of the logarithm; Gamma: the square root of
  // the linear place, which lifts what is faint.
  double position(double value) const;
  double valueAt(double position) const;
};

// How values become colours.
struct ValueScale {
  FieldScale scale = FieldScale::Linear;
  bool symmetric = false;  // the range is centred on 0
  bool amplitude = false;  // the range begins at 0, or above
};
// As the view says, or as the options choose.
ValueScale valueScale(const FieldView& view, const FigureOptions& options);
// The range of the channel, or the user's.
ColourRange colourRange(const ValueScale& values, const Channel& channel, const std::optional<Limits>& chosen);

// The entry of a table for a position: clamped to its ends.
std::size_t colourEntry(double position, std::size_t entries);

// Linear ticks; powers of ten (and 2 to 9 times them as minor ticks) where a logarithmic range spans enough of them.
AxisTicks rangeTicks(const ColourRange& range, int most);
// The whole numbers below `kinds`, or every so manyth of them, called by their names where there are that many.
AxisTicks kindTicks(int kinds, int most, std::span<const std::string> names = {});

}  // namespace simscope::render
