// Maps a value to its position in a colour table, and gives the ticks of a colour bar. The shaders use the same rule.
//
// Plain functions and data; any thread. Errors: none; an empty or non-finite range is widened.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "app/render/figure/figure.h"
#include "app/render/figure/ticks.h"

namespace simscope::render {

// If a logarithmic range begins at or below zero, it begins this many decades below its end instead.
constexpr double kLogDecades = 6;

struct ColourRange {
  Limits limits;
  FieldScale scale = FieldScale::Linear;
  bool symmetric = false;  // Gamma: the root is taken on both sides of the middle

  // 0 at the low end, 1 at the high end, beyond these outside. Linear; Log: of the logarithm; Gamma: the square root of
  // the linear position, which brightens faint values.
  double position(double value) const;
  double valueAt(double position) const;
};

// The mapping of values to colours.
struct ValueScale {
  FieldScale scale = FieldScale::Linear;
  bool symmetric = false;  // the range is centred on 0
  bool amplitude = false;  // the range begins at 0, or above
};
// The view's, or the options' choice.
ValueScale valueScale(const FieldView& view, const FigureOptions& options);
// The channel's range, or the user's.
ColourRange colourRange(const ValueScale& values, const Channel& channel, const std::optional<Limits>& chosen);

// The entry of a table for a position: clamped to its ends.
std::size_t colourEntry(double position, std::size_t entries);

// Linear ticks; powers of ten (and 2 to 9 times them as minor ticks) where a logarithmic range spans enough of them.
AxisTicks rangeTicks(const ColourRange& range, int most);
// The whole numbers below `kinds`, or every n-th of them, with their names if there are that many.
AxisTicks kindTicks(int kinds, int most, std::span<const std::string> names = {});

}  // namespace simscope::render
