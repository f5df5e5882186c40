// Runs: what lands is distributed as the law says, on both backends to the bit.
#include "sims/projectiles/projectiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sims/compute/test_devices.h"
#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::projectiles {
namespace {

using tests::Changes;

constexpr bool kSlow = SIMSCOPE_SANITIZE;
const char* const kMany = kSlow ? "20000" : "400000";

Stepper runOf(const Changes& changes, compute::DevicePtr device = tests::cpu(), std::uint64_t seed = 5) {
  return Stepper(description(), std::move(device), tests::changed(description().defaults(), changes), seed);
}
Parameters parametersOf(Stepper& run) {
  return binding().read(run.simulation().parameters());
}
double value(Stepper& run, Diagnostic which) {
  return run.diagnostics()[which];
}
std::vector<int> landingsOf(Stepper& run) {
  return valuesOf<int>(*run.save().find("landings"));
}
const Changes kLinear{{"drag", "linear"}, {"launches", "3000"}, {"time_step", "0.1"}};
const Changes kQuadratic{{"drag", "quadratic"}, {"launches", "3000"}, {"time_step", "0.1"}, {"speed_max", "120"}};

class Backend : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(Backend);

// χ² of the counts beside the law; bins of less than 10 expected launches go together. Twice as many degrees of freedom
// are not exceeded by chance.
double chiSquared(const std::vector<int>& counts, const LandingLaw& law, double range, double time, double launches,
                  int& freedom) {
  double sum = 0, expected = 0, found = 0;
  freedom = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double cell = range / static_cast<double>(counts.size()), at = cell * static_cast<double>(i);
    expected += launches * (law.share(at + cell, time) - law.share(at, time));
    found += counts[i];
    if (expected < 10) continue;
    sum += (found - expected) * (found - expected) / expected;
    expected = found = 0;
    ++freedom;
  }
  return sum;
}

TEST_P(Backend, LandingsFollowTheExactLawAtAnyTime) {
  const std::vector<Changes> cases{{},
                                   {{"height", "800"}},
                                   {{"angle_min", "15"}, {"angle_max", "50"}, {"speed_min", "100"}},
                                   {{"speed_min", "200"}, {"speed_max", "200"}},
                                   {{"angles", "pair"}, {"angle_min", "30"}, {"angle_max", "60"}},
                                   {{"angle_min", "70"}, {"angle_max", "70"}},
                                   {{"gravity", "1.62"}, {"bins", "500"}}};
  for (std::size_t which = 0; which < cases.size(); ++which) {
    Stepper run = runOf(cases[which].with({{"launches", kMany}}), device_);
    const Parameters p = parametersOf(run);
    const Extremes most = extremes(p);
    for (const double share : {0.3, 0.6, 1.1}) {
      run.step(static_cast<int>(share * most.duration / p.time_step) - static_cast<int>(run.simulation().steps()));
      Frame frame;
      run.present(frame);
      const double range = tests::channelOf(frame, "landings").x_max, time = run.simulation().time();
      int freedom = 0;
      const LandingLaw law = landingLaw(p);
      const double chi = chiSquared(landingsOf(run), law, range, time, p.launches, freedom);
      ASSERT_GT(freedom, 4) << which;
      EXPECT_LT(chi, freedom + 6 * std::sqrt(2.0 * freedom)) << which << " at " << time << " s, " << freedom;
      const double exact = p.launches * law.share(LandingLaw::kBeyond, time);
      EXPECT_NEAR(value(run, kLanded), exact, 5 * std::sqrt(0.25 * p.launches)) << which;
    }
    EXPECT_EQ(value(run, kLanded), p.launches);
    EXPECT_EQ(value(run, kInFlight), 0);
    EXPECT_LT(std::abs(value(run, kMeanRangeError)), 500 / std::sqrt(p.launches)) << which;
    EXPECT_NEAR(value(run, kMeanDuration) / value(run, kMeanDurationExact), 1, 5 / std::sqrt(p.launches)) << which;
    EXPECT_LE(value(run, kLargestRange), most.range * (1 + 1e-6));
    EXPECT_GE(value(run, kLargestRange), most.range * (kSlow ? 0.97 : 0.995)) << which;
    EXPECT_LE(value(run, kLargestHeight), most.height * (1 + 1e-6));
    EXPECT_GE(value(run, kLargestHeight), most.height * (kSlow ? 0.97 : 0.995)) << which;
  }
}

