// The exact colours of curves. Plain functions; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "app/render/figure/colour_set.h"
#include "app/render/figure/figure.h"
#include "sims/core/view.h"

namespace simscope::render {

std::vector<std::uint32_t> curveColours(const View& view, const FigureOptions& options);
// Lines, grid, and areas.
void addCurveColours(ColourSet& set, const ThemeColours& colours);

}  // namespace simscope::render
