// Adds all ranks' parts of the same values on rank 0, in the order of the ranks. Device sources (*.cu) only, as
// sims/compute/loops/parallel.h.
#pragma once

#include <span>

#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

namespace detail {

struct AddTo {
  const float* from;
  float* to;
  SIMSCOPE_HD void operator()(std::size_t i) const { to[i] += from[i]; }
};

}  // namespace detail

// values: `count` on every rank, on the device. In stream order; all ranks call it. Without ranks it does nothing.
inline void sumOnFirst(Device& device, float* values, std::size_t count) {
  const Ranks* const ranks = device.ranks();
  if (!ranks) return;
  const std::size_t bytes = count * sizeof(float);
  Buffer<float> other(device.shared_from_this(), ranks->first() ? count : 0);
  for (int rank = 1; rank < ranks->size(); ++rank) {
    const RankMessage out{0, values, bytes}, in{rank, other.data(), bytes};
    device.exchange(std::span(&out, ranks->rank() == rank ? 1 : 0), std::span(&in, ranks->first() ? 1 : 0));
    if (ranks->first()) parallelFor(device, count, detail::AddTo{other.data(), values});
  }
}

}  // namespace simscope::compute
