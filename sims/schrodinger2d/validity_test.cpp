#include "sims/schrodinger2d/validity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using tests::Changes;
using tests::small;
using tests::start;
using tests::with;

const Finding* find(const std::vector<Finding>& findings, const std::string& code) {
  const auto at = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
  return at == findings.end() ? nullptr : &*at;
}

// What a run with these parameters would have measured, as far as findings look at it.
Measured measuredOf(const Parameters& p) {
  Measured m;
  const Grid grid = gridOf(p);
  m.potential = {1e300, -1e300};
  const int hop = std::max(1, grid.points / 256);
  for (int j = 0; j < grid.points; j += hop) {
    for (int i = 0; i < grid.points; i += hop) {
      const double v = potentialAt(p, grid.x(i), grid.x(j));
      m.potential.lowest = std::min(m.potential.lowest, v);
      m.potential.highest = std::max(m.potential.highest, v);
    }
  }
  m.begun = begunBy(p);
  for (Begun& each : m.begun) each.potential = potentialAt(p, each.packet.x, each.packet.y);
  return m;
}

struct Ailment {
  const char* code;
  Changes changes;
  double edge_probability = 0;
};

const std::vector<Ailment>& ailments() {
  static const std::vector<Ailment> all = {
      {"packet_outside_domain", {{"packet_x", "-30"}}},
      {"packet_outside_domain", {{"packet_y", "31"}}},
      {"packet_outside_domain", {{"packet_width", "20"}}},
      {"packet_outside_domain", {{"potential", "harmonic"}, {"momentum_x", "20"}, {"omega", "0.5"}}},
      {"packet_touches_potential", {{"packet_x", "-6"}}},
      {"packet_touches_potential", {{"potential", "step"}, {"packet_x", "5"}}},
      {"packet_touches_potential", {{"potential", "circular_well"}, {"packet_x", "0"}, {"packet_y", "3"}}},
      {"packet_outside_domain", {{"second_packet", "on"}, {"second_y", "-25"}}},
      {"packet_touches_potential", {{"second_packet", "on"}, {"second_x", "1"}}},
      {"momentum_beyond_nyquist", {{"grid_points", "64"}}},
      {"momentum_beyond_nyquist", {{"second_packet", "on"}, {"second_momentum_x", "0"}, {"second_momentum_y", "-40"}}},
      {"momentum_beyond_nyquist", {{"momentum_x", "0"}, {"momentum_y", "-40"}}},
      {"momentum_beyond_nyquist", {{"momentum_x", "200"}, {"domain_length", "1000"}}},
      {"momentum_beyond_nyquist", {{"potential", "circular_well"}, {"barrier_height", "900"}}},
      {"potential_unresolved", {{"barrier_width", "0.1"}}},
      {"potential_unresolved", {{"slit_width", "0.2"}}},
      {"potential_unresolved", {{"potential", "coulomb"}, {"softening", "0.01"}}},
      {"potential_unresolved", {{"potential", "circular_well"}, {"well_radius", "0.2"}}},
      {"potential_outside_domain", {{"slit_separation", "80"}}},
      {"potential_outside_domain", {{"potential", "circular_well"}, {"well_radius", "40"}}},
      {"potential_outside_domain", {{"potential", "double_well"}, {"well_separation", "100"}}},
      {"potential_outside_domain", {{"potential", "single_slit"}, {"slit_width", "70"}}},
      {"screen_outside_domain", {{"screen_x", "-100"}}},
      {"time_step_potential", {{"time_step", "0.02"}}},
      {"time_step_potential", {{"barrier_height", "900"}}},
      {"time_step_potential", {{"potential", "coulomb"}, {"charge", "1000"}}},
      {"time_step_kinetic", {{"time_step", "0.2"}}},
      {"time_step_kinetic", {{"momentum_y", "-50"}}},
      {"splitting_feeds_high_momenta", {{"time_step", "0.006"}}},
      {"splitting_feeds_high_momenta", {{"grid_points", "1024"}}},
      {"splitting_feeds_high_momenta", {{"potential", "barrier"}, {"time_step", "0.02"}}},
      {"wrap_around", {}, 0.01},
      {"wrap_around", {{"potential", "none"}}, 0.002},
  };
  return all;
}

TEST(Validity, EveryFindingAppearsAndItsCureRemovesIt) {
  for (const Ailment& each : ailments()) {
    const ParameterSet ill = with(each.changes);
    Measured measured = measuredOf(binding().read(ill));
    measured.edge_probability = each.edge_probability;
    const auto findings = findingsFor(binding().read(ill), measured);
    const Finding* finding = find(findings, each.code);
    std::string what = each.code;
    for (const auto& [key, value] : each.changes) what += " " + key + "=" + value;
    ASSERT_NE(finding, nullptr) << what;
    ASSERT_FALSE(finding->key.empty()) << what;
    ParameterSet cured = ill;
    ASSERT_NO_THROW(cured.setText(finding->key, finding->value))
        << what << ": " << finding->key << "=" << finding->value;
    EXPECT_FALSE(cured == ill) << what;
    measured = measuredOf(binding().read(cured));
    measured.edge_probability = each.edge_probability;
    EXPECT_EQ(find(findingsFor(binding().read(cured), measured), each.code), nullptr)
        << what << ": " << finding->key << "=" << finding->value;
    EXPECT_GT(finding->message.size(), 20u);
    EXPECT_LE(finding->value.size(), 7u) << "what nobody would type: " << finding->value;
  }
}

