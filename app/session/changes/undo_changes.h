// The differences between two scenes, in the user's terms. Plain functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace simscope {

// Names what the user changed, strokes aside: "Barrier height V₀", "preset Talbot carpet", "Colours". Several changes:
// the first and "2 more". Empty: nothing that can be undone.
std::string changeBetween(const Scene& before, const Scene& after);

// `present` with everything that differs between `from` and `to` set as in `to`. Strokes are unchanged.
Scene carriedOver(Scene present, const Scene& from, const Scene& to);

// The part of two lists of strokes that differs: from `at` on, this many of the first and this many of the second. A
// stroke that only gained events counts as the same.
struct StrokeChange {
  std::size_t at = 0, removed = 0, added = 0;
};
StrokeChange changeBetween(const std::vector<Stroke>& before, const std::vector<Stroke>& after);

}  // namespace simscope
