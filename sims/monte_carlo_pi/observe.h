// Observation of the chains: sums over them and the curves of those, the histogram of their hits, the latest darts of
// the first one. Counts are exact, the same on both backends.
// On the device, inside Device::run. Enqueued, except sumsNow(), which waits. Errors: as Device.
#pragma once

#include <cmath>
#include <cstdint>

#include "sims/compute/buffer.h"
#include "sims/monte_carlo_pi/dart.h"
#include "sims/monte_carlo_pi/laws.h"
#include "sims/monte_carlo_pi/records.h"

namespace simscope::monte_carlo_pi {

// Sums over chains of hits h, with d = h - Expected::whole: the first chain's h, Σd, and Σd² in 128 bits.
struct Sums {
  std::int64_t first = 0, sum = 0;
  std::uint64_t squares_low = 0, squares_high = 0;
};

// The estimates of π = 4 h/n from the sums after n darts of each chain.
struct Reading {
  double first_error;  // of the first chain's estimate
  double error;        // of the estimate from all chains
  double rms;          // root mean square of all chains' errors
};
SIMSCOPE_HD inline Reading readingOf(const Sums& sums, const Expected& expected, std::uint64_t darts,
                                     std::size_t chains) {
  const double unit = 4 / static_cast<double>(darts), count = static_cast<double>(chains), rest = expected.rest;
  const double sum = static_cast<double>(sums.sum);
  const double squares = static_cast<double>(sums.squares_high) * 0x1p64 + static_cast<double>(sums.squares_low);
  const double mean_square = (squares - 2 * rest * sum) / count + rest * rest;
  return {unit * (static_cast<double>(sums.first - expected.whole) - rest), unit * (sum / count - rest),
          mean_square > 0 ? unit * std::sqrt(mean_square) : 0};
}

using HitsOfChains = compute::Buffer<std::uint64_t>;  // of each chain
void writeSums(const HitsOfChains& hits, std::int64_t expected, Sums* to);
Sums sumsNow(const HitsOfChains& hits, std::int64_t expected);

// values[i] becomes a reading of record `first` + i: the estimate, or the decimal logarithm of an error. Until there
// are enough records for a line, all are `before`.
enum class Quantity { Estimate, FirstError, Rms };
struct Records {
  const Sums* sums;          // of kRecords
  const Expected* expected;  // of kRecords
  std::size_t chains;
  int first;
  bool any;
  float before;
};
void readRecords(const Records& records, Quantity quantity, compute::Buffer<float>& values);

// Bins of `width` hits each from `first` on; the first and the last include hits outside.
struct Bins {
  std::int64_t first = 0, width = 1;
  int count = 1;
};
void countChains(const HitsOfChains& hits, const Bins& bins, compute::Buffer<std::uint32_t>& counts);
void copyCounts(const compute::Buffer<std::uint32_t>& counts, compute::Buffer<float>& values);

// Element k is dart `first` + k of the first chain. places: x, y, 0, and `size`; values: 1 for a hit, else 0.
struct Shown {
  Method method;
  std::uint64_t seed, first;
  float size;
};
void placeDarts(const Shown& shown, compute::Buffer<float>& places);
void judgeDarts(const Shown& shown, compute::Buffer<float>& values);

}  // namespace simscope::monte_carlo_pi