// With linear drag the flights are integrated, and the law is exact as well.
TEST_P(Backend, LandingsWithLinearDragFollowTheirLaw) {
  for (const char* const height : {"0", "150"}) {
    Stepper run =
        runOf(kLinear.with({{"launches", kSlow ? "5000" : "40000"}, {"height", height}, {"bins", "40"}}), device_);
    const Parameters p = parametersOf(run);
    for (const int steps : {120, 400}) {
      run.step(steps);
      Frame frame;
      run.present(frame);
      int freedom = 0;
      const double chi = chiSquared(landingsOf(run), landingLaw(p), tests::channelOf(frame, "landings").x_max,
                                    run.simulation().time(), p.launches, freedom);
      EXPECT_LT(chi, freedom + 6 * std::sqrt(2.0 * freedom)) << height << " at " << run.simulation().time();
    }
    EXPECT_EQ(value(run, kInFlight), 0);
    EXPECT_LT(std::abs(value(run, kMeanRangeError)), 700 / std::sqrt(p.launches));
  }
}

TEST_P(Backend, EveryFlightOfLinearDragIsTheClosedFormToFourthOrder) {
  const auto error = [&](const char* dt, int steps, const char* precision) {
    Stepper run = runOf(
        {{"drag", "linear"}, {"launches", "500"}, {"linear_drag", "0.5"}, {"time_step", dt}, {"precision", precision}},
        device_);
    run.step(steps);
    EXPECT_GT(value(run, kLanded), 100);
    EXPECT_GT(value(run, kInFlight), 100);
    return value(run, kRk4Error);
  };
  const double coarse = error("0.4", 25, "double"), fine = error("0.1", 100, "double");
  EXPECT_NEAR(std::log2(coarse / fine) / 2, 4, 0.4);
  EXPECT_LT(error("0.01", 1000, "double"), 1e-7);
  EXPECT_LT(error("0.02", 500, "single"), 0.05);
}

TEST_P(Backend, RunsAreThoseOfTheCpuToTheBit) {
  for (const Changes& changes : {Changes{{"launches", "100001"}}, Changes{{"launches", "70000"}, {"height", "90"}},
                                 kLinear, kQuadratic, kQuadratic.with({{"precision", "double"}}),
                                 Changes{{"launches", "9999"}, {"angles", "pair"}, {"bins", "2048"}}}) {
    Stepper here = runOf(changes, device_), reference = runOf(changes, tests::cpu(1));
    for (const int steps : {7, 40}) {
      here.step(steps);
      reference.step(steps);
      EXPECT_TRUE(tests::sameBits(here.save(), reference.save())) << changes[0].second;
    }
  }
}

TEST_P(Backend, ManyStepsAreAsManySingleOnes) {
  for (const Changes& changes : {Changes{{"launches", "5000"}}, kLinear, kQuadratic}) {
    Stepper together = runOf(changes, device_), apart = runOf(changes, device_);
    together.step(33);
    for (int i = 0; i < 33; ++i) apart.step(1);
    EXPECT_TRUE(tests::sameBits(together.save(), apart.save()));
  }
}

// Every launch once: none is lost between the draws, the blocks, and the bins.
TEST_P(Backend, EveryLaunchIsCountedOnceWhateverTheirNumber) {
  for (const char* const launches : {"100", "101", "255", "257", "8191", "8193", "16385", "65537"}) {
    for (const char* const bins : {"16", "2048"}) {
      Stepper run = runOf({{"launches", launches}, {"bins", bins}}, device_);
      run.step(300);
      const std::vector<int> counts = landingsOf(run);
      const double all = parametersOf(run).launches;
      EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), all);
      EXPECT_EQ(value(run, kLanded), all);
    }
  }
}

TEST_P(Backend, PointsLieOnTheParabolasOfTheirLaunches) {
  Stepper run = runOf({{"launches", "2000"}, {"height", "40"}}, device_);
  run.step(40);
  Frame frame;
  run.present(frame);
  const std::vector<float> points = tests::channelOf(frame, "points").data.toHost();
  const std::vector<float> speeds = tests::channelOf(frame, "launch_speed").data.toHost();
  const std::vector<float> angles = tests::channelOf(frame, "launch_angle").data.toHost();
  int flying = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const double angle = angles[i] * std::numbers::pi / 180, vx = speeds[i] * std::cos(angle);
    const double vy = speeds[i] * std::sin(angle), duration = (vy + std::sqrt(vy * vy + 2 * 9.81 * 40)) / 9.81;
    ASSERT_GE(angle, 0);
    ASSERT_LE(angle, std::numbers::pi / 2);
    const double t = std::min(duration, 10.0), y = 40 + vy * t - 9.81 * t * t / 2;
    EXPECT_NEAR(points[4 * i], vx * t, 2e-3);
    EXPECT_NEAR(points[4 * i + 1], y, 2e-3);
    if (std::abs(duration - 10) > 1e-4) {
      EXPECT_EQ(points[4 * i + 3], duration > 10 ? 1 : 0);
    }
    flying += points[4 * i + 3] > 0;
  }
  EXPECT_EQ(flying, value(run, kInFlight));
}