TEST(Validity, PresetsHaveNothingToComplainOf) {
  for (const Preset& preset : description().presets) {
    Stepper run = start(description().preset(preset.key));
    for (const Finding& each : run.findings()) ADD_FAILURE() << preset.key << ": " << each.message;
  }
}

TEST(Validity, FreePacketThatFitsMayTakeAnyStep) {
  const Parameters p = tests::parametersWith({{"potential", "none"}, {"time_step", "1"}});
  EXPECT_TRUE(findingsFor(p, measuredOf(p)).empty());
}

TEST(Validity, AbsorbingEdgesOrAnEmptyEdgeNeedNoWarning) {
  const auto warned = [](const Changes& changes, double edge) {
    const Parameters p = tests::parametersWith(changes);
    Measured measured = measuredOf(p);
    measured.edge_probability = edge;
    return find(findingsFor(p, measured), "wrap_around") != nullptr;
  };
  EXPECT_FALSE(warned({{"absorbing_edges", "on"}}, 0.5));
  EXPECT_FALSE(warned({}, 0.0009));
  EXPECT_TRUE(warned({}, std::numeric_limits<double>::quiet_NaN()));
}

TEST(Validity, RunReportsAPacketThatReachesTheEdgeAndWallsThatFeedHighMomenta) {
  Stepper run = start(small({{"momentum_x", "5"}}));
  EXPECT_TRUE(run.findings().empty());
  run.poke({.tool = "wall", .x = 3, .y = 3, .radius = 1});
  EXPECT_NE(find(run.findings(), "splitting_feeds_high_momenta"), nullptr);
  EXPECT_EQ(find(run.findings(), "wrap_around"), nullptr);
  run.step(250);
  EXPECT_NE(find(run.findings(), "wrap_around"), nullptr);
}

// What a run finds after a launch at its first step.
Stepper launched(const Changes& changes, double x, double y, double kx, double ky) {
  Stepper run = start(with(changes));
  run.poke({.tool = "packet", .x = x, .y = y, .dx = kx, .dy = ky});
  return run;
}
std::vector<std::string> codesOf(const std::vector<Finding>& findings) {
  std::vector<std::string> codes;
  for (const Finding& each : findings) codes.push_back(each.code + ": " + each.message + each.key + each.value);
  return codes;
}

TEST(Validity, SameWaveHasTheSameFindingsWhoeverBeganIt) {
  Changes changes = {{"potential", "barrier"}, {"barrier_height", "2"}, {"barrier_width", "1"},
                     {"grid_points", "128"},   {"domain_length", "48"}, {"packet_x", "-10"},
                     {"packet_width", "2"},    {"time_step", "0.3"},    {"absorbing_edges", "off"},
                     {"momentum_x", "1"}};
  Stepper by_launch = launched(changes, -10, 0, 6, 0);
  changes.back().second = "6";
  Stepper by_parameter = start(with(changes));
  EXPECT_EQ(codesOf(by_launch.findings()), codesOf(by_parameter.findings()));
  EXPECT_NE(find(by_launch.findings(), "time_step_kinetic"), nullptr);
}

TEST(Validity, MomentaThatAreGoneAreNotWarnedOf) {
  const Changes changes = {{"potential", "none"}, {"grid_points", "64"}, {"domain_length", "24"}, {"packet_x", "0"},
                           {"packet_width", "2"}, {"momentum_x", "12"},  {"time_step", "0.005"},  {"screen_x", "6"}};
  Stepper fast = start(with(changes));
  EXPECT_NE(find(fast.findings(), "momentum_beyond_nyquist"), nullptr);
  fast.poke({.tool = "packet", .x = 0, .y = 0, .dx = 1, .dy = 0});
  for (const Finding& each : fast.findings()) ADD_FAILURE() << each.message;
}

// A launch is limited to what the grid resolves; what falls into a pit of V goes beyond.
TEST(Validity, MomentaThatCameAreFoundInTheSpectrum) {
  Stepper run = start(small({{"potential", "formula"},
                             {"formula", "-180*exp(-((x-2)^2+y^2)/4)"},
                             {"packet_width", "1"},
                             {"packet_x", "-4"},
                             {"packet_y", "0"},
                             {"momentum_x", "4"},
                             {"momentum_y", "0"},
                             {"grid_points", "64"},
                             {"absorbing_edges", "off"},
                             {"time_step", "0.002"}}));
  const Finding* found = nullptr;
  std::vector<Finding> all;
  for (int i = 0; i < 40 && !found; ++i) {
    run.step(25);
    all = run.findings();
    found = find(all, "momentum_beyond_nyquist");
  }
  EXPECT_NE(found, nullptr);
}

