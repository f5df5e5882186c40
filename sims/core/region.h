// A region bounded by drawing: the cells of a map that are connected with a given one. Plain functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace simscope {

// Columns [left, right) of rows [top, bottom).
struct CellBlock {
  int left = 0, top = 0, right = 0, bottom = 0;
  bool operator==(const CellBlock&) const = default;
};

// The cells of its kind that are connected with (x, y) by sides, as disjoint rectangles; deterministic, row by row.
// `kinds`: width × height, row-major. None where (x, y) lies outside.
std::vector<CellBlock> regionAround(int width, int height, std::span<const std::uint8_t> kinds, int x, int y);

}  // namespace simscope
