// The simulation: counts that are the same however they come about, and what it says of them.
#include "sims/monte_carlo_pi/monte_carlo_pi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sims/compute/test_devices.h"
#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::monte_carlo_pi {
namespace {

using tests::Changes;

const char* const kMethodKeys[] = {"independent", "antithetic", "stratified", "sobol"};

Stepper runOf(const Changes& changes, compute::DevicePtr device = tests::cpu(), std::uint64_t seed = 3) {
  return Stepper(description(), std::move(device), tests::changed(description().defaults(), changes), seed);
}
double diagnostic(Stepper& run, Diagnostic which) {
  return run.diagnostics()[static_cast<std::size_t>(which)];
}
std::vector<double> hitsIn(Stepper& run) {
  return valuesOf<double>(*run.save().find("hits"));
}
// By a loop over darts.
std::vector<double> plainHits(Method method, std::uint64_t seed, int chains, std::uint64_t darts) {
  std::vector<double> all(static_cast<std::size_t>(chains));
  withDarts(method, seed, [&](const auto& each) {
    for (std::size_t c = 0; c < all.size(); ++c) {
      const auto chain = each.chain(static_cast<std::uint32_t>(c));
      for (std::uint64_t i = 0; i < darts; ++i) all[c] += hits(each.dart(chain, i));
    }
  });
  return all;
}

TEST(MonteCarloPiDescription, NumbersDiagnosticsAsTheEnumerationDoes) {
  EXPECT_EQ(description().diagnosticIndex("darts"), static_cast<std::size_t>(Diagnostic::Darts));
  EXPECT_EQ(description().diagnosticIndex("z"), static_cast<std::size_t>(Diagnostic::Z));
  EXPECT_EQ(description().diagnosticIndex("rms"), static_cast<std::size_t>(Diagnostic::Rms));
  EXPECT_EQ(description().diagnosticIndex("chi_square"), static_cast<std::size_t>(Diagnostic::ChiSquare));
  EXPECT_EQ(description().diagnostics.size(), static_cast<std::size_t>(Diagnostic::ChiSquare) + 1);
}

TEST(MonteCarloPi, MoreThanAStepHoldsIsRefusedByName) {
  EXPECT_EQ(tests::refusedParameter([] {
              runOf({{"chains", "1024"}, {"darts_per_step", "2097153"}});
            }),
            "darts_per_step");
  EXPECT_EQ(tests::refusedParameter([] { runOf({{"chains", "1024"}, {"darts_per_step", "2097152"}}); }), "");
}

class Counts : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(Counts);

// Few darts of many chains, many of few, and what is between: each has a team of threads of its own size on CUDA.
TEST_P(Counts, AreThoseOfDartsOneByOne) {
  for (std::size_t m = 0; m < 4; ++m) {
    for (const auto& [chains, darts] : {std::pair(300, 7), std::pair(37, 331), std::pair(3, 20011)}) {
      SCOPED_TRACE(std::string(kMethodKeys[m]) + ", " + std::to_string(chains));
      Stepper run = runOf(
          {{"method", kMethodKeys[m]}, {"chains", std::to_string(chains)}, {"darts_per_step", std::to_string(darts)}},
          device_);
      run.step(1);
      EXPECT_EQ(hitsIn(run), plainHits(static_cast<Method>(m), 3, chains, static_cast<std::uint64_t>(darts)));
      run.step(2);
      EXPECT_EQ(hitsIn(run), plainHits(static_cast<Method>(m), 3, chains, 3 * static_cast<std::uint64_t>(darts)));
    }
  }
}

// The records, too: whether a step ends at one or passes many.
TEST_P(Counts, AreTheSameHoweverDartsAreDividedAmongSteps) {
  for (const char* const method : kMethodKeys) {
    const auto with = [&](const char* each) {
      return runOf({{"method", method}, {"chains", "5"}, {"darts_per_step", each}}, device_);
    };
    Stepper whole = with("60000"), parts = with("7500"), odd = with("1");
    whole.step(1);
    parts.step(3), parts.step(5);
    odd.step(57);
    odd.configure(tests::changed(odd.simulation().parameters(), {{"darts_per_step", "59943"}}));
    odd.step(1);
    for (const char* const array : {"hits", "records"}) {
      const State a = whole.save(), b = parts.save(), c = odd.save();
      EXPECT_EQ(valuesOf<double>(*a.find(array)), valuesOf<double>(*b.find(array))) << method;
      EXPECT_EQ(valuesOf<double>(*a.find(array)), valuesOf<double>(*c.find(array))) << method;
    }
  }
}

TEST_P(Counts, OfTheLongestRunAreTheCpus) {
  Stepper here = runOf({{"darts_per_step", "20000000"}}, device_), there = runOf({{"darts_per_step", "20000000"}});
  here.step(3);
  there.step(3);
  EXPECT_EQ(hitsIn(here), hitsIn(there));
}

// A record is what a run says that ends there.
TEST_P(Counts, OfARecordAreThoseOfARunThatEndsThere) {
  Stepper run = runOf({{"chains", "17"}, {"darts_per_step", "1000"}}, device_);
  run.step(1);
  const auto records = valuesOf<double>(*run.save().find("records"));
  for (const int record : {0, 7, 20, 33, 40}) {
    const std::uint64_t darts = dartsOf(record);
    const auto hits = plainHits(Method::Independent, 3, 17, darts);
    const double expected = static_cast<double>(expectedHits(darts).whole);
    double sum = 0, squares = 0;
    for (const double each : hits) sum += each - expected, squares += (each - expected) * (each - expected);
    const double* const found = &records[4 * static_cast<std::size_t>(record)];
    EXPECT_EQ(found[0], hits[0]) << record;
    EXPECT_EQ(found[1], sum) << record;
    EXPECT_EQ(found[2] * 0x1p40 + found[3], squares) << record;
  }
  EXPECT_EQ(records[4 * 41], 0) << "not there yet";
}

// Squares of hits beyond 2^32, whose sum is beyond 2^64.
TEST_P(Counts, AreSummedIn128Bits) {
  device_->run([&] {
    const std::vector<std::uint64_t> values{1, (1ull << 53) - 1, 123456789012345, 0};
    const HitsOfChains hits(device_, values);
    const Sums sums = sumsNow(hits, 1ll << 50);
    long double squares = 0;
    std::int64_t sum = 0;
    for (const std::uint64_t each : values) {
      const std::int64_t off = static_cast<std::int64_t>(each) - (1ll << 50);
      sum += off, squares += static_cast<long double>(off) * static_cast<long double>(off);
    }
    EXPECT_EQ(sums.first, 1);
    EXPECT_EQ(sums.sum, sum);
    const long double found =
        std::ldexp(static_cast<long double>(sums.squares_high), 64) + static_cast<long double>(sums.squares_low);
    EXPECT_NEAR(static_cast<double>(found / squares), 1, 1e-15);
    EXPECT_EQ(sums.squares_low % 16, 0u + (1 + 1 + (123456789012345ull % 16) * (123456789012345ull % 16)) % 16);
  });
}

TEST_P(Counts, OfAHundredMillionDartsGivePiWithinFiveSigma) {
  for (const char* const method : {"independent", "antithetic"}) {
    Stepper run = runOf({{"method", method}, {"darts_per_step", "100000000"}}, device_);
    run.step(1);
    EXPECT_LT(std::abs(diagnostic(run, Diagnostic::Z)), 5) << method;
    EXPECT_NEAR(diagnostic(run, Diagnostic::Sigma), 1.642e-4 * (method[0] == 'a' ? 0.8525 : 1), 1e-6);
    EXPECT_GT(diagnostic(run, Diagnostic::Digits), 3);
  }
}

TEST_P(Counts, OfChainsHaveTheBinomialDistribution) {
  for (const char* const method : {"independent", "antithetic"}) {
    Stepper run = runOf({{"method", method}, {"chains", "20000"}, {"darts_per_step", "500"}}, device_);
    for (int i = 0; i < 4; ++i) {
      run.step(1);
      EXPECT_LT(std::abs(diagnostic(run, Diagnostic::ChiSquare)), 4) << method;
      EXPECT_LT(std::abs(diagnostic(run, Diagnostic::RmsZ)), 4) << method;
      EXPECT_LT(std::abs(diagnostic(run, Diagnostic::Z)), 4) << method;
    }
  }
}

TEST(ChiSquare, SeesAWrongDistribution) {
  constexpr int kChains = 20000, kDarts = 1000;
  const auto expected = [&](int darts) {
    const HitDistribution hits(Method::Independent, static_cast<std::uint64_t>(darts));
    std::vector<double> bins;
    for (std::int64_t k = 700; k < 860; k += 3) bins.push_back(kChains * (hits.below(k + 3) - hits.below(k)));
    return bins;
  };
  std::vector<double> counts(expected(kDarts).size());
  for (const double hits : plainHits(Method::Independent, 5, kChains, kDarts))
    counts[static_cast<std::size_t>((hits - 700) / 3)] += 1;
  EXPECT_LT(std::abs(chiSquare(counts, expected(kDarts))), 4);
  EXPECT_GT(chiSquare(counts, expected(kDarts + 2)), 10) << "a bias of 0.2 %";
  EXPECT_TRUE(std::isnan(chiSquare({3}, {3})));
}

TEST(Curves, EndAtTheRunsRecordsAndShowTheExactSpread) {
  Stepper run = runOf({{"chains", "400"}, {"darts_per_step", "5000"}});
  run.step(2);
  Frame frame;
  run.present(frame);
  const auto values = [&](const char* key) { return tests::channelOf(frame, key).data.toHost(); };
  const std::vector<float> rms = values("rms"), law = values("law"), estimate = values("estimate");
  ASSERT_EQ(rms.size(), 61u) << "10 to 10^4 darts, twenty a decade";
  EXPECT_NEAR(tests::channelOf(frame, "rms").x_max, 4.05, 1e-9);
  for (std::size_t i = 0; i < rms.size(); ++i) {
    EXPECT_NEAR(rms[i], law[i], 0.08) << i;
    EXPECT_NEAR(law[i],
                std::log10(4 * std::sqrt(kHitProbability * (1 - kHitProbability) /
                                         static_cast<double>(dartsOf(static_cast<int>(i))))),
                1e-6);
  }
  EXPECT_NEAR(static_cast<double>(estimate.back()), diagnostic(run, Diagnostic::Estimate), 1e-6);
  const std::vector<float> bars = values("chains"), expected = values("expected");
  double counted = 0, due = 0;
  for (std::size_t i = 0; i < bars.size(); ++i)
    counted += static_cast<double>(bars[i]), due += static_cast<double>(expected[2 * i + 1]);
  EXPECT_EQ(counted, 400);
  EXPECT_NEAR(due, 400, 1e-3);
  const Channel& histogram = tests::channelOf(frame, "chains");
  EXPECT_LT(histogram.x_min, -3.9);
  EXPECT_GT(histogram.x_max, 3.9);
}

TEST(Picture, ShowsTheLatestDartsOfTheFirstChain) {
  for (std::size_t m = 0; m < 4; ++m) {
    Stepper run = runOf({{"method", kMethodKeys[m]}, {"chains", "3"}, {"darts_per_step", "150000"}});
    run.step(1);
    Frame frame;
    run.present(frame);
    const auto places = tests::channelOf(frame, "darts").data.toHost(),
               values = tests::channelOf(frame, "hit").data.toHost();
    ASSERT_EQ(values.size(), kMostShown);
    EXPECT_EQ(tests::channelOf(frame, "darts").of, 150000);
    double found = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = static_cast<double>(places[4 * i]), y = static_cast<double>(places[4 * i + 1]),
                   r2 = x * x + y * y;
      if (std::abs(r2 - 1) > 1e-6) {
        EXPECT_EQ(values[i], r2 < 1 ? 1.0f : 0.0f);
      }
      found += static_cast<double>(values[i]);
    }
    const double all = hitsIn(run)[0], before = plainHits(static_cast<Method>(m), 3, 1, 150000 - kMostShown)[0];
    EXPECT_EQ(found, all - before);
  }
}

TEST(MonteCarloPi, EndsWhereADoubleEndsAndSaysSo) {
  Stepper run = runOf({{"darts_per_step", "1000"}});
  run.step(1);
  State state = run.save();
  for (StateArray& array : state.arrays) {
    const double most = 0x1p53 - 2500, hits = std::floor(most * kHitProbability);
    if (array.name == "run") std::memcpy(array.bytes.data(), &most, sizeof most);
    if (array.name == "hits") std::memcpy(array.bytes.data(), &hits, sizeof hits);
  }
  run.load(state);
  run.step(2);
  EXPECT_EQ(run.simulation().time(), 0x1p53 - 500);
  EXPECT_FALSE(tests::hasFinding(run.findings(), "full"));
  EXPECT_NEAR(diagnostic(run, Diagnostic::Z), 0, 1e-4) << "the sums keep their bits";
  run.step(1);
  EXPECT_EQ(run.simulation().time(), 0x1p53);
  EXPECT_TRUE(tests::hasFinding(run.findings(), "full"));
  const std::vector<double> full = hitsIn(run);
  run.step(1);
  EXPECT_EQ(hitsIn(run), full);
}

}  // namespace
}  // namespace simscope::monte_carlo_pi
