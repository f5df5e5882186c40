// Counts of molecules by velocity: of three components and of the speed, and values derived from them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/maxwell_boltzmann/exact.h"

namespace simscope::maxwell_boltzmann {

// The bins of a histogram lie between a place for smaller values and one for larger values, so that the places of each
// add up to all molecules. Histogram k begins at place k·kPlaces: v_x, v_y, v_z, v.
inline constexpr int kHistograms = 4, kSpeeds = 3;
inline constexpr int kMostBins = 128, kPlaces = kMostBins + 2;
using Counts = compute::Buffer<std::uint64_t>;  // kHistograms · kPlaces

// With few molecules there are half as many bins.
inline int binsFor(double molecules) {
  return molecules < 50'000 ? kMostBins / 2 : kMostBins;
}

// The place of a value in units of a component's standard deviation, so that the velocities' own units do not matter.
// One fused multiply-add and a cast: the same on both backends.
struct Bins {
  float per_component = 1, middle = 0;  // place of a component z: per_component·z + middle
  float per_speed = 1;                  // place of a speed u: per_speed·u + 1
  int bins = kMostBins;
};
Bins binsOf(const Parameters& p, double sigma);

// The share of each of a histogram's places, from the counts on the host.
class Histogram {
 public:
  Histogram(std::span<const std::uint64_t> counts, int histogram, int bins, double low, double high);

  double total() const { return total_; }
  // The largest distance between the counted and an exact distribution function, at the edges of the bins.
  template <class Below>
  double distance(const Below& below) const {
    double sum = 0, worst = 0;
    for (int i = 0; i <= bins_; ++i) {
      sum += shares_[static_cast<std::size_t>(i)];
      worst = std::max(worst, std::abs(sum - below(low_ + i * width_)));
    }
    return worst;
  }
  // The position of the maximum: that of a least-squares polynomial of fourth degree through the bins around it. NaN
  // where there is none.
  double top() const;

 private:
  int bins_;
  double low_, width_, total_ = 0;
  std::vector<double> shares_;  // bins_ + 2
};

}  // namespace simscope::maxwell_boltzmann
