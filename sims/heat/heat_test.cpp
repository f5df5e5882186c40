#include "sims/heat/heat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sims/heat/exact.h"
#include "sims/heat/testing.h"

namespace simscope::heat {
namespace {

using tests::Changes;
using tests::channelOf;
using tests::hasFinding;
using tests::sameBits;
using tests::Session;

const std::vector<Changes>& variants() {
  static const std::vector<Changes> all = {
      {{"grid_points", "128"}, {"initial", "random"}, {"spot_size", "5"}},
      {{"grid_points", "101"}, {"initial", "gaussian"}, {"boundary", "periodic"}, {"spot_size", "9"}},
      {{"grid_points", "96"}, {"initial", "two_spots"}, {"boundary", "insulated"}, {"spot_size", "7"}},
      {{"grid_points", "90"}, {"scheme", "adi"}, {"time_step_fraction", "6"}, {"spot_size", "11"}},
      {{"grid_points", "70"}, {"precision", "double"}, {"initial", "random"}, {"spot_size", "4"}},
  };
  return all;
}

TEST(Heat, DescriptionIsConsistent) {
  const Description& d = description();
  EXPECT_EQ(d.id, "heat");
  EXPECT_EQ(d.diagnostics.size(), static_cast<std::size_t>(kDiagnosticCount));
  EXPECT_EQ(d.diagnostics[kHeatDrift].key, "heat_drift");
  EXPECT_EQ(d.diagnostics[kThermometer1].key, "thermometer_1");
  EXPECT_EQ(d.diagnostics[d.diagnosticIndex("center_exact")].exact_of, "center");
  EXPECT_EQ(d.preset("square"), d.defaults());  // the document's values
  for (const Preset& preset : d.presets) {
    EXPECT_NO_THROW(requireUsable(binding().read(d.preset(preset.key)))) << preset.key;
    EXPECT_GT(preset.steps_per_frame, 0);
  }
}

TEST(Heat, PresetsStartWithoutWarnings) {
  for (const Preset& preset : description().presets) {
    for (const Finding& finding : findingsFor(binding().read(description().preset(preset.key)))) {
      EXPECT_EQ(finding.level, Finding::Level::Note) << preset.key << ": " << finding.message;
    }
  }
}

TEST(Heat, StepsTogetherAreStepsOneByOne) {
  for (const Changes& changes : variants()) {
    Session together(changes), apart(changes);
    together.step(45);
    for (int i = 0; i < 45; ++i) apart.step(1);
    EXPECT_TRUE(sameBits(together.field(), apart.field()));
    EXPECT_EQ(together.heat().time(), apart.heat().time());
    EXPECT_EQ(together.heat().steps(), 45);
  }
}

TEST(Heat, SameSeedSameField) {
  const Changes changes{{"grid_points", "128"}, {"initial", "random"}, {"spot_size", "6"}};
  Session a(changes, 4), b(changes, 4), c(changes, 5);
  EXPECT_TRUE(sameBits(a.field(), b.field()));
  EXPECT_FALSE(sameBits(a.field(), c.field()));
}

TEST(Heat, RandomPatchesAreFlatAndFillTheRange) {
  Session run({{"grid_points", "256"},
               {"initial", "random"},
               {"spot_size", "8"},
               {"boundary", "insulated"},
               {"spot_temperature", "2"}});
  const std::vector<float> u = run.field();
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x) {
      ASSERT_EQ(u[static_cast<std::size_t>(y * 256 + x)], u[static_cast<std::size_t>(y / 8 * 8 * 256 + x / 8 * 8)]);
    }
  }
  EXPECT_NEAR(run.diagnostic(kMean), 1, 0.1);
  EXPECT_GT(run.diagnostic(kMaximum), 1.95);
  EXPECT_LT(run.diagnostic(kMinimum), 0.05);
}

