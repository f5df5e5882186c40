// In which order the gallery's pictures are made: what is seen first, and all of that roughly before any of it well.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/gui/gallery/grid.h"
#include "app/gui/gallery/subject.h"

namespace simscope::gallery {

// What there is of a picture.
enum class Stage {
  None,    // nothing
  Draft,   // of the run's beginning
  Done,    // as it stays
  Stored,  // done, on the disk alone
  Failed,  // and will not be tried again
};

struct ThumbnailRequest {
  std::size_t index = 0;
  bool draft = false;  // the beginning will do
  bool operator==(const ThumbnailRequest&) const = default;
};

// `stages` of all cards in order; `seen`: those on the screen; `chosen`: the one that comes first of them.
std::vector<ThumbnailRequest> thumbnailOrder(std::span<const Stage> stages, Grid::Range seen, std::size_t chosen);

}  // namespace simscope::gallery