TEST(Validity, TypedDrawnAndNamedWallsAreJudgedAlike) {
  const char* const codes[] = {"packet_touches_potential", "time_step_potential", "potential_unresolved"};
  const auto wall = [](const char* width, const char* height) {
    const double half = 0.5 * std::stod(width);
    return std::vector<Changes>{
        {{"potential", "barrier"}, {"barrier_width", width}, {"barrier_height", height}},
        {{"potential", "formula"}, {"formula", "abs(x) < " + std::to_string(half) + " ? " + height + " : 0"}}};
  };
  struct Case {
    const char *width, *height, *packet_x;
    bool touches, fast, fine;
  };
  for (const Case& each : {Case{"2", "10", "-5", false, false, false},
                           {"2", "10", "-3", true, false, false},
                           {"2", "100", "-5", false, true, false},
                           {"0.3", "10", "-5", false, false, true}}) {
    for (Changes changes : wall(each.width, each.height)) {
      changes.push_back({"packet_x", each.packet_x});
      Stepper run = start(small(changes));
      const bool expected[] = {each.touches, each.fast, each.fine};
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(find(run.findings(), codes[i]) != nullptr, expected[i])
            << codes[i] << ": " << changes[0].second << ", width " << each.width << ", height " << each.height;
      }
    }
  }
}

TEST(Validity, RipplesFinerThanTheGridAreFound) {
  const auto lost = [](const char* formula) {
    Stepper run = start(small({{"potential", "formula"}, {"formula", formula}}));
    return find(run.findings(), "potential_unresolved") != nullptr;
  };
  EXPECT_TRUE(lost("sin(25*x) > 0 ? 20 : 0"));
  EXPECT_TRUE(lost("abs(x-0.07)<0.01 ? 20 : 0")) << "between two points";
  EXPECT_TRUE(lost("sin(25*x)*sin(31*y) > 0 ? 20 : 0"));
  EXPECT_TRUE(lost("-40/sqrt(x^2 + y^2 + 0.0001)"));
  EXPECT_FALSE(lost("sin(2*x) > 0 ? 20 : 0"));
  EXPECT_FALSE(lost("(x - 3)^2 + (y + 1)^2 < 2 ? 20 : 0")) << "the ends of a round wall are no narrow walls";
  EXPECT_FALSE(lost("abs(x) + abs(y) < 2 ? 20 : 0"));
  EXPECT_FALSE(lost("10*cos(3*x)*cos(3*y)"));
}

TEST(Validity, DrawnWallIsFoundWhereThePacketIsAndWhereTheGridIsTooCoarse) {
  const auto codesWith = [](double x, double radius, bool away) {
    Stepper run = start(small({{"potential", "drawn"}, {"barrier_height", "20"}}));
    if (away) run.poke({.tool = "packet", .x = 6, .y = -6, .dx = 2, .dy = 0});
    run.poke({.tool = "wall", .x = x, .y = 4, .dx = 0, .dy = 6, .radius = radius});
    const auto found = run.findings();
    return std::make_pair(find(found, "packet_touches_potential") != nullptr,
                          find(found, "potential_unresolved") != nullptr);
  };
  EXPECT_EQ(codesWith(3, 0.6, false), std::make_pair(false, false));
  EXPECT_EQ(codesWith(-3, 0.6, false), std::make_pair(true, false));
  EXPECT_EQ(codesWith(-3, 0.6, true), std::make_pair(false, false)) << "the packet is no longer there";
  EXPECT_EQ(codesWith(3, 0.2, false), std::make_pair(false, true));
}

TEST(Validity, FindingsOfTheWaveAreThoseOfItsState) {
  Stepper run = start(small({{"potential", "formula"}, {"formula", "x > -1 && x < 1 ? 5 : 0"}}));
  const auto began = codesOf(run.findings());
  EXPECT_NE(find(run.findings(), "packet_touches_potential"), nullptr);
  run.step(20);
  Stepper loaded = start(small({}));
  loaded.load(run.save());
  EXPECT_EQ(codesOf(loaded.findings()), codesOf(run.findings()));
  EXPECT_EQ(codesOf(run.findings()), began);
}

TEST(Validity, ExtremeParametersAreAnsweredWithValidValues) {
  for (const ParameterInfo& info : *binding().infos()) {
    if (info.kind != Kind::Real && info.kind != Kind::Integer) continue;
    for (const double bound : {info.minimum, info.maximum}) {
      ParameterSet set = with({});
      set.set(info.key, info.kind == Kind::Integer ? Value(static_cast<std::int64_t>(bound)) : Value(bound));
      for (const char* potential :
           {"none", "barrier", "double_slit", "step", "circular_well", "harmonic", "double_well", "coulomb", "drawn"}) {
        set.setText("potential", potential);
        const Parameters p = binding().read(set);
        Measured measured = measuredOf(p);
        measured.edge_probability = 0.5;
        for (const Finding& each : findingsFor(p, measured)) {
          ParameterSet cured = set;
          if (!each.key.empty()) {
            EXPECT_NO_THROW(cured.setText(each.key, each.value)) << each.code << ": " << each.key << "=" << each.value;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace simscope::schrodinger2d
