#include "app/gui/gallery/grid.h"

#include <gtest/gtest.h>

namespace simscope::gallery {
namespace {

GridStyle style(float width) {
  return {.width = width, .margin = 20, .gap = 10, .least_card = 100, .heading = 30, .text = 40};
}

TEST(Grid, HasAsManyColumnsAsCardsOfTheLeastWidthFitAndFillsTheWidth) {
  const Grid three({7}, style(360));  // 320 within: three of 100 and two gaps
  EXPECT_EQ(three.columns(), 3);
  EXPECT_EQ(three.place(0).width, 100);
  const Grid still({7}, style(469));
  EXPECT_EQ(still.columns(), 3);
  EXPECT_GT(still.place(0).width, 130);
  EXPECT_LE(still.place(2).x + still.place(2).width, 469 - 20);
  EXPECT_EQ(Grid({7}, style(470)).columns(), 4);
  EXPECT_EQ(Grid({7}, style(5)).columns(), 1);
}

TEST(Grid, CardsNeitherOverlapNorLeaveTheirSection) {
  const Grid grid({4, 1, 5}, style(360));
  for (std::size_t i = 0; i < grid.size(); ++i) {
    for (std::size_t j = i + 1; j < grid.size(); ++j) {
      const Grid::Place &a = grid.place(i), &b = grid.place(j);
      EXPECT_TRUE(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y)
          << i << " and " << j;
    }
  }
  EXPECT_GE(grid.place(4).y, grid.headingTop(1) + 30);
  EXPECT_GE(grid.headingTop(2), grid.place(4).y + grid.place(4).height);
  EXPECT_EQ(grid.height(), grid.place(9).y + grid.place(9).height + 20);
}

TEST(Grid, ArrowsGoThroughRowsAndSections) {
  const Grid grid({4, 1, 5}, style(360));  // rows: 0 1 2 | 3 || 4 || 5 6 7 | 8 9
  const auto move = [&](std::size_t card, Way way) { return grid.move(card, way, 1000); };
  EXPECT_EQ(move(0, Way::Left), 0u);
  EXPECT_EQ(move(2, Way::Right), 3u);
  EXPECT_EQ(move(9, Way::Right), 9u);
  EXPECT_EQ(move(0, Way::Down), 3u);
  EXPECT_EQ(move(2, Way::Down), 3u);  // the shorter row's last
  EXPECT_EQ(move(3, Way::Down), 4u);
  EXPECT_EQ(move(4, Way::Down), 5u);
  EXPECT_EQ(move(7, Way::Down), 9u);
  EXPECT_EQ(move(9, Way::Down), 9u);
  EXPECT_EQ(move(9, Way::Up), 6u);
  EXPECT_EQ(move(7, Way::Up), 4u);
  EXPECT_EQ(move(5, Way::Up), 4u);
  EXPECT_EQ(move(3, Way::Up), 0u);
  EXPECT_EQ(move(1, Way::Up), 1u);
  EXPECT_EQ(move(5, Way::First), 0u);
  EXPECT_EQ(move(5, Way::Last), 9u);
}

TEST(Grid, PagesGoFartherThanRowsAndReachTheEnds) {
  const Grid grid({60}, style(360));
  const float page = 3.2f * (grid.place(3).y - grid.place(0).y);
  EXPECT_EQ(grid.move(1, Way::PageDown, page), 7u);
  EXPECT_EQ(grid.move(7, Way::PageUp, page), 1u);
  EXPECT_EQ(grid.move(58, Way::PageDown, page), 58u);
  EXPECT_EQ(grid.move(0, Way::PageDown, 1), 3u);  // a page lower than a row goes on, too
}

TEST(Grid, TellsTheCardsThatAreSeen) {
  const Grid grid({4, 1, 5}, style(360));
  EXPECT_EQ(grid.between(0, 1e6), (Grid::Range{0, 10}));
  const Grid::Place& fourth = grid.place(3);
  EXPECT_EQ(grid.between(fourth.y, fourth.y + 1), (Grid::Range{3, 4}));
  const Grid::Range none = grid.between(1e6, 2e6);
  EXPECT_EQ(none.first, none.last);
}

TEST(Grid, ScrollsAsLittleAsShowsTheCardWithItsSectionsTitle) {
  const Grid grid({4, 1, 5}, style(360));
  const float page = 300;
  EXPECT_EQ(grid.scrollTo(0, 500, page), 0);
  EXPECT_EQ(grid.scrollTo(0, 0, page), 0);
  const Grid::Place& last = grid.place(9);
  EXPECT_EQ(grid.scrollTo(9, 0, page), last.y + last.height + 20 - page);
  const Grid::Place& fifth = grid.place(4);
  EXPECT_LE(grid.scrollTo(4, 1e4f, page), grid.headingTop(1));
  EXPECT_GE(grid.scrollTo(4, 0, page) + page, fifth.y + fifth.height);
}

TEST(Grid, WithoutCardsNothingFails) {
  const Grid grid({}, style(360));
  EXPECT_EQ(grid.size(), 0u);
  EXPECT_EQ(grid.move(3, Way::Down, 100), 0u);
  EXPECT_EQ(grid.scrollTo(0, 12, 100), 12);
  const Grid empty({0}, style(360));  // a search that found nothing has a title alone
  EXPECT_EQ(empty.size(), 0u);
}

}  // namespace
}  // namespace simscope::gallery
