// Shared by the parts of presentPattern(): displayed intensities, and pictures of regions whose rows ranks make. Device
// sources (*.cu) only.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sims/compute/loops/rows.h"
#include "sims/diffraction/present/present.h"

namespace simscope::diffraction {
namespace functors {

struct Shown {
  Display display;
  float high;
  const float* unit;
  float low;  // the lowest resolved decade

  SIMSCOPE_HD float scale() const { return unit ? (*unit > 0 ? 1 / *unit : 0) : 1; }
  SIMSCOPE_HD float operator()(float intensity) const {
    if (display == Display::Linear) return intensity;
    if (display == Display::Gamma) return sqrtf(intensity);
    const float decade = intensity > 0 ? log10f(intensity) : low;
    return decade > low ? decade : low;
  }
  static constexpr float kDecades = 6;
};

}  // namespace functors

inline constexpr std::size_t kCostly = 1024;  // an element is some dozens of operations
inline constexpr int kTapReach = 4;           // rows beside a sample's that its interpolation may read

// Bins lie in the middles of cells of the bins' spacing.
inline void setExtent(Channel& channel, const Region& region, double pitch) {
  channel.x_min = channel.y_min = -(0.5 * region.bins + 0.5) * pitch;
  channel.x_max = channel.y_max = (0.5 * region.bins - 0.5) * pitch;
}

// A channel of a region, of which each rank makes the rows that begin in its own; rank 0 gets all of them. A single
// process makes all.
struct RegionPicture {
  Region region;
  std::vector<int> cuts;
  compute::Cut own;
  bool first;  // rank 0, or alone

  RegionPicture(const compute::Device& device, const Region& of, const compute::Slab& slab)
      : region(of), first(slab.first == 0) {
    const Element element{{nullptr, slab}, of};
    const auto rowOf = [&](int y) { return std::floor(element.middle(y, 0)) + slab.n / 2; };
    for (const int row : compute::cutsOf(device, slab.n, 0, slab.n)) {
      int y = cuts.empty() ? 0 : cuts.back();
      while (y < of.size() && (row >= slab.n || rowOf(y) < row)) ++y;
      cuts.push_back(row > 0 ? y : 0);
    }
    own = compute::ownCut(device, cuts);
  }
  Channel& channel(Frame& frame, const char* key, int components = 1) const {
    return frame.channel(key, region.size(), first ? region.size() : std::max(own.count, 1), components);
  }
  void gather(compute::Device& device, Channel& channel) const {
    const auto values = static_cast<std::size_t>(channel.width) * static_cast<std::size_t>(channel.components);
    compute::gatherRowsOnDevice(device, cuts, channel.data.data(), values * sizeof(float));
  }
};

// The channel "colour".
void presentColour(Frame& frame, const Parameters& parameters, const Presented& what, const functors::Shown& shown);

}  // namespace simscope::diffraction
