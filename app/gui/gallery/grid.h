// The layout of the gallery's cards, and the targets of the arrow keys. Plain data; any thread.
//
// Cards are numbered through all sections. Coordinates are the scrolled content's: x and y from its top left.
#pragma once

#include <cstddef>
#include <vector>

namespace simscope::gallery {

struct GridStyle {
  float width = 0;       // of the content
  float margin = 0;      // at the left and right, above the first section, and below the last
  float gap = 0;         // between cards
  float least_card = 0;  // minimum width; cards grow until one more fits
  float heading = 0;     // height of a section's title
  float text = 0;        // height below a card's picture
  float aspect = 1.6f;   // of the picture
};

enum class Way { Left, Right, Up, Down, PageUp, PageDown, First, Last };

class Grid {
 public:
  struct Place {
    float x = 0, y = 0, width = 0, height = 0;  // of the card
    float picture = 0;                          // height
  };
  // `counts`: cards in each section; none is 0.
  Grid(std::vector<std::size_t> counts, const GridStyle& style);
  Grid() : Grid({}, {}) {}

  std::size_t size() const noexcept { return places_.size(); }
  int columns() const noexcept { return columns_; }
  float height() const noexcept { return height_; }
  const Place& place(std::size_t card) const { return places_.at(card); }
  float headingTop(std::size_t section) const { return headings_.at(section); }
  // The first and one past the last card that is partly between these heights.
  struct Range {
    std::size_t first = 0, last = 0;
    bool operator==(const Range&) const = default;
  };
  Range between(float top, float bottom) const;
  // The target from this card; `page`: the height of the visible part. Always a valid card, if there are any.
  std::size_t move(std::size_t card, Way way, float page) const;
  // The scroll position at which the whole card is visible, with its section's title if it is in the first row;
  // `scroll`: the present position.
  float scrollTo(std::size_t card, float scroll, float page) const;

 private:
  std::size_t rowAbove(std::size_t card) const;
  std::size_t rowBelow(std::size_t card) const;

  int columns_ = 1;
  float height_ = 0, heading_ = 0, margin_ = 0;
  std::vector<Place> places_;
  std::vector<std::size_t> rows_;  // the row of each card, through all sections
  std::vector<float> headings_;
};

}  // namespace simscope::gallery
