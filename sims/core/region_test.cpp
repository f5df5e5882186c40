// A shape of the brush holds the cells whose middles it covers; a region the cells that hang together.
#include "sims/core/region.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sims/core/simulation.h"

namespace simscope {
namespace {

struct Map {
  int width = 0, height = 0;
  std::vector<std::uint8_t> kinds;

  explicit Map(const std::vector<std::string>& rows)
      : width(static_cast<int>(rows.front().size())), height(static_cast<int>(rows.size())) {
    for (const std::string& row : rows) kinds.insert(kinds.end(), row.begin(), row.end());
  }
  // The same map with the region as x; a cell that is held twice becomes a 2.
  std::vector<std::string> filled(int x, int y) const {
    std::vector<std::string> rows;
    for (int row = 0; row < height; ++row) {
      const auto begin = kinds.begin() + row * width;
      rows.emplace_back(begin, begin + width);
    }
    for (const CellBlock& block : regionAround(width, height, kinds, x, y)) {
      for (int row = block.top; row < block.bottom; ++row) {
        for (int column = block.left; column < block.right; ++column) {
          char& cell = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
          cell = cell == 'x' ? '2' : 'x';
        }
      }
    }
    return rows;
  }
};

TEST(ARegion, EndsAtWhatIsDrawnAndDoesNotPassCorners) {
  const Map map({"..#...",  //
                 ".#.#..",  //
                 "#...#.",  //
                 ".#.#..",  //
                 "..#..."});
  EXPECT_EQ(map.filled(2, 2), (std::vector<std::string>{"..#...", ".#x#..", "#xxx#.", ".#x#..", "..#..."}));
  EXPECT_EQ(map.filled(0, 0), (std::vector<std::string>{"xx#...", "x#.#..", "#...#.", ".#.#..", "..#..."}));
  EXPECT_EQ(map.filled(5, 2), (std::vector<std::string>{"..#xxx", ".#.#xx", "#...#x", ".#.#xx", "..#xxx"}));
  EXPECT_EQ(map.filled(2, 0), (std::vector<std::string>{"..x...", ".#.#..", "#...#.", ".#.#..", "..#..."}));
}

TEST(ARegion, IsFoundAroundBendsAndHolesWithEveryCellOnce) {
  const Map map({".......",  //
                 ".####..",  //
                 ".#..#..",  //
                 ".#.##..",  //
                 ".#....."});
  EXPECT_EQ(map.filled(6, 4), (std::vector<std::string>{"xxxxxxx", "x####xx", "x#xx#xx", "x#x##xx", "x#xxxxx"}));
}

TEST(ARegion, OfAnEmptyMapIsOneRectangleAndNoneOutside) {
  const std::vector<std::uint8_t> kinds(12);
  EXPECT_EQ(regionAround(4, 3, kinds, 1, 2), (std::vector<CellBlock>{{0, 0, 4, 3}}));
  EXPECT_TRUE(regionAround(4, 3, kinds, 4, 0).empty());
  EXPECT_TRUE(regionAround(4, 3, kinds, 0, -1).empty());
}

Brush shaped(BrushShape shape, double x0, double y0, double x1, double y1) {
  return {.tool = "t", .x = x1, .y = y1, .dx = x1 - x0, .dy = y1 - y0, .radius = 3, .shape = shape};
}

TEST(ABrushShape, HoldsExactlyTheCellsWhoseMiddlesLieInIt) {
  for (const bool other_way : {false, true}) {
    Brush rectangle = shaped(BrushShape::Rectangle, -4.3, 2.1, 5.2, 7.9);
    Brush ellipse = shaped(BrushShape::Ellipse, -4.3, 2.1, 5.2, 7.9);
    if (other_way) {
      rectangle = shaped(BrushShape::Rectangle, 5.2, 2.1, -4.3, 7.9);
      ellipse = shaped(BrushShape::Ellipse, 5.2, 2.1, -4.3, 7.9);
    }
    const compute::Capsule square = rectangle.cells(0.5, 32), round = ellipse.cells(0.5, 32);
    int held = 0;
    for (int j = 0; j < 64; ++j) {
      for (int i = 0; i < 64; ++i) {
        const double x = 0.5 * (i - 32), y = 0.5 * (j - 32);
        EXPECT_EQ(square.holds(i, j), x >= -4.3 && x <= 5.2 && y >= 2.1 && y <= 7.9) << x << ", " << y;
        const double u = (x - 0.45) / 4.75, v = (y - 5.0) / 2.9;
        EXPECT_EQ(round.holds(i, j), u * u + v * v <= 1) << x << ", " << y;
        held += round.holds(i, j) ? 1 : 0;
      }
    }
    // Its area in cells, but for the border's.
    EXPECT_NEAR(held, 3.14159265 * 4.75 * 2.9 / 0.25, 12);
  }
}

// Soft edges rest on it.
TEST(ABrushShape, TellsHowDeepAPlaceLies) {
  const compute::Capsule square = shaped(BrushShape::Rectangle, 0, 0, 8, 4).covered(1, 0.1);
  EXPECT_DOUBLE_EQ(square.depth(4, 2), 2);
  EXPECT_DOUBLE_EQ(square.depth(1, 2), 1);
  EXPECT_DOUBLE_EQ(square.depth(9.5, 2), -1.5);
  const compute::Capsule disc = shaped(BrushShape::Ellipse, 0, 0, 6, 6).covered(1, 0.1);
  EXPECT_NEAR(disc.depth(3, 1), 1, 1e-12);
  EXPECT_NEAR(disc.depth(3, 7), -1, 1e-12);
  EXPECT_DOUBLE_EQ(disc.depth(3, 3), 3);
  const compute::Capsule way = shaped(BrushShape::Way, 0, 0, 6, 0).covered(2, 0.1);
  EXPECT_DOUBLE_EQ(way.depth(3, 1.5), 0.5);
}

TEST(ABrushShape, ThinnerThanACellStillMeetsOne) {
  for (const BrushShape shape : {BrushShape::Rectangle, BrushShape::Ellipse}) {
    const compute::Capsule thin = shaped(shape, 0.37, 1.2, 0.38, 1.21).cells(1);
    int held = 0;
    for (int j = -4; j < 8; ++j) {
      for (int i = -4; i < 8; ++i) held += thin.holds(i, j) ? 1 : 0;
    }
    EXPECT_EQ(held, 1) << static_cast<int>(shape);
  }
}

}  // namespace
}  // namespace simscope
