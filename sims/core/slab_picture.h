// A frame's channel of a field that ranks hold in slabs: one element a box of cells. Each rank makes the rows of the
// boxes that begin in its own rows, for which its halo must cover the last box; rank 0 gets all rows, the others have a
// channel of their own.
//
// Plain data, for present(); each() in device sources (*.cu) only. All ranks call it together. A single process makes
// all rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sims/compute/loops/boxes.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/compute/ranks/slab.h"
#include "sims/core/frame.h"

namespace simscope {

struct SlabPicture {
  compute::Boxes boxes;
  std::vector<int> cuts;
  compute::Cut own;
  bool first;  // rank 0, or alone

  // For an n × n field, with at most `most` elements a side.
  SlabPicture(const compute::Device& device, int n, int most) : SlabPicture(device, compute::boxesFor(n, most)) {}
  SlabPicture(const compute::Device& device, const compute::Boxes& of)
      : boxes(of),
        cuts(compute::cutsOf(device, of.n, 0, of.n, of.factor)),
        own(compute::ownCut(device, cuts)),
        first(!device.ranks() || device.ranks()->first()) {}

  Channel& channel(Frame& frame, const char* key, int components = 1) const {
    return frame.channel(key, boxes.side(), first ? boxes.side() : std::max(own.count, 1), components);
  }
  // Null: the channel is not needed.
  void gather(compute::Device& device, Channel* channel) const {
    if (!channel) return;
    const auto values = static_cast<std::size_t>(channel->width) * static_cast<std::size_t>(channel->components);
    compute::gatherRowsOnDevice(device, cuts, channel->data.data(), values * sizeof(float));
  }
};

}  // namespace simscope
