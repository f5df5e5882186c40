#include "sims/histograms/fit.h"

#include <gtest/gtest.h>

#include <random>

#include "sims/histograms/testing.h"

namespace simscope::histograms {
namespace {

struct Case {
  const char* name;
  Changes changes;
  double events;
};
std::vector<Case> someCases() {
  return {{"width", {}, 20000},
          {"background", {{"background_fraction", "0.35"}, {"fit_background", "on"}}, 60000},
          {"resolution", {{"pt_resolution", "0.06"}, {"fit", "resolution"}}, 20000},
          {"both", {{"fit", "both"}, {"pt_resolution", "0.03"}}, 200000}};
}
FitStart startOf(const Parameters& p) {
  return {p.mass, p.width, p.fit, p.fit_background};
}

// What is expected, exactly, is fitted exactly.
TEST(Fit, OfTheExpectationFindsWhatWasPutIn) {
  for (const Case& each : someCases()) {
    SCOPED_TRACE(each.name);
    Parameters p = parametersWith(each.changes);
    const std::vector<double> edges = equalEdges(p.mass_low, p.mass_high, p.bins);
    const Acceptance acceptance(p);
    const std::vector<double> counts = times(expectedShares(p, acceptance, edges), each.events);
    // Begun far off; its resolution is a third larger than that of the response where it is to be found.
    FitStart start = startOf(p);
    start.width *= p.fit == FitOf::Resolution ? 1 : 2;
    Parameters nominal = p;
    if (p.fit == FitOf::Resolution) nominal.pt_resolution *= 0.75;
    const FitResult fit = fitSpectrum(counts, edges, SpectrumModel(edges, Acceptance(nominal)), start);
    ASSERT_TRUE(fit.good);
    EXPECT_NEAR(fit.mass.value, p.mass, 0.02 * fit.mass.error + 2e-3);
    if (fit.width.error > 0) {
      EXPECT_NEAR(fit.width.value, p.width, 0.1 * fit.width.error);
    }
    const double resolution = fit.stretch.value * nominal.pt_resolution;
    EXPECT_NEAR(resolution, p.pt_resolution, 0.01 * p.pt_resolution);
    EXPECT_NEAR(fit.resonances.value, each.events * (1 - p.background_fraction), 0.3 * fit.resonances.error + 1);
    if (p.fit_background) {
      EXPECT_NEAR(1 / fit.slope.value, p.background_scale, 0.3);
    }
    EXPECT_LT(fit.chi2, 1);
  }
}

// Events that are made, measured, and counted, over many seeds: pulls have mean 0 and width 1.
TEST(Fit, PullsOfMadeEventsHaveMeanZeroAndWidthOne) {
  for (const Case& each : someCases()) {
    SCOPED_TRACE(each.name);
    const Parameters p = parametersWith(each.changes);
    const std::vector<double> edges = equalEdges(p.mass_low, p.mass_high, p.bins);
    const SpectrumModel model(edges, Acceptance(p));
    constexpr int kSeeds = 50;
    const auto events = static_cast<std::uint64_t>(std::min(each.events, 60000.0));
    std::vector<double> mass, second;
    double chi2 = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const std::vector<std::uint64_t> counts = countsOf(tests::cpu(), p, seed, events);
      const FitResult fit = fitSpectrum(massesOf(counts, p), edges, model, startOf(p));
      ASSERT_TRUE(fit.good) << seed;
      mass.push_back((fit.mass.value - p.mass) / fit.mass.error);
      // Logarithms, in which the errors are nearly symmetric.
      if (p.fit == FitOf::Resolution) {
        second.push_back(std::log(fit.stretch.value) * fit.stretch.value / fit.stretch.error);
      } else {
        second.push_back(std::log(fit.width.value / p.width) * fit.width.value / fit.width.error);
      }
      chi2 += fit.chi2 / fit.freedom / kSeeds;
    }
    EXPECT_NEAR(chi2, 1, 0.1);
    for (const std::vector<double>& pulls : {mass, second}) {
      double mean = 0, square = 0;
      for (const double pull : pulls) mean += pull / kSeeds, square += pull * pull / kSeeds;
      // Five standard deviations of each.
      EXPECT_NEAR(mean, 0, 5 / std::sqrt(kSeeds));
      EXPECT_NEAR(std::sqrt(square - mean * mean), 1, 5 / std::sqrt(2.0 * kSeeds));
    }
  }
}

TEST(Fit, OfTooFewOrSenselessCountsIsNone) {
  const Parameters p = parametersWith({});
  const std::vector<double> edges = equalEdges(p.mass_low, p.mass_high, p.bins);
  const SpectrumModel model(edges, Acceptance(p));
  std::vector<double> counts(static_cast<std::size_t>(p.bins));
  EXPECT_FALSE(fitSpectrum(counts, edges, model, startOf(p)).good);
  counts[60] = 150;
  EXPECT_FALSE(fitSpectrum(counts, edges, model, startOf(p)).good);
  for (const double huge : {1e4, 9e15}) {  // all in one bin, narrower than anything: no width, but an end
    counts[60] = huge;
    const FitResult fit = fitSpectrum(counts, edges, model, startOf(p));
    EXPECT_FALSE(std::isnan(fit.mass.value));
  }
  // Two peaks are no resonance, and the χ² says so.
  counts.assign(counts.size(), 20);
  counts[30] = counts[90] = 4000;
  const FitResult fit = fitSpectrum(counts, edges, model, startOf(p));
  EXPECT_TRUE(!fit.good || fit.chi2 > 20 * fit.freedom);
}

}  // namespace
}  // namespace simscope::histograms
