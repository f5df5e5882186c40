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

// Where the values of an axis lie in the picture, ascending, and which of the axis' values each is. A value's cell
// reaches half way to its neighbours, and at the ends as far outwards as inwards.
struct Places {
  std::vector<double> at;  // decimal logarithms if the axis is in decades
  std::vector<std::size_t> value;

  render::Limits cell(std::size_t place) const;
  std::size_t nearest(double at) const;  // a place; `at` is no NaN
  bool even() const;                     // equal distances
};
Places placesOf(const Plan& plan, std::size_t axis);
// Call before anything is computed: UsageError if the picture is not possible.
void checkPicture(const Plan& plan);
// `look`: size, scale, theme, and colours.
Picture pictureOf(const Plan& plan, const Result& result, const render::FigureOptions& look);

}  // namespace simscope::sweep