TEST(Heat, SavedStateContinuesBitForBit) {
  for (const Changes& changes : variants()) {
    Session whole(changes, 3), first(changes, 3), second(changes, 9);
    for (Session* run : {&whole, &first}) {
      run->poke({.tool = "heat", .x = 5, .y = -9, .radius = 4});
      run->poke({.tool = "thermometer", .x = 3, .y = 2});
      run->poke({.tool = "insulator", .x = -12, .y = 3, .radius = 3});
      run->poke({.tool = "source", .x = 20, .y = 20, .radius = 2});
      run->step(21);
    }
    ParameterSet live = whole.heat().parameters();
    live.set("diffusivity", 1.7);
    whole.heat().apply(live);
    first.heat().apply(live);
    whole.step(13);
    first.step(13);
    const State kept = first.save();
    second.heat().apply(live);
    second.load(kept);
    EXPECT_EQ(second.heat().seed(), 3u);
    whole.step(18);
    second.step(18);
    EXPECT_TRUE(sameBits(whole.field(), second.field()));
    EXPECT_EQ(whole.heat().time(), second.heat().time());
    const std::vector<double> a = whole.diagnostics(), b = second.diagnostics();
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << description().diagnostics[i].key;
    }
  }
}

TEST(Heat, StateThatDoesNotFitIsRefusedAndChangesNothing) {
  Session run({{"grid_points", "64"}}), other({{"grid_points", "65"}});
  run.step(4);
  const std::vector<float> before = run.field();
  const State wrong_size = other.save();
  State wrong_type = run.save(), empty = run.save(), foreign = run.save();
  wrong_type.arrays[0].dtype = "<f8";
  empty.arrays.clear();
  foreign.simulation = "tunneling";
  for (const State& state : {wrong_size, wrong_type, empty, foreign}) EXPECT_THROW(run.load(state), UsageError);
  EXPECT_TRUE(sameBits(run.field(), before));
  EXPECT_EQ(run.heat().steps(), 4);
}

TEST(Heat, FieldFromElsewhereHasNoExactSolution) {
  Session run({{"grid_points", "128"}});
  State state = run.save();
  std::erase_if(state.arrays, [](const StateArray& array) { return array.name != "temperature"; });
  state.steps = 40;
  state.time = 1;
  run.load(state);
  EXPECT_TRUE(std::isnan(run.diagnostic(kCenterExact)));
  EXPECT_EQ(run.diagnostic(kHeatDrift), 0);
  EXPECT_DOUBLE_EQ(run.heat().time(), 1);
}

TEST(Heat, ExactSolutionFollowsLiveChangesOfDiffusivityAndStep) {
  Session run({{"grid_points", "128"}, {"initial", "gaussian"}, {"spot_size", "8"}, {"spacing", "0.5"}});
  run.step(100);
  const double time = run.heat().time();
  ParameterSet changed = run.heat().parameters();
  changed.set("diffusivity", 3.0);
  changed.set("time_step_fraction", 0.4);
  run.heat().apply(changed);
  EXPECT_DOUBLE_EQ(run.heat().time(), time);
  run.step(50);
  const double dt = 0.4 * 0.25 / (4 * 3.0);
  EXPECT_NEAR(run.heat().time(), time + 50 * dt, 1e-12);
  const std::vector<double> values = run.diagnostics();
  // σ² + 2 ∫ α dt
  const double tau = 100 * 0.1 * 0.25 / 4 + 50 * 3 * dt;
  EXPECT_NEAR(values[kCenterExact], 16 / (16 + 2 * tau), 1e-12);
  EXPECT_NEAR(values[kCenter], values[kCenterExact], 1e-3);
  EXPECT_LT(values[kErrorL2], 2e-3);
}

TEST(Heat, ParametersThatNeedAResetAreNotAppliedLive) {
  Session run({{"grid_points", "64"}});
  ParameterSet changed = run.heat().parameters();
  changed.setText("boundary", "periodic");
  EXPECT_THROW(run.heat().apply(changed), UsageError);
  EXPECT_EQ(run.heat().parameters().text("boundary"), "fixed");
}

TEST(Heat, DiagnosticsMeasureTheField) {
  Session run({{"grid_points", "64"}, {"initial", "blank"}, {"spacing", "0.5"}, {"boundary", "insulated"}});
  std::vector<float> u(64 * 64);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) u[static_cast<std::size_t>(y * 64 + x)] = static_cast<float>(2 * x - y);
  }
  run.setField(u);
  const std::vector<double> values = run.diagnostics();
  EXPECT_NEAR(values[kMean], 31.5, 1e-9);
  EXPECT_NEAR(values[kTotalHeat], 31.5 * 32 * 32, 1e-6);
  EXPECT_EQ(values[kMaximum], 126);
  EXPECT_EQ(values[kMinimum], -63);
  EXPECT_NEAR(values[kCenter], 31.5, 1e-9);  // cubic interpolation is exact for a plane
  EXPECT_TRUE(std::isnan(values[kCenterExact]));
}