TEST_P(Backend, ComplementaryAnglesLandAlike) {
  Stepper run = runOf({{"launches", kMany}, {"angles", "pair"}, {"angle_min", "30"}, {"angle_max", "60"}}, device_);
  run.step(300);
  const double exact = 31033.0 / 3 * 3 / 9.81 * std::sin(std::numbers::pi / 3);
  EXPECT_NEAR(value(run, kMeanRangeExact), (100 + 3000 + 90000) / 3.0 / 9.81 * std::sin(std::numbers::pi / 3), 1e-6);
  EXPECT_NEAR(value(run, kMeanRange) / exact, 1, 5 / std::sqrt(parametersOf(run).launches));
}

TEST_P(Backend, QuadraticDragTakesEnergyAndFliesAsFineStepsSay) {
  Stepper run =
      runOf(kQuadratic.with({{"precision", "double"}, {"speed_min", "120"}, {"angle_min", "35"}, {"angle_max", "35"}}),
            device_);
  run.step(5);
  double before = value(run, kEnergyLost);
  EXPECT_GT(before, 0);
  for (int i = 0; i < 10; ++i) {
    run.step(30);
    EXPECT_GE(value(run, kEnergyLost), before);
    before = value(run, kEnergyLost);
  }
  const Landing one = land(parametersOf(run), 120, 35 * std::numbers::pi / 180);
  EXPECT_EQ(value(run, kInFlight), 0);
  EXPECT_NEAR(value(run, kMeanRange) / one.range, 1, 1e-5);
  EXPECT_NEAR(value(run, kMeanDuration) / one.duration, 1, 1e-5);
  EXPECT_NEAR(value(run, kLargestHeight) / one.height, 1, 1e-5);
  EXPECT_NEAR(value(run, kTerminalSpeed), std::sqrt(9.81 / 0.002), 1e-9);
}

TEST(Projectiles, TheExactDensityIsTheSlopeOfTheLaw) {
  Stepper run = runOf({{"launches", "1000"}});
  run.step(60);
  Frame frame;
  run.present(frame);
  const Channel& line = tests::channelOf(frame, "landings_exact");
  const std::vector<float> density = line.data.toHost();
  const LandingLaw law = landingLaw(parametersOf(run));
  const double cell = line.x_max / line.width;
  for (const int i : {1, 20, 100, 250}) {
    const double expected = (law.share((i + 0.5) * cell, 15) - law.share((i - 0.5) * cell, 15)) / cell;
    EXPECT_NEAR(density[static_cast<std::size_t>(i)], expected, 1e-9 + 1e-5 * expected);
  }
}

TEST(Projectiles, ALiveStepChangesTheClockFromThereOn) {
  Stepper run = runOf({{"launches", "1000"}});
  run.step(10);
  run.configure(tests::changed(run.simulation().parameters(), {{"time_step", "0.5"}}));
  run.step(10);
  EXPECT_DOUBLE_EQ(run.simulation().time(), 2.5 + 5);
  Stepper same = runOf({{"launches", "1000"}});
  same.step(30);
  EXPECT_EQ(landingsOf(run), landingsOf(same)) << "the same time, whatever the way there";
}

TEST(Projectiles, BoundsInTheWrongOrderAreRefusedByName) {
  const auto refused = [](const Changes& changes) { return tests::refusedParameter([&] { runOf(changes); }); };
  EXPECT_EQ(refused({{"speed_min", "301"}}), "speed_min");
  EXPECT_EQ(refused({{"angle_min", "50"}, {"angle_max", "40"}}), "angle_min");
  EXPECT_EQ(refused({{"angle_min", "40"}, {"angle_max", "40"}}), "");
}

TEST(Projectiles, StepsTooLongForTheDragAreWarnedOfAndTheCureHolds) {
  const Changes strong = kQuadratic.with({{"quadratic_drag", "0.1"}, {"time_step", "1"}, {"launches", "100"}});
  Stepper bad = runOf(strong);
  const std::vector<Finding> findings = bad.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].key, "time_step");
  Stepper cured = runOf(strong.with({{"time_step", findings[0].value}}));
  EXPECT_TRUE(cured.findings().empty());
  Stepper rounded = runOf(kQuadratic.with({{"time_step", "0.0001"}}));
  ASSERT_TRUE(tests::hasFinding(rounded.findings(), "rounding"));
  EXPECT_TRUE(runOf(kQuadratic.with({{"time_step", "0.0001"}, {"precision", "double"}})).findings().empty());
}

}  // namespace
}  // namespace simscope::projectiles
