#include "sims/compute/loops/boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace simscope::compute {
namespace {

TEST(Boxes, CoverThePlaneOnceRowByRow) {
  for (const int n : {1, 5, 12, 64}) {
    for (const int factor : {1, 2, 5, 7, 100}) {
      const Boxes boxes{n, factor};
      std::vector<int> seen(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
      for (int row = 0; row < boxes.side(); ++row) {
        for (int column = 0; column < boxes.side(); ++column) {
          std::vector<std::size_t> own;
          boxes.each(column, row, [&](std::size_t i) { own.push_back(i); });
          EXPECT_TRUE(std::is_sorted(own.begin(), own.end()));
          EXPECT_EQ(static_cast<int>(own.size()), boxes.count(column, row));
          for (const std::size_t i : own) {
            ++seen[i];
            EXPECT_EQ(static_cast<int>(i) % n / factor, column);
            EXPECT_EQ(static_cast<int>(i) / n / factor, row);
          }
        }
      }
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), n * n) << n << ", " << factor;
    }
  }
}

TEST(Boxes, AreTheSmallestThatAreFewEnough) {
  for (const int n : {1, 2, 63, 64, 65, 1000, 4096}) {
    for (const int most : {1, 2, 64, 100, 4096}) {
      const Boxes boxes = boxesFor(n, most);
      EXPECT_LE(boxes.side(), most) << n;
      if (boxes.factor > 1) {
        EXPECT_GT((Boxes{n, boxes.factor - 1}).side(), most) << n;
      }
    }
  }
}

TEST(Boxes, MeansAreOverWhatLiesInThePlane) {
  const Boxes boxes{5, 3};  // the last box of a row has 2 columns, that of a column 2 rows
  const auto value = [](std::size_t i) { return static_cast<double>(i); };
  EXPECT_EQ(boxes.mean<double>(0, 0, value), 6);    // around (1, 1)
  EXPECT_EQ(boxes.mean<double>(1, 0, value), 8.5);  // around (3½, 1)
  EXPECT_EQ(boxes.mean<double>(1, 1, value), 21);   // around (3½, 3½)
}

}  // namespace
}  // namespace simscope::compute
