// All launches without drag at one time, in one pass that reads no memory: each is drawn, evaluated, and counted.
//
// Sums are of whole numbers: ranges and flight times are in units of 2^-31 of the longest possible one. So they are
// exact, and the same on both backends, for any number of threads.
// Thread: inside Device::run; enqueued. Owner: the caller owns the buffer.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/projectiles/launch.h"

namespace simscope::projectiles {

inline constexpr int kMostBins = 2048;

// The largest countable values; the histogram also ends at `range` [m].
struct Extent {
  double range, duration;
  static constexpr double kUnits = 2147483648.0;
};

// Totals of the landed launches: 32-bit words in device memory, before the counts of the bins.
struct Tally {
  std::uint64_t landed = 0, range = 0, duration = 0;  // how many; sums in units
  std::uint32_t most_range = 0;                       // in units
  std::uint32_t highest_bits = 0;                     // of a float [m], of all launches so far

  double meanRange(const Extent& extent) const { return mean(range, extent.range); }
  double meanDuration(const Extent& extent) const { return mean(duration, extent.duration); }
  double mostRange(const Extent& extent) const { return most_range * (extent.range / Extent::kUnits); }
  double highest() const { return std::bit_cast<float>(highest_bits); }

 private:
  double mean(std::uint64_t sum, double unit) const {
    return static_cast<double>(sum) / static_cast<double>(landed) * (unit / Extent::kUnits);
  }
};
inline constexpr std::size_t kTallyWords = sizeof(Tally) / sizeof(std::uint32_t);

class Landings {
 public:
  Landings() = default;
  Landings(compute::DevicePtr device, int bins)
      : words_(std::move(device), kTallyWords + static_cast<std::size_t>(bins)), bins_(bins) {}

  int bins() const noexcept { return bins_; }
  std::uint32_t* words() noexcept { return words_.data(); }
  std::uint32_t* counts() noexcept { return words_.data() + kTallyWords; }
  void zero() { words_.zero(); }
  Tally tally() const;                 // waits
  std::vector<int> histogram() const;  // waits

 private:
  compute::Buffer<std::uint32_t> words_;  // a Tally, and the counts
  int bins_ = 0;
};

// The bin of a range in units.
SIMSCOPE_HD inline std::uint32_t binOf(std::uint32_t units, std::uint32_t bins) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(units) * (2 * bins)) >> 32);
}

struct Question {
  LaunchLaw law;
  FreeFlight flight;
  float time;
  float range_units, duration_units;  // units a metre, units a second
  std::uint64_t launches;
  bool raised;
};
Question question(const Parameters& parameters, std::uint64_t seed, double time, const Extent& extent);

// Evaluates the landings at that time: tally and counts are overwritten.
void evaluate(compute::Device& device, const Question& question, Landings& landings);

}  // namespace simscope::projectiles
