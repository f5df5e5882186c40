#include "app/gui/gallery/thumbnail_order.h"

#include <algorithm>

namespace simscope::gallery {

std::vector<ThumbnailRequest> thumbnailOrder(std::span<const Stage> stages, Grid::Range seen, std::size_t chosen) {
  const std::size_t first = std::min(seen.first, stages.size()), last = std::clamp(seen.last, first, stages.size());
  std::vector<std::size_t> on_screen;
  if (chosen >= first && chosen < last) on_screen.push_back(chosen);
  for (std::size_t i = first; i < last; ++i) {
    if (i != chosen) on_screen.push_back(i);
  }
  std::vector<ThumbnailRequest> order;
  for (const std::size_t i : on_screen) {
    if (stages[i] == Stage::None || stages[i] == Stage::Stored) order.push_back({i, true});
  }
  for (const std::size_t i : on_screen) {
    if (stages[i] == Stage::Draft) order.push_back({i, false});
  }
  // The next ones below, and then those above: most people scroll down.
  const auto later = [&](std::size_t i) {
    if (stages[i] == Stage::None || stages[i] == Stage::Draft) order.push_back({i, false});
  };
  for (std::size_t i = last; i < stages.size(); ++i) later(i);
  for (std::size_t i = first; i-- > 0;) later(i);
  return order;
}

}  // namespace simscope::gallery