TEST(Heat, ExactSolutionHoldsBeyondTheEdge) {
  // Long after the heat has come to the edge; of a cold wall little is left.
  for (const char* boundary : {"fixed", "insulated", "periodic"}) {
    for (const char* initial : {"square", "gaussian", "two_spots"}) {
      Session run({{"grid_points", "128"},
                   {"initial", initial},
                   {"boundary", boundary},
                   {"spot_size", "16"},
                   {"time_step_fraction", "0.5"}});
      for (const int steps : {4000, 12000}) {  // √(2τ) = 32 and 63: images count
        run.step(steps);
        const std::vector<double> values = run.diagnostics();
        EXPECT_LT(values[kErrorL2], 1e-3) << boundary << " " << initial;
        EXPECT_NEAR(values[kCenter], values[kCenterExact], 1e-3 * values[kCenterExact]) << boundary << " " << initial;
      }
    }
  }
}

TEST(Heat, CentreOfRandomPatchesIsExact) {
  for (const char* boundary : {"fixed", "insulated", "periodic"}) {
    for (const char* spot : {"16", "11.3"}) {
      Session run({{"grid_points", "120"},
                   {"initial", "random"},
                   {"boundary", boundary},
                   {"spot_size", spot},
                   {"time_step_fraction", "0.4"}});
      for (const int steps : {300, 3000, 20000}) {
        run.step(steps);
        const std::vector<double> values = run.diagnostics();
        EXPECT_NEAR(values[kCenter], values[kCenterExact], 5e-4) << boundary << " " << spot << " " << steps;
      }
      EXPECT_GT(run.diagnostic(kCenterExact), boundary[0] == 'f' ? 1e-9 : 0.3);
    }
  }
  Session fine({{"grid_points", "130"}, {"initial", "random"}, {"spot_size", "2"}});
  EXPECT_TRUE(std::isnan(fine.diagnostic(kCenterExact))) << "too many patches";
}

TEST(Heat, SettledFieldsStayExact) {
  const Parameters closed =
      tests::parametersWith({{"grid_points", "64"}, {"spot_size", "8"}, {"boundary", "periodic"}});
  EXPECT_NEAR(exactCentre(closed, 1e9, 1), 64.0 / 4096, 1e-12);
  const Parameters open = tests::parametersWith({{"grid_points", "64"}, {"spot_size", "8"}});
  EXPECT_NEAR(exactCentre(open, 1e9, 1), 0, 1e-12);
}

TEST(Heat, SpotsAtTheEdgeHaveNoExactSolution) {
  Session run({{"grid_points", "64"}, {"initial", "gaussian"}, {"spot_size", "30"}});
  EXPECT_TRUE(hasFinding(run.findings(), "edge_reached"));
  EXPECT_TRUE(std::isnan(run.diagnostic(kCenterExact)));
  EXPECT_TRUE(std::isnan(run.diagnostic(kErrorL2)));
}

TEST(Heat, FindingsNameValuesThatCureThem) {
  const std::vector<Changes> troubled = {
      {{"spot_size", "5000"}},
      {{"initial", "gaussian"}, {"spot_size", "1"}},
      {{"time_step_fraction", "1"}},
      {{"scheme", "adi"}, {"time_step_fraction", "50"}},
      {{"initial", "gaussian"}, {"grid_points", "64"}, {"spot_size", "30"}},
  };
  std::set<std::string> seen;
  for (const Changes& changes : troubled) {
    ParameterSet set = tests::with(changes);
    const std::vector<Finding> findings = findingsFor(binding().read(set));
    ASSERT_FALSE(findings.empty());
    for (const Finding& finding : findings) {
      seen.insert(finding.code);
      ParameterSet cured = set;
      cured.setText(finding.key, finding.value);
      EXPECT_FALSE(hasFinding(findingsFor(binding().read(cured)), finding.code)) << finding.code;
    }
  }
  EXPECT_EQ(seen,
            (std::set<std::string>{"spot_too_large", "unresolved", "alternating_cells", "ringing", "edge_reached"}));
  EXPECT_TRUE(findingsFor(Parameters{}).empty());
}

