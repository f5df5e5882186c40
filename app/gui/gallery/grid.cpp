#include "app/gui/gallery/grid.h"

#include <algorithm>
#include <cmath>

namespace simscope::gallery {

Grid::Grid(std::vector<std::size_t> counts, const GridStyle& style) : heading_(style.heading), margin_(style.margin) {
  const float room = std::max(style.width - 2 * style.margin, 1.0f);
  const float least = std::max(style.least_card, 1.0f);
  columns_ = std::max(1, static_cast<int>((room + style.gap) / (least + style.gap)));
  const auto columns = static_cast<std::size_t>(columns_);
  const float card =
      std::max(std::floor((room - style.gap * static_cast<float>(columns_ - 1)) / static_cast<float>(columns_)), 1.0f);
  const float picture = std::round(card / style.aspect), height = picture + style.text;
  float y = style.margin;
  std::size_t row = 0;
  for (const std::size_t count : counts) {
    headings_.push_back(y);
    y += style.heading;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t column = i % columns;
      if (i > 0 && column == 0) {
        y += height + style.gap;
        ++row;
      }
      const float x = style.margin + static_cast<float>(column) * (card + style.gap);
      places_.push_back({x, y, card, height, picture});
      rows_.push_back(row);
    }
    y += height + style.gap;
    ++row;
  }
  height_ = y - (counts.empty() ? 0 : style.gap) + style.margin;
}

Grid::Range Grid::between(float top, float bottom) const {
  const auto ends = std::partition_point(places_.begin(), places_.end(),
                                         [&](const Place& each) { return each.y + each.height <= top; });
  const auto begins = std::partition_point(ends, places_.end(), [&](const Place& each) { return each.y < bottom; });
  return {static_cast<std::size_t>(ends - places_.begin()), static_cast<std::size_t>(begins - places_.begin())};
}

// The card above or below, or the last one of a shorter row.
std::size_t Grid::rowAbove(std::size_t card) const {
  if (rows_[card] == 0) return card;
  std::size_t best = card;
  for (std::size_t i = card; i-- > 0 && rows_[i] + 1 >= rows_[card];) {
    if (rows_[i] + 1 == rows_[card] && places_[i].x <= places_[card].x) return i;
    if (rows_[i] + 1 == rows_[card]) best = i;
  }
  return best;
}

std::size_t Grid::rowBelow(std::size_t card) const {
  std::size_t best = card;
  for (std::size_t i = card + 1; i < places_.size() && rows_[i] <= rows_[card] + 1; ++i) {
    if (rows_[i] == rows_[card] + 1 && places_[i].x <= places_[card].x) best = i;
  }
  return best;
}

std::size_t Grid::move(std::size_t card, Way way, float page) const {
  if (places_.empty()) return 0;
  const std::size_t last = places_.size() - 1;
  card = std::min(card, last);
  switch (way) {
    case Way::Left:
      return card > 0 ? card - 1 : card;
    case Way::Right:
      return std::min(card + 1, last);
    case Way::Up:
      return rowAbove(card);
    case Way::Down:
      return rowBelow(card);
    case Way::First:
      return 0;
    case Way::Last:
      return last;
    case Way::PageUp:
    case Way::PageDown:
      break;
  }
  // As many rows as leave one of those that were seen in sight.
  const float from = places_[card].y;
  for (;;) {
    const std::size_t next = way == Way::PageUp ? rowAbove(card) : rowBelow(card);
    if (next == card) return card;
    card = next;
    if (std::abs(places_[card].y - from) + 2 * places_[card].height > page) return card;
  }
}

float Grid::scrollTo(std::size_t card, float scroll, float page) const {
  if (card >= places_.size()) return scroll;
  const Place& place = places_[card];
  const bool headed = std::any_of(headings_.begin(), headings_.end(),
                                  [&](float top) { return std::abs(top + heading_ - place.y) < 0.5f; });
  const float top = place.y - (headed ? heading_ : 0) - margin_, bottom = place.y + place.height + margin_;
  if (bottom - top > page || top < scroll) return std::max(top, 0.0f);
  return bottom > scroll + page ? bottom - page : scroll;
}

}  // namespace simscope::gallery
