// Large figures are drawn in tiles: if the driver's largest picture is smaller than the figure, or if the intermediate
// data would take too much memory. Every tile shows exactly its part of the whole.
//
// Plain data and functions; any thread (limitsOfDriver: the GL context's).
#pragma once

#include <cstdint>
#include <vector>

#include "app/render/figure/figure.h"

namespace simscope::render {

// A part of a figure; pixels from its upper left corner, y down.
struct Tile {
  int left = 0, top = 0, width = 0, height = 0;
  bool empty() const noexcept { return width <= 0 || height <= 0; }
};

// The driver's limits, within the requested ones (0: none).
FigureLimits limitsOfDriver(const FigureLimits& asked);

// The tiles of `whole`, row by row: of about the same size, at most `side` pixels wide and high, with at most `pixels`
// pixels. Their edges lie at multiples of `grid` pixels from the corner of `whole`.
std::vector<Tile> tilesOf(const Tile& whole, const FigureLimits& limits, int grid = 1);

// The part of a plot that a tile shows, with `margin` pixels around it within the plot: from the plot's upper left
// corner. Empty if they do not meet.
Tile partOf(const PlotArea& plot, const Tile& tile, int margin = 0);

// `times` as large in both directions.
PlotArea enlarged(PlotArea area, int times);

}  // namespace simscope::render