// By the closed forms: the centre of a Gaussian of 8 cells is 2·10⁻³ off after a while, of a square of 12 cells 3·10⁻³.
TEST(Heat, SpotsOfTooFewCellsAreFoundAndTheirCureCures) {
  struct Case {
    Changes changes;
    int steps;
  };
  const Changes small{{"grid_points", "128"}, {"boundary", "periodic"}};
  const std::vector<Case> cases = {
      {small.with({{"initial", "gaussian"}, {"spot_size", "8"}, {"time_step_fraction", "0.1"}}), 160},
      {small.with({{"initial", "square"}, {"spot_size", "12"}, {"time_step_fraction", "0.5"}}), 40},
      {small.with({{"initial", "two_spots"}, {"spot_size", "8"}, {"time_step_fraction", "1"}}), 20},
      {small.with({{"initial", "stripes"}, {"spot_size", "8"}, {"time_step_fraction", "0.1"}}), 250},
      {small.with({{"initial", "random"}, {"spot_size", "12"}, {"spot_temperature", "40"}}), 200},
      {small.with({{"initial", "square"}, {"spot_size", "40"}, {"scheme", "adi"}, {"time_step_fraction", "50"}}), 5},
  };
  for (const Case& each : cases) {
    Changes changes = each.changes;
    Session run(changes);
    run.step(each.steps);
    ASSERT_TRUE(run.hasFinding("coarse_field"))
        << run.diagnostic(kCenter) << " " << run.diagnostic(kCenterExact) << " " << run.diagnostic(kErrorL2);
    for (const Finding& finding : run.findings()) {
      if (finding.code != "coarse_field") continue;
      ASSERT_FALSE(finding.key.empty()) << finding.message;
      changes = changes.with({{finding.key, finding.value}});
    }
    Session cured(changes);
    for (int i = 0; i < 16; ++i) {
      cured.step(each.steps);
      ASSERT_FALSE(cured.hasFinding("coarse_field")) << each.steps << " " << i;
    }
  }
}

TEST(Heat, NotFiniteIsFound) {
  Session run({{"grid_points", "64"}});
  EXPECT_TRUE(run.heat().finite());
  std::vector<float> u = run.field();
  u[2000] = std::numeric_limits<float>::max();  // a number still; the first step leaves what floats hold
  run.setField(u);
  EXPECT_TRUE(run.heat().finite());
  run.step(1);
  EXPECT_FALSE(run.heat().finite());
}

TEST(Heat, PresentsEveryChannelOfItsViews) {
  Session run({{"grid_points", "100"}, {"spacing", "2"}, {"spot_temperature", "3"}});
  run.step(10);
  Frame frame;
  run.present(frame);
  for (const std::string& key : description().drawnChannels()) EXPECT_NE(frame.find(key), nullptr) << key;
  const Channel& temperature = channelOf(frame, "temperature");
  EXPECT_TRUE(sameBits(temperature.data.toHost(), run.field()));
  EXPECT_EQ(temperature.x_min, -100);
  EXPECT_EQ(temperature.x_max, 100);
  EXPECT_EQ(temperature.low, 0);
  EXPECT_EQ(temperature.high, 3);
  EXPECT_EQ(channelOf(frame, "flux").components, 2);
}

TEST(Heat, LargeFieldsAreFilteredOverBoxes) {
  // 2100 cells become 1050 boxes of 2 × 2; the mean stays.
  Session run({{"grid_points", "2100"}, {"initial", "random"}, {"spot_size", "1"}, {"boundary", "periodic"}});
  Frame frame;
  run.present(frame);
  const Channel& temperature = channelOf(frame, "temperature");
  ASSERT_EQ(temperature.width, 1050);
  ASSERT_EQ(temperature.height, 1050);
  const std::vector<float> shown = temperature.data.toHost(), u = run.field();
  double sum = 0;
  for (const float value : shown) sum += static_cast<double>(value);
  EXPECT_NEAR(sum / (1050.0 * 1050.0), run.diagnostic(kMean), 1e-6);
  EXPECT_NEAR(shown[1050 * 7 + 3], (u[2100 * 14 + 6] + u[2100 * 14 + 7] + u[2100 * 15 + 6] + u[2100 * 15 + 7]) / 4,
              1e-6);
}

