// How ranks on CUDA devices share a walk: the stretches of the curve are dealt to them in turn, so that all ranks share
// the dense places, which cost more, and the costs need not be known.
//
// A rank's bodies lie together in an array of all: rank after rank, each with its stretches in the order of the curve.
// Plain data, for host and device; any thread.
#pragma once

#include <cstdint>

#include "sims/compute/host_device.h"

namespace simscope::nbody::tree {

struct Deal {
  std::uint32_t bodies = 0, stretch = 1;  // bodies of a stretch; the last one may have fewer
  std::uint32_t ranks = 1, rank = 0;

  SIMSCOPE_HD std::uint32_t whole() const { return bodies / stretch; }  // stretches
  // The number of the rank's stretches.
  SIMSCOPE_HD std::uint32_t stretches() const {
    const std::uint32_t all = (bodies + stretch - 1) / stretch;
    return all / ranks + (rank < all % ranks ? 1 : 0);
  }
  // The number along the curve of the rank's k-th stretch.
  SIMSCOPE_HD std::uint32_t stretchOf(std::uint32_t k) const { return k * ranks + rank; }
  // Where a rank's bodies begin; of `ranks`: the end.
  SIMSCOPE_HD std::uint32_t begin(std::uint32_t of) const {
    const std::uint32_t each = whole() / ranks, more = whole() % ranks;
    return stretch * (of * each + (of < more ? of : more)) + (of > more ? bodies % stretch : 0);
  }
  // Where body i of the curve lies.
  SIMSCOPE_HD std::uint32_t place(std::uint32_t i) const {
    const std::uint32_t at = i / stretch;
    return begin(at % ranks) + at / ranks * stretch + i % stretch;
  }
};

}  // namespace simscope::nbody::tree
