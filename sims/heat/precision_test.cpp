// Small changes of large temperatures: lost in single precision, which says so, and kept in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "sims/heat/testing.h"

namespace simscope::heat {
namespace {

using tests::Changes;
using tests::Session;

// mean + amplitude cos(kx), a wave of the insulated plate; `halves` of it fit.
struct Wave {
  int n, halves = 2;
  double mean, amplitude;
  double k() const { return std::numbers::pi * halves / n; }
  double at(int x) const { return std::cos(k() * (x + 0.5)); }
  // What explicit steps of the mesh ratio r make of its amplitude.
  double after(int steps, double r) const { return amplitude * std::pow(1 - 2 * r * (1 - std::cos(k())), steps); }

  std::vector<float> field() const {
    std::vector<float> u;
    for (int i = 0; i < n * n; ++i) u.push_back(static_cast<float>(mean + amplitude * at(i % n)));
    return u;
  }
  std::vector<double> wideField() const {
    const std::vector<float> u = field();
    return {u.begin(), u.end()};
  }
  double amplitudeIn(const std::vector<double>& u) const {
    double along = 0, norm = 0;
    for (int i = 0; i < n * n; ++i) {
      along += (u[static_cast<std::size_t>(i)] - mean) * at(i % n);
      norm += at(i % n) * at(i % n);
    }
    return along / norm;
  }
};

Changes plate(int n, const char* fraction, const char* precision) {
  return {{"grid_points", std::to_string(n)},
          {"initial", "blank"},
          {"boundary", "insulated"},
          {"time_step_fraction", fraction},
          {"precision", precision}};
}

std::vector<double> temperatures(Session& run) {
  const std::vector<float> high = run.field();
  std::vector<double> u(high.begin(), high.end());
  if (run.save().find("remainder")) {
    const std::vector<float> low = run.values<float>("remainder");
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += static_cast<double>(low[i]);
  }
  return u;
}

TEST(Precision, SinglePrecisionLosesSmallStepsAndSaysSoAndDoubleKeepsThem) {
  const Wave wave{.n = 64, .mean = 100, .amplitude = 1};
  const double before = wave.amplitudeIn(wave.wideField());
  const double decay = before - wave.after(500, 0.00025) / wave.amplitude * before;
  for (const char* const precision : {"single", "double"}) {
    const bool is_double = precision == std::string("double");
    Session run(plate(wave.n, "0.001", precision));
    run.setField(wave.field());
    EXPECT_EQ(run.hasFinding("rounding"), !is_double);
    run.step(500);
    const double done = before - wave.amplitudeIn(temperatures(run));
    if (is_double) {
      EXPECT_NEAR(done / decay, 1, 1e-6);
    } else {
      EXPECT_LT(done / decay, 0.875);
    }
  }
}

TEST(Precision, AClosedPlateGoesOnToLevelInDoubleAndStallsInSingleWithAFinding) {
  const Wave wave{.n = 512, .halves = 1, .mean = 0.75, .amplitude = 3.3e-3};
  Session one(plate(wave.n, "0.25", "single"));
  one.setField(wave.field());
  ASSERT_TRUE(one.hasFinding("rounding"));
  for (const Finding& finding : one.findings()) {
    EXPECT_EQ(finding.key, "precision");
    EXPECT_EQ(finding.value, "double");
  }
  one.step(16);
  std::vector<double> u = temperatures(one);
  EXPECT_EQ(u, wave.wideField()) << "no cell has changed";

  Session two(plate(wave.n, "0.25", "double"));
  two.setField(wave.field());
  EXPECT_FALSE(two.hasFinding("rounding"));
  const double before = wave.amplitudeIn(temperatures(two)), factor = wave.after(16, 0.0625) / wave.amplitude;
  two.step(16);
  EXPECT_NEAR((before - wave.amplitudeIn(temperatures(two))) / (before * (1 - factor)), 1, 1e-4);
}

TEST(Precision, ItIsNotWarnedOfWhatIsLostWithoutConsequence) {
  for (const char* const fraction : {"0.01", "0.1", "1"}) {
    Session run(plate(64, fraction, "single"));
    EXPECT_FALSE(run.hasFinding("rounding")) << "nothing to do";
    run.setField(Wave{.n = 64, .mean = 0.5, .amplitude = 0.3}.field());
    EXPECT_FALSE(run.hasFinding("rounding")) << "changes of many digits";
    run.setField(Wave{.n = 64, .mean = 0.5, .amplitude = 1e-6}.field());
    EXPECT_FALSE(run.hasFinding("rounding")) << "a level plate, but for its last digits";
  }
}

TEST(Precision, DoubleStepsAreTheTextbooksAtEveryEdge) {
  constexpr int kSide = 64, kSteps = 20;
  for (const char* const boundary : {"fixed", "insulated", "periodic"}) {
    Session run({{"grid_points", "64"},
                 {"initial", "random"},
                 {"spot_size", "1"},
                 {"boundary", boundary},
                 {"time_step_fraction", "0.8"},
                 {"precision", "double"}});
    std::vector<double> u = temperatures(run);
    const bool fixed = boundary == std::string("fixed"), periodic = boundary == std::string("periodic");
    for (int step = 0; step < kSteps; ++step) {
      const std::vector<double> old = u;
      const auto at = [&](int x, int y) {
        const auto place = [&](int i) { return periodic ? (i + kSide) % kSide : std::clamp(i, 0, kSide - 1); };
        return old[static_cast<std::size_t>(place(y) * kSide + place(x))];
      };
      for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
          const bool wall = fixed && (x == 0 || y == 0 || x == kSide - 1 || y == kSide - 1);
          const double around = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
          u[static_cast<std::size_t>(y * kSide + x)] = wall ? 0 : at(x, y) + 0.2 * (around - 4 * at(x, y));
        }
      }
    }
    run.step(kSteps);
    const std::vector<double> got = temperatures(run);
    for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(got[i], u[i], 1e-13) << boundary << ", " << i;
  }
}

TEST(Precision, MaterialsInDoubleAreThoseOfSingleButForRounding) {
  const Changes rooms{{"grid_points", "96"},
                      {"initial", "blank"},
                      {"boundary", "insulated"},
                      {"material", "rooms"},
                      {"time_step_fraction", "0.5"}};
  Session one(rooms), two(rooms.with({{"precision", "double"}}));
  for (Session* run : {&one, &two}) {
    run->poke({.tool = "conductor", .x = 10, .y = 12, .radius = 6});
    run->step(100);
  }
  const std::vector<float> a = one.field(), b = two.field();
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-5);
  EXPECT_LT(std::abs(two.diagnostic(kHeatDrift)), 1e-8);
}

TEST(Precision, LargeStepsInDoubleAreExplicitPartsAndSaySo) {
  const Wave wave{.n = 64, .mean = 0.5, .amplitude = 0.25};
  Session run(Changes{{"scheme", "adi"}}.with(plate(wave.n, "8", "double")));
  EXPECT_TRUE(run.hasFinding("double_explicit"));
  run.setField(wave.field());
  run.step(5);
  EXPECT_NEAR(wave.amplitudeIn(temperatures(run)), wave.after(40, 0.25), 1e-7);
}

}  // namespace
}  // namespace simscope::heat
