// The order in which the gallery's pictures are made: visible ones first, and drafts of all before any final one. Pure;
// any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/gui/gallery/grid.h"
#include "app/gui/gallery/subject.h"

namespace simscope::gallery {

// The stage of a picture.
enum class Stage {
  None,    // nothing
  Draft,   // from the run's beginning
  Done,    // final
  Stored,  // final, only on disk
  Failed,  // and not tried again
};

struct ThumbnailRequest {
  std::size_t index = 0;
  bool draft = false;  // a draft is sufficient
  bool operator==(const ThumbnailRequest&) const = default;
};

// `stages`: of all cards in order; `seen`: those on the screen; `chosen`: the first of them to be made.
std::vector<ThumbnailRequest> thumbnailOrder(std::span<const Stage> stages, Grid::Range seen, std::size_t chosen);

}  // namespace simscope::gallery
