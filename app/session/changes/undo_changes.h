// How two scenes differ, as the user sees it. Plain functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace simscope {

// What was changed by hand between the two, strokes aside: "Barrier height V₀", "preset Talbot carpet", "Colours".
// Several are one and "2 more". Empty: nothing that can be undone.
std::string changeBetween(const Scene& before, const Scene& after);

// `present` with whatever differs between the two as it is in `to`. Strokes stay.
Scene carriedOver(Scene present, const Scene& from, const Scene& to);

// The part of two lists of strokes that differs: from `at` on, so many of the first and so many of the second. A
// stroke that only got more events counts as the same.
struct StrokeChange {
  std::size_t at = 0, removed = 0, added = 0;
};
StrokeChange changeBetween(const std::vector<Stroke>& before, const std::vector<Stroke>& after);

}  // namespace simscope
