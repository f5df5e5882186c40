#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sims/compute/test_devices.h"
#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"
#include "sims/maxwell_boltzmann/maxwell_boltzmann.h"
#include "sims/maxwell_boltzmann/sample.h"

namespace simscope::maxwell_boltzmann {
namespace {

using tests::Changes;

constexpr bool kSlowIdeal = SIMSCOPE_SANITIZE;

ParameterSet gasWith(const Changes& changes) {
  return tests::changed(description().defaults(), changes);
}
Stepper gasOf(const Changes& changes, compute::DevicePtr device = tests::cpu(), std::uint64_t seed = 3) {
  return Stepper(description(), std::move(device), gasWith(changes), seed);
}
double valueOf(Stepper& run, Diagnostic which) {
  return run.diagnostics()[which];
}
std::vector<double> countsOf(Stepper& run) {
  return valuesOf<double>(*run.save().find("counts"));
}

struct Tallied {
  std::vector<std::uint64_t> counts;
  Sums sums;
};
Tallied tallyOf(const compute::DevicePtr& device, const Draw& draw) {
  Counts counts(device, kHistograms * kPlaces);
  compute::Buffer<Sums> sums(device, 1);
  counts.zero();
  sums.zero();
  device->run([&] { addDraw(*device, draw, counts.data(), sums.data()); });
  return {counts.toHost(), sums.toHost()[0]};
}
// The same in the plainest way.
Tallied plainTally(const Draw& draw) {
  Tallied all{std::vector<std::uint64_t>(kHistograms * kPlaces), {}};
  for (std::uint64_t group = 0; group < draw.groups(); ++group) {
    float z[12], speed[4] = {}, square[4] = {};
    for (std::uint32_t call = 0; call < 3; ++call) {
      for (std::uint32_t k = 0; k < 4; ++k) z[4 * call + k] = draw.normals(group, call).z[k];
    }
    for (std::uint64_t m = 0; m < std::min<std::uint64_t>(4, draw.molecules - 4 * group); ++m) {
      square[m] = speedSquared(z[3 * m], z[3 * m + 1], z[3 * m + 2]);
      speed[m] = std::sqrt(square[m]);
      const auto count = [&](int histogram, float at) {
        ++all.counts[static_cast<std::size_t>(histogram * kPlaces + placeIn(at, draw.bins.bins))];
      };
      for (int k = 0; k < 3; ++k) {
        count(k, std::fma(z[3 * m + static_cast<std::uint64_t>(k)], draw.bins.per_component, draw.bins.middle));
      }
      count(kSpeeds, std::fma(speed[m], draw.bins.per_speed, 1.0f));
    }
    all.sums.speed += partsOf((speed[0] + speed[1]) + (speed[2] + speed[3]));
    all.sums.square += partsOf((square[0] + square[1]) + (square[2] + square[3]));
  }
  return all;
}

class Backend : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(Backend);

// Vectors, tasks, blocks of threads, and groups that lack molecules: none of them changes a count.
TEST_P(Backend, CountsAreThoseOfAPlainLoopToTheLastMolecule) {
  for (const std::uint64_t molecules : {1u, 2u, 3u, 4u, 255u, 256u, 257u, 1023u, 70001u, 300002u}) {
    if (kSlowIdeal && molecules > 100000) continue;
    for (const double axis : {1600.0, 300.0, 9000.0}) {
      Parameters p;
      p.molecules = static_cast<int>(molecules);
      p.speed_axis = axis;
      const Draw draw{77, 5, molecules, binsOf(p, p.sigma())};
      const Tallied found = tallyOf(device_, draw), expected = plainTally(draw);
      EXPECT_EQ(found.counts, expected.counts) << molecules << ", " << axis;
      EXPECT_EQ(found.sums.speed, expected.sums.speed) << molecules;
      EXPECT_EQ(found.sums.square, expected.sums.square) << molecules;
    }
  }
}

// Each histogram by χ², over bins that expect 20 at least; for 100 degrees of freedom beyond 190 for one of 10⁷ fair
// generators.
TEST_P(Backend, HistogramsAreMaxwellsByChiSquared) {
  Stepper run = gasOf({{"molecules", kSlowIdeal ? "100000" : "2000000"}}, device_);
  run.step(2);
  const std::vector<double> counts = countsOf(run);
  const Parameters p = binding().read(run.simulation().parameters());
  const SpeedDistribution speeds(3, p.sigma());
  for (int histogram = 0; histogram < kHistograms; ++histogram) {
    const double low = histogram == kSpeeds ? 0 : -p.speed_axis, width = (p.speed_axis - low) / kMostBins;
    const auto below = [&](double v) { return histogram == kSpeeds ? speeds.below(v) : normalBelow(v / p.sigma()); };
    const double* const own = &counts[static_cast<std::size_t>(histogram * kPlaces)];
    double total = 0, chi = 0, bins = 0;
    for (int i = 0; i < kPlaces; ++i) total += own[i];
    EXPECT_EQ(total, 3.0 * p.molecules) << "the start, and two steps";
    for (int i = 0; i < kMostBins; ++i) {
      const double expected = total * (below(low + (i + 1) * width) - below(low + i * width));
      if (expected < 20) continue;
      chi += (own[i + 1] - expected) * (own[i + 1] - expected) / expected;
      ++bins;
    }
    ASSERT_GT(bins, 60);
    EXPECT_LT((chi - bins) / std::sqrt(2 * bins), 5.5) << histogram;
    EXPECT_GT((chi - bins) / std::sqrt(2 * bins), -5.5) << histogram;
  }
}

TEST_P(Backend, MeansAreWithinStandardErrorsAndWouldShowAPartInTenThousand) {
  Stepper run = gasOf({{"molecules", "3000000"}}, device_);
  EXPECT_LT(std::abs(valueOf(run, kSpeedError)), 4.5);
  EXPECT_LT(std::abs(valueOf(run, kEnergyError)), 4.5);
  EXPECT_LT(valueOf(run, kDistanceScaled), 2.2);
  EXPECT_NEAR(valueOf(run, kMeanEnergy) / valueOf(run, kMeanEnergyExact), 1, 4.5 * std::sqrt(2.0 / 3 / 3e6));
  EXPECT_NEAR(valueOf(run, kProbableSpeed), valueOf(run, kProbableSpeedExact), 4);
  EXPECT_NEAR(valueOf(run, kTemperature), 300, 0.7);
}

// Velocities are normal numbers times σ_v: four times the temperature on twice the axis are the same counts.
TEST_P(Backend, AHotterGasIsTheSameMoleculesFasterAtOnce) {
  const Changes cold{{"molecules", "50001"}, {"temperature", "200"}, {"speed_axis", "1500"}};
  Stepper run = gasOf(cold, device_), hot = gasOf(cold.with({{"temperature", "800"}, {"speed_axis", "3000"}}), device_);
  for (Stepper* each : {&run, &hot}) each->step(2);
  EXPECT_EQ(countsOf(run), countsOf(hot));
  const double before = valueOf(run, kMeanSpeed);
  run.configure(gasWith(cold.with({{"temperature", "800"}})));
  EXPECT_NEAR(valueOf(run, kMeanSpeed) / before, 2, 0.02) << "without a step, and by the molecules of one step";
  run.configure(gasWith(cold.with({{"temperature", "800"}, {"speed_axis", "3000"}, {"gather", "off"}})));
  hot.configure(gasWith(cold.with({{"temperature", "800"}, {"speed_axis", "3000"}, {"gather", "off"}})));
  run.step(1);
  hot.step(1);
  EXPECT_EQ(countsOf(run), countsOf(hot));
}

TEST_P(Backend, GatheredErrorsFallAsTheRootOfTheNumberOfSteps) {
  double early = 0, late = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    Stepper run = gasOf({{"molecules", "2000"}}, device_, seed);
    const auto error = [&] { return std::pow(valueOf(run, kMeanSpeed) - valueOf(run, kMeanSpeedExact), 2); };
    early += error();
    run.step(63);
    late += error();
  }
  EXPECT_NEAR(std::log2(early / late) / 6, 1, 0.35) << "variance as one over the 64 draws";
}

TEST(IdealGas, StepsAreIndependentOfEachOtherAndSeedsToo) {
  const Draw draw{1, 0, 40000, binsOf({}, 298)};
  Draw next = draw, other = draw;
  next.draw = 1;
  other.seed = 2;
  double steps = 0, seeds = 0;
  for (std::uint64_t group = 0; group < 60000; ++group) {
    const float z = draw.normals(group, 0).z[0];
    steps += z * next.normals(group, 0).z[0];
    seeds += z * other.normals(group, 0).z[0];
  }
  EXPECT_LT(std::abs(steps) / std::sqrt(60000.0), 4.5);
  EXPECT_LT(std::abs(seeds) / std::sqrt(60000.0), 4.5);
}

TEST(IdealGas, AnAxisThatLeavesMoleculesOutIsWarnedOfAndTheCureHolds) {
  for (const char* const mass : {"3.347e-27", "4.65e-26"}) {
    for (const char* const temperature : {"300", "9000"}) {
      Changes changes{{"mass", mass}, {"temperature", temperature}, {"molecules", "1000"}};
      Stepper run = gasOf(changes);
      const double beyond = 1 - SpeedDistribution(3, binding().read(gasWith(changes)).sigma()).below(1600);
      const std::vector<Finding> findings = run.findings();
      ASSERT_EQ(!findings.empty(), beyond > 0.01);
      if (findings.empty()) continue;
      changes.push_back({findings[0].key, findings[0].value});
      Stepper cured = gasOf(changes);
      EXPECT_TRUE(cured.findings().empty());
    }
  }
}

TEST(IdealGas, HeatUnderTheBrushIsSharedByAll) {
  Stepper run = gasOf({{"molecules", "100000"}});
  const double before = valueOf(run, kTemperature);
  ASSERT_TRUE(run.poke({.tool = "heat", .radius = 30}));
  const double expected = 1 + 0.2 * 3.14159265 * 900 / 1e4;
  EXPECT_NEAR(valueOf(run, kTemperature) / before, expected, 1e-4);
  EXPECT_NEAR(valueOf(run, kMeanSpeed), valueOf(run, kMeanSpeedExact), 4) << "and so is the exact curve's";
  ASSERT_TRUE(run.poke({.tool = "cool", .radius = 30}));
  EXPECT_LT(valueOf(run, kTemperature) / before, expected);
  run.configure(gasWith({{"molecules", "100000"}, {"temperature", "310"}}));
  EXPECT_NEAR(valueOf(run, kTemperature), before * 310 / 300, 0.1) << "the parameter sets it anew";
}

}  // namespace
}  // namespace simscope::maxwell_boltzmann
