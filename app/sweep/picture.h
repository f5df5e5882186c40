// A sweep as a picture by the program's own figure: over one parameter a curve for each diagnostic, with the exact one
// over it; over two a phase diagram, with the exact one beside it. Each diagnostic has its own panel.
//
// Plain data, made by any thread; drawn like every figure. The picture must outlive its drawing. Runs without a value
// are gaps. Errors: UsageError for more panels than kMostPanels.
#pragma once

#include "app/render/figure/figure.h"
#include "app/sweep/runner.h"

namespace simscope::sweep {

inline constexpr std::size_t kMostPanels = 6;

struct Picture {
  Description description;  // of no simulation: its views are the sweep's
  ParameterSet parameters;  // common to all runs; swept ones at their defaults, so that no caption names them
  Frame frame;
  render::FigureOptions options;
};

// The position of a value along its axis of the picture: decimal logarithms if the axis is in decades.
double placeOf(const Plan& plan, std::size_t axis, std::size_t value);
// Call before anything is computed: UsageError if the picture is not possible.
void checkPicture(const Plan& plan);
// `look`: size, scale, theme, and colours.
Picture pictureOf(const Plan& plan, const Result& result, const render::FigureOptions& look);

}  // namespace simscope::sweep
