#include "sims/histograms/spectrum.h"

#include <gtest/gtest.h>

#include "sims/histograms/testing.h"

namespace simscope::histograms {
namespace {

TEST(Resonance, PartsHaveTheMomentsOfTheirIntegrals) {
  for (const auto& [mass, width] : {std::pair{91.1876, 2.4952}, {3.0969, 9.26e-5}, {91.1876, 20.0}}) {
    const Window window = resonanceWindow(mass, width);
    double sum = 0;
    constexpr int kParts = 400;
    for (int i = 0; i < kParts; ++i) {
      const double from = window.low + (window.high - window.low) * i / kParts;
      const double to = from + (window.high - window.low) / kParts;
      const Part part = resonancePart(from, to, mass, width);
      sum += part.share;
      double norm = 0, first = 0, second = 0;
      constexpr int kPoints = 3000;
      for (int k = 0; k < kPoints; ++k) {
        const double m = from + (to - from) * (k + 0.5) / kPoints, t = (m * m - mass * mass) / (mass * width);
        const double weight = m / (1 + t * t), log = std::log(m / mass);
        norm += weight;
        first += weight * log;
        second += weight * log * log;
      }
      const double mean = first / norm, spread = std::log(to / from);
      EXPECT_NEAR(part.mean - std::log(mass), mean, 0.02 * spread);
      EXPECT_NEAR(part.variance, second / norm - mean * mean, 0.1 * spread * spread / 12);
      EXPECT_NEAR(part.share, resonanceBelow(to, mass, width) - resonanceBelow(from, mass, width), 1e-12);
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_EQ(resonancePart(2 * window.high, 3 * window.high, mass, width).share, 0);
  }
}

// What is made, measured, and cut is what is expected, without random numbers, to the errors of a million events.
TEST(Expectation, IsWhatIsCounted) {
  for (const Changes& changes :
       {Changes{}, Changes{{"background_fraction", "0.4"}, {"charge_flip", "0.03"}},
        Changes{{"pt_resolution", "0.06"}, {"pt_min", "30"}, {"lead_pt", "40"}, {"decay", "isotropic"}},
        Changes{{"pt_resolution", "0"}, {"boson_pt", "25"}, {"eta_max", "1.5"}}}) {
    const Parameters p = parametersWith(changes);
    SCOPED_TRACE(changes.size());
    constexpr double kEvents = 600000;
    const std::vector<std::uint64_t> counts = countsOf(tests::cpu(), p, 21, static_cast<std::uint64_t>(kEvents));
    const std::vector<double> edges = equalEdges(p.mass_low, p.mass_high, p.bins);
    const Acceptance acceptance(p);
    const double found = foundShare(p, acceptance);
    const auto pairs = static_cast<double>(counts[place::kOpposite] + counts[place::kEqual]);
    EXPECT_NEAR(pairs / kEvents, found, 5 * std::sqrt(found / kEvents));
    EXPECT_NEAR(static_cast<double>(counts[place::kEqual]) / pairs, 1 - oppositeShare(p), 5 * std::sqrt(0.06 / pairs));
    const std::vector<double> masses = massesOf(counts, p);
    EXPECT_LT(excessOf(masses, times(expectedShares(p, acceptance, edges), kEvents)), 5);
    EXPECT_LT(excessOf(massesOf(counts, p, place::kMadeMass), times(madeShares(p, edges), kEvents)), 5);
    // Another mass, width, resolution, or efficiency is seen.
    for (const auto& [member, factor] :
         {std::pair{&Parameters::mass, 1.002}, {&Parameters::width, 1.15}, {&Parameters::efficiency, 1.02}}) {
      Parameters other = p;
      other.*member *= factor;
      EXPECT_GT(excessOf(masses, times(expectedShares(other, Acceptance(other), edges), kEvents)), 5) << factor;
    }
    Parameters coarse = p;
    coarse.pt_resolution += 0.005;
    EXPECT_GT(excessOf(masses, times(expectedShares(coarse, Acceptance(coarse), edges), kEvents)), 5);
  }
}

TEST(Expectation, IsAnothersWhereTheMassIsWrong) {
  const Parameters p = parametersWith({});
  const Generator g = generatorOf(p, 2, nullptr);
  const std::vector<double> edges = equalEdges(p.mass_low, p.mass_high, p.bins);
  std::vector<double> right(static_cast<std::size_t>(p.bins)), swapped = right, unrelated = right;
  constexpr int kEvents = 200000;
  const auto count = [&](std::vector<double>& to, const Lepton& a, const Lepton& b) {
    const double bin = std::floor((static_cast<double>(massOf(a, b)) - p.mass_low) / p.binWidth());
    if (bin >= 0 && bin < p.bins) to[static_cast<std::size_t>(bin)] += 1;
  };
  for (std::uint64_t i = 0; i < kEvents; ++i) {
    const Event<2> event = resonanceEvent<2>(g, i);
    Lepton a = event.made[0], b = event.made[1];
    count(right, a, b);
    std::swap(a.eta, a.phi);
    count(swapped, a, b);
    count(unrelated, event.made[0], resonanceEvent<2>(g, i + 1).made[1]);
  }
  const std::vector<double> expected = times(madeShares(p, edges), kEvents);
  EXPECT_LT(excessOf(right, expected), 5);
  EXPECT_GT(excessOf(swapped, expected), 100);
  EXPECT_GT(excessOf(unrelated, expected), 100);
}

}  // namespace
}  // namespace simscope::histograms
