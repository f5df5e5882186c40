// Fields that ranks hold in slabs, in the table of a state (sims/core/archive.h): rank 0 saves them whole, or each rank
// saves its own rows; loading takes each rank's own rows from either. Copies that a run keeps on its device are copies
// of the slabs.
//
// All ranks save and load together. Thread and errors: as Archive.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "sims/compute/ranks/slab.h"
#include "sims/core/archive.h"

namespace simscope {

inline StateRows rowsOf(const compute::Slab& slab) {
  return {static_cast<std::size_t>(slab.first), static_cast<std::size_t>(slab.count)};
}

// Archive::buffer for such a field; held: slab.cells(), or empty.
template <class Element, class T>
void slabBuffer(Archive& archive, const char* name, const char* what, Archive::Shape shape, compute::Buffer<T>& held,
                const compute::Slab& slab, const compute::DevicePtr& device, StateRange range = {},
                WhenMissing when_missing = WhenMissing::Refuse) {
  static_assert(sizeof(T) % sizeof(Element) == 0);
  if (slab.halo == 0 || archive.onDevice()) {
    return archive.buffer<Element, T>(name, what, std::move(shape), held, device, range, when_missing);
  }
  if (!archive.loading() && held.empty() && when_missing != WhenMissing::Refuse) return;
  if (archive.loading() && !archive.has(name) && when_missing != WhenMissing::Refuse) {
    if (when_missing == WhenMissing::Empty) archive.then([&held] { held = {}; });
    if (when_missing == WhenMissing::Zero) archive.then([&held] { held.zero(); });
    return;
  }
  // Made beside the old one, so that without memory nothing has changed.
  auto fresh = std::make_shared<compute::Buffer<T>>();
  if (archive.loading() && held.empty()) *fresh = compute::Buffer<T>(device, slab.cells());
  archive.rows<Element>(
      name, what, std::move(shape), rowsOf(slab),
      [&held, &slab](bool all) { return compute::fieldBytes(held, slab, all); },
      [&held, &slab, fresh](std::span<const std::byte> rows) {
        if (held.empty()) held = std::move(*fresh);
        compute::takeRows(held, slab, rows);
      },
      range, when_missing);
}

}  // namespace simscope
