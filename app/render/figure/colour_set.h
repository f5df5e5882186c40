// A set of colours for a palette, in order of importance. Plain data and functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "app/render/figure/theme.h"

namespace simscope::render {

// Left in the sets of views that have more colours than a palette: for those that fill areas, which only the picture
// knows (kinds in a key, the ground of a panel).
inline constexpr std::size_t kRoomForAreas = 48;

class ColourSet {
 public:
  static constexpr std::size_t kMost = 255;

  // Adds a colour once, if there is space.
  void add(Colour colour) {
    if (colours_.size() < kMost && known_.insert(colour).second) colours_.push_back(colour);
  }
  template <class Colours>
  void addAll(const Colours& colours) {
    for (const Colour colour : colours) add(colour);
  }
  void ramp(Colour from, Colour to, int steps) {
    for (int i = 1; i < steps; ++i) add(mixed(from, to, static_cast<double>(i) / steps));
  }
  std::size_t room() const { return kMost - colours_.size(); }
  bool knows(Colour colour) const { return known_.count(colour) > 0; }
  std::vector<std::uint32_t> take() { return std::move(colours_); }

 private:
  std::vector<std::uint32_t> colours_;
  std::set<std::uint32_t> known_;
};

// The colours around a field: solid colours, then the edges of text.
void addAround(ColourSet& set, const ThemeColours& c);
void addEdges(ColourSet& set, const ThemeColours& c);

}  // namespace simscope::render
