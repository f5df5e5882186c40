// Exact spreads and distributions, against sums over cells and against what darts do.
#include "sims/monte_carlo_pi/laws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace simscope::monte_carlo_pi {
namespace {

// Σ p (1 - p) over the cells of a grid.
double sumOverCells(int side) {
  double sum = 0;
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      const double edge = 1.0 / side, p = areaWithin(i * edge, j * edge, (i + 1) * edge, (j + 1) * edge) * side * side;
      sum += p * (1 - p);
    }
  }
  return sum;
}

TEST(Area, OfCellsSumsToThatOfTheQuarter) {
  for (const int side : {1, 3, 16, 100}) {
    double sum = 0, edge = 1.0 / side;
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) sum += areaWithin(i * edge, j * edge, (i + 1) * edge, (j + 1) * edge);
    }
    EXPECT_NEAR(sum, kHitProbability, 1e-13) << side;
  }
  EXPECT_EQ(areaWithin(0.9, 0.9, 1, 1), 0);
  EXPECT_NEAR(areaWithin(0, 0, 0.5, 0.5), 0.25, 1e-15);
}

TEST(Spread, OfStrataIsTheSumOverTheirCellsWhereTheyAreFull) {
  EXPECT_NEAR(spreadOfHits(Method::Stratified, 1), std::sqrt(kHitProbability * (1 - kHitProbability)), 1e-12);
  EXPECT_NEAR(spreadOfHits(Method::Stratified, 256), std::sqrt(sumOverCells(16)), 1e-11);
  EXPECT_NEAR(spreadOfHits(Method::Stratified, 65536), std::sqrt(sumOverCells(256)), 1e-9);
}

TEST(Spread, OfStrataGoesOnByItsLaw) {
  for (std::uint64_t n = 1 << 16; n < 1 << 24; n = n * 5 / 3) {
    const double law = 4 * spreadOfHits(Method::Stratified, n / 256);
    EXPECT_NEAR(spreadOfHits(Method::Stratified, n), law, 0.07 * law) << n;
  }
}

// The root mean square over many chains, against the law: its own standard deviation is 1/√(2 chains).
TEST(Spread, IsThatOfTheDarts) {
  constexpr int kChains = 3000;
  const std::vector<std::uint64_t> at{1, 2, 3, 5, 10, 16, 31, 64, 100, 129, 200, 256, 300, 511, 700, 1000};
  for (const Method method : {Method::Independent, Method::Antithetic, Method::Stratified}) {
    std::vector<double> squares(at.size());
    withDarts(method, 11, [&](const auto& darts) {
      for (std::uint32_t number = 0; number < kChains; ++number) {
        const auto chain = darts.chain(number);
        std::uint64_t i = 0, count = 0;
        for (std::size_t k = 0; k < at.size(); ++k) {
          for (; i < at[k]; ++i) count += hits(darts.dart(chain, i));
          const double off = static_cast<double>(count) - static_cast<double>(i) * kHitProbability;
          squares[k] += off * off / kChains;
        }
      }
    });
    for (std::size_t k = 0; k < at.size(); ++k) {
      const double law = spreadOfHits(method, at[k]);
      EXPECT_NEAR(std::sqrt(squares[k]) / law, 1, 0.065) << static_cast<int>(method) << ", " << at[k];  // 5 deviations
    }
  }
}

TEST(Spread, OfSobolsSequenceFollowsItsLaw) {
  constexpr int kChains = 300;
  double sum = 0;
  int counted = 0;
  std::vector<double> squares(kRecords);
  withDarts(Method::Sobol, 11, [&](const auto& darts) {
    for (std::uint32_t number = 0; number < kChains; ++number) {
      const auto chain = darts.chain(number);
      std::uint64_t i = 0, count = 0;
      for (int record = 0; dartsOf(record) <= 30000; ++record) {
        for (; i < dartsOf(record); ++i) count += hits(darts.dart(chain, i));
        const double off = 4 * static_cast<double>(count) / static_cast<double>(i) - std::numbers::pi;
        squares[static_cast<std::size_t>(record)] += off * off / kChains;
      }
    }
  });
  for (int record = 0; dartsOf(record) <= 30000; ++record) {
    const double share = std::sqrt(squares[static_cast<std::size_t>(record)]) / spreadAtRecord(Method::Sobol, record);
    EXPECT_GT(share, 0.6) << dartsOf(record);
    EXPECT_LT(share, 1.5) << dartsOf(record);
    sum += std::log(share), ++counted;
  }
  EXPECT_NEAR(std::exp(sum / counted), 1.04, 0.06);
}

TEST(Distribution, IsTheBinomialOne) {
  const double p = kHitProbability, q = 1 - p;
  const HitDistribution three(Method::Independent, 3);
  EXPECT_TRUE(three.binomial());
  EXPECT_NEAR(three.below(1), q * q * q, 1e-15);
  EXPECT_NEAR(three.below(2), q * q * q + 3 * q * q * p, 1e-15);
  EXPECT_NEAR(three.below(3), 1 - p * p * p, 1e-15);
  EXPECT_EQ(three.below(0), 0);
  EXPECT_NEAR(three.below(4), 1, 1e-15);
  // Two pairs: each has one hit, or two with probability 2p - 1.
  const double both = 2 * p - 1;
  const HitDistribution pairs(Method::Antithetic, 4);
  EXPECT_EQ(pairs.below(2), 0);
  EXPECT_NEAR(pairs.below(3), (1 - both) * (1 - both), 1e-15);
  EXPECT_NEAR(pairs.below(4), 1 - both * both, 1e-15);
  // A pair, and one dart more.
  const HitDistribution odd(Method::Antithetic, 3);
  EXPECT_NEAR(odd.below(2), (1 - both) * (1 - p), 1e-15);
  EXPECT_NEAR(odd.below(3), 1 - both * p, 1e-15);
}

TEST(Distribution, OfManyDartsMeetsGauss) {
  const HitDistribution exact(Method::Independent, 10'000'000'000), gauss(Method::Independent, 100'000'000'000);
  EXPECT_TRUE(exact.binomial());
  EXPECT_FALSE(gauss.binomial());
  for (const double z : {-3.0, -1.0, 0.0, 2.0}) {
    for (const auto& [each, n] : {std::pair(&exact, 1e10), std::pair(&gauss, 1e11)}) {
      const auto hits = static_cast<std::int64_t>(
          std::round(n * kHitProbability + z * std::sqrt(n * kHitProbability * (1 - kHitProbability))));
      EXPECT_NEAR(each->below(hits), 0.5 * std::erfc(-z / std::numbers::sqrt2), 2e-5);
    }
  }
}

TEST(Records, AreTwentyADecadeAndAscend) {
  EXPECT_EQ(dartsOf(0), 10u);
  EXPECT_EQ(dartsOf(20), 100u);
  EXPECT_EQ(dartsOf(280), 1'000'000'000'000'000u);
  for (int record = 0; record < kRecords; ++record) {
    const std::uint64_t darts = dartsOf(record);
    EXPECT_NEAR(std::log10(static_cast<double>(darts)), decadesOf(record), record < 20 ? 0.025 : 0.0025);
    EXPECT_LE(darts, kMostDarts);
    EXPECT_EQ(recordsUpTo(darts), record + 1);
    EXPECT_EQ(recordsUpTo(darts - 1), record);
  }
  EXPECT_EQ(recordsUpTo(0), 0);
  EXPECT_EQ(recordsUpTo(kMostDarts), kRecords);
}

}  // namespace
}  // namespace simscope::monte_carlo_pi
