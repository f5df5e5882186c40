#include "sims/core/region.h"

#include <algorithm>
#include <cstddef>

namespace simscope {
namespace {

struct Seed {
  int x, y;
};

}  // namespace

std::vector<CellBlock> regionAround(int width, int height, std::span<const std::uint8_t> kinds, int x, int y) {
  if (x < 0 || y < 0 || x >= width || y >= height) return {};
  const auto at = [width](int column, int row) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
  };
  const std::uint8_t kind = kinds[at(x, y)];
  std::vector<std::uint8_t> reached(kinds.size());
  std::vector<Seed> seeds{{x, y}};
  const auto open = [&](int column, int row) { return kinds[at(column, row)] == kind && !reached[at(column, row)]; };
  while (!seeds.empty()) {
    const Seed seed = seeds.back();
    seeds.pop_back();
    if (!open(seed.x, seed.y)) continue;
    int left = seed.x, right = seed.x + 1;
    while (left > 0 && open(left - 1, seed.y)) --left;
    while (right < width && open(right, seed.y)) ++right;
    std::fill(reached.begin() + static_cast<std::ptrdiff_t>(at(left, seed.y)),
              reached.begin() + static_cast<std::ptrdiff_t>(at(right - 1, seed.y) + 1), std::uint8_t{1});
    for (const int row : {seed.y - 1, seed.y + 1}) {
      if (row < 0 || row >= height) continue;
      for (int column = left; column < right; ++column) {
        const bool begins = column == left || !open(column - 1, row);
        if (begins && open(column, row)) seeds.push_back({column, row});
      }
    }
  }
  // Equal stretches of rows that follow each other are one rectangle.
  std::vector<CellBlock> blocks, above, here;
  for (int row = 0; row < height; ++row) {
    here.clear();
    for (int column = 0; column < width; ++column) {
      if (!reached[at(column, row)]) continue;
      const int left = column;
      while (column < width && reached[at(column, row)]) ++column;
      CellBlock block{left, row, column, row + 1};
      const auto same = std::find_if(above.begin(), above.end(), [&](const CellBlock& each) {
        return each.left == block.left && each.right == block.right;
      });
      if (same != above.end()) {
        block.top = same->top;
        above.erase(same);
      }
      here.push_back(block);
    }
    blocks.insert(blocks.end(), above.begin(), above.end());
    above.swap(here);
  }
  blocks.insert(blocks.end(), above.begin(), above.end());
  return blocks;
}

}  // namespace simscope
