#include <algorithm>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/scan_sort.h"
#include "sims/nbody/tree/primitives.h"
#include "sims/nbody/tree/sequence.h"
#include "sims/nbody/tree/steps.h"

namespace simscope::nbody::tree {
namespace {

constexpr int kLevelBits = 5;
static_assert(kNoLevel < 1 << kLevelBits);

compute::Scratch scratchOf(const Arrays& a) {
  return {a.scratch, a.scratch_bytes};
}

struct OnDevice {
  compute::Device& device;

  template <class F>
  void each(std::size_t n, const F& f, std::size_t grain) const {
    compute::parallelFor(device, n, f, grain);
  }
  void bounds(const Arrays& a) const {
    const std::size_t n = static_cast<std::size_t>(a.n);
    compute::reduceInto(device, n, kNoBounds, BoundsOf{a.sources}, MergeBounds{}, a.bounds);
    compute::reduceInto(device, n, Spread{}, SpreadOf{a.sources, a.bounds, a.n}, MergeSpread{}, a.spread);
  }
  void sortBodies(Arrays& a) const {
    compute::Pairs<std::uint64_t> bodies{a.keys, a.index, a.other_keys, a.other_index};
    compute::sortPairs(device, bodies, static_cast<std::size_t>(a.n), 3 * kLevels, scratchOf(a));
    a.keys = bodies.keys;
    a.index = bodies.values;
    a.other_keys = bodies.other_keys;
    a.other_index = bodies.other_values;
  }
  void sumCells(const Arrays& a) const {
    compute::exclusiveScan(device, a.starting, a.first_cell, static_cast<std::size_t>(a.n), scratchOf(a));
  }
  // The unsorted arrays are no longer needed: their memory is the workspace.
  void sortCells(Arrays& a) const {
    compute::Pairs<std::uint8_t> cells{a.level, a.place, a.sorted_level, a.order};
    compute::sortPairs(device, cells, knows() ? a.frame->cells : a.capacity, kLevelBits, scratchOf(a));
    a.sorted_level = cells.keys;
    a.order = cells.values;
    a.level = cells.other_keys;
    a.place = cells.other_values;
  }
  bool knows() const { return !device.isCuda(); }
};

// bytes of scratch memory for each of the above
template <class Where>
std::size_t scratchFor(Where&& where, int n) {
  const std::size_t bodies = static_cast<std::size_t>(n);
  return std::max({compute::sortScratchBytes<std::uint64_t>(where, bodies),
                   compute::scanScratchBytes<std::uint32_t>(where, bodies),
                   compute::sortScratchBytes<std::uint8_t>(where, cellCapacity(n))});
}

}  // namespace

std::size_t scratchBytes(compute::Backend backend, int n) {
  return scratchFor(backend, n);
}

std::size_t scratchBytesOnCuda(compute::Device& device, int n) {
  return scratchFor(device, n);
}

void buildTree(compute::Device& device, Arrays& a, float opening_angle) {
  OnDevice backend{device};
  buildInOrder(backend, a, opening_angle);
}

}  // namespace simscope::nbody::tree
