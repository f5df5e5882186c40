// Probability theory of n darts: the exact spread of the estimate, and the distribution of the hits. README.md derives
// it. Host; any thread.
#pragma once

#include <cstdint>
#include <numbers>
#include <vector>

#include "sims/monte_carlo_pi/dart.h"
#include "sims/monte_carlo_pi/records.h"

namespace simscope::monte_carlo_pi {

inline constexpr double kHitProbability = std::numbers::pi / 4;

// nπ/4, the expected hits of n darts: the nearest whole number, and the rest.
struct Expected {
  std::int64_t whole;
  double rest;
};
Expected expectedHits(std::uint64_t darts);

// The standard deviation of the hits that n darts of a chain have; NaN for Sobol's sequence, where no closed form is
// known. Exact: Independent, Antithetic, and Stratified for n < 2^24; beyond, Stratified has the law n^(1/4) from a
// number of darts that is 256 times smaller, or 256² times, within 3 %. Some milliseconds for Stratified.
double spreadOfHits(Method method, std::uint64_t darts);
// Of the estimate 4 hits/n. For Sobol's sequence the law kSobolLaw n^(-3/4), a fit to measured chains (by a test).
inline constexpr double kSobolLaw = 1.9;
double spreadOfEstimate(Method method, std::uint64_t darts);
// The same at a record's number of darts (records.h), cached after the first call.
double spreadAtRecord(Method method, int record);
bool spreadIsExact(Method method);

// The area of the circle x² + y² < 1 within a rectangle of the unit square.
double areaWithin(double left, double bottom, double right, double top);

// The distribution of the hits of a chain of n darts. Independent and Antithetic: binomial, with sums that are computed
// once, where the spread is at most 50,000 hits. Beyond it, and for the others, a Gaussian with that spread.
class HitDistribution {
 public:
  HitDistribution(Method method, std::uint64_t darts);
  bool binomial() const { return !cumulative_.empty(); }
  // The probability of fewer hits.
  double below(std::int64_t hits) const;

 private:
  double mean_, spread_;
  bool half_pair_ = false;          // the last dart has no mirror image
  std::int64_t first_ = 0;          // hits of the first sum
  std::vector<double> cumulative_;  // that there are at most first + i
};

}  // namespace simscope::monte_carlo_pi
