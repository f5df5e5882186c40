// Helpers of the tests of histograms.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"
#include "sims/histograms/counting.h"
#include "sims/histograms/histograms.h"

namespace simscope::histograms {

using tests::Changes;

inline ParameterSet with(const Changes& changes) {
  return tests::changed(description().defaults(), changes);
}
inline Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}

// The largest distance between the values' distribution and `below`, times √n: by chance it reaches 1.95 once in a
// thousand times.
inline double kolmogorov(std::vector<double> values, const std::function<double(double)>& below) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double share = below(values[i]), rank = static_cast<double>(i);
    worst = std::max({worst, std::abs(share - rank / n), std::abs(share - (rank + 1) / n)});
  }
  return worst * std::sqrt(n);
}

// (χ² - ndf)/√(2 ndf) of counts compared with the expected ones.
inline double excessOf(const std::vector<double>& counts, const std::vector<double>& expected) {
  int bins = 0;
  const double chi2 = pearson(counts, expected, bins);
  return (chi2 - bins) / std::sqrt(2.0 * bins);
}

inline std::vector<std::uint64_t> countsOf(const compute::DevicePtr& device, const Parameters& p, std::uint64_t seed,
                                           std::uint64_t events) {
  std::vector<std::uint64_t> counted;
  device->run([&] {
    Counts counts(device, place::kPlaces);
    counts.zero();
    Source source;
    source.process = p.process;
    source.more = p.extra_leptons > 0;
    source.generator = generatorOf(p, seed, nullptr);
    addEvents(counts, source, selectionOf(p), 0, events);
    counted = counts.toHost();
  });
  return counted;
}
inline std::vector<double> massesOf(const std::vector<std::uint64_t>& counts, const Parameters& p,
                                    int from = place::kMass) {
  return {counts.begin() + from, counts.begin() + from + p.bins};
}
inline std::vector<double> times(std::vector<double> values, double factor) {
  for (double& each : values) each *= factor;
  return values;
}

}  // namespace simscope::histograms