TEST(Heat, ColourRangeFollowsItsParameter) {
  Session run({{"grid_points", "128"}, {"spot_temperature", "2"}});
  run.step(800);
  const auto range = [&](const char* choice) {
    ParameterSet set = run.heat().parameters();
    set.setText("colour_range", choice);
    run.heat().apply(set);
    Frame frame;
    run.present(frame);
    return std::pair{channelOf(frame, "temperature").low, channelOf(frame, "temperature").high};
  };
  EXPECT_EQ(range("fixed"), std::pair(0.0, 2.0));
  EXPECT_EQ(range("symmetric"), std::pair(-2.0, 2.0));
  EXPECT_EQ(range("auto"), std::pair(run.diagnostic(kMinimum), run.diagnostic(kMaximum)));
}

TEST(Heat, IsothermsCrossOneHalfAtTheirTemperatures) {
  Session run({{"grid_points", "101"}, {"initial", "blank"}, {"boundary", "insulated"}});
  std::vector<float> u(101 * 101);
  for (int i = 0; i < 101 * 101; ++i) u[static_cast<std::size_t>(i)] = static_cast<float>(i % 101) / 100;
  run.setField(u);
  Frame frame;
  run.present(frame);
  const std::vector<float> wave = channelOf(frame, "isotherms").data.toHost();
  std::vector<int> crossings;
  for (int x = 1; x < 101; ++x) {
    const float before = wave[static_cast<std::size_t>(x - 1)] - 0.5f, here = wave[static_cast<std::size_t>(x)] - 0.5f;
    if ((before < -1e-4f) != (here < -1e-4f)) crossings.push_back(x);
  }
  ASSERT_EQ(crossings.size(), static_cast<std::size_t>(kIsotherms));
  for (int k = 0; k < kIsotherms; ++k) EXPECT_NEAR(crossings[static_cast<std::size_t>(k)], 10 + 20 * k, 1);
}

TEST(Heat, ProfileShowsTheFieldAndItsExactSolution) {
  Session run({{"grid_points", "128"}});
  run.step(500);
  Frame frame;
  run.present(frame);
  const Channel& profile = channelOf(frame, "profile");
  const std::vector<float> u = profile.data.toHost(), exact = channelOf(frame, "profile_exact").data.toHost();
  EXPECT_EQ(profile.x_min, -63.5);
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], exact[i], 3e-3);
  run.poke({.tool = "heat", .x = 0, .y = 0, .radius = 3});
  run.present(frame);
  for (const float value : channelOf(frame, "profile_exact").data.toHost()) EXPECT_EQ(value, 0);  // where it all ends
}

TEST(Heat, ProfileOfAClosedFieldIsComparedWithItsMean) {
  Session run({{"grid_points", "96"}, {"initial", "random"}, {"boundary", "insulated"}, {"spot_size", "4"}});
  const double mean = run.diagnostic(kMean);
  run.step(100);
  Frame frame;
  run.present(frame);
  for (const float value : channelOf(frame, "profile_exact").data.toHost()) EXPECT_NEAR(value, mean, 1e-6);
}

TEST(Heat, FluxPointsFromHotToCold) {
  Session run({{"grid_points", "128"}, {"initial", "gaussian"}, {"spot_size", "30"}, {"diffusivity", "2"}});
  Frame frame;
  run.present(frame);
  const std::vector<float> q = channelOf(frame, "flux").data.toHost();
  const auto at = [&](int x, int y, int component) {
    return q[static_cast<std::size_t>(2 * (y * 128 + x) + component)];
  };
  EXPECT_GT(at(90, 64, 0), 0);
  EXPECT_LT(at(38, 64, 0), 0);
  EXPECT_GT(at(64, 90, 1), 0);
  EXPECT_NEAR(at(90, 64, 1), at(64, 90, 0), 1e-5);
  // -α ∂u/∂x of a Gaussian of σ = 15 at x = 26.5, y = 0.5
  EXPECT_NEAR(at(90, 64, 0), 2 * 26.5 / 225 * std::exp(-(26.5 * 26.5 + 0.25) / 450), 1e-3);
}

TEST(Heat, ThroughputCountsCellsAndTheBytesOfAPass) {
  Session run({{"grid_points", "128"}});
  const Throughput t = run.heat().throughput();
  EXPECT_EQ(t.unit, "cells/s");
  EXPECT_EQ(t.work_per_step, 128.0 * 128.0);
  EXPECT_LT(t.bytes_per_step, 8 * t.work_per_step);
  EXPECT_FALSE(run.heat().method().empty());
}

}  // namespace
}  // namespace simscope::heat
