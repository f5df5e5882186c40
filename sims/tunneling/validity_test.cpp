#include "sims/tunneling/validity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sims/tunneling/testing.h"

namespace simscope::tunneling {
namespace {

using tests::Changes;
using tests::documented;

const Finding* find(const std::vector<Finding>& findings, const std::string& code) {
  const auto at = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
  return at == findings.end() ? nullptr : &*at;
}

struct Ailment {
  const char* code;
  Changes changes;
  double edge_probability = 0;
};
// From the documents' values (a periodic domain, 4096 points, steps of 0.05).
Parameters documentedParameters(const Changes& changes) {
  return binding().read(documented(changes));
}

const std::vector<Ailment>& ailments() {
  static const std::vector<Ailment> all = {
      {"packet_outside_domain", {{"packet_center", "-90"}}},
      {"packet_outside_domain", {{"packet_center", "400"}}},
      {"packet_outside_domain", {{"packet_center", "-60"}, {"absorbing_edges", "on"}}},
      {"packet_outside_domain", {{"packet_width", "40"}, {"absorbing_edges", "on"}}},
      {"packet_outside_domain", {{"packet_width", "40"}}},
      {"packet_outside_domain", {{"potential", "harmonic"}, {"packet_momentum", "3"}}},
      {"packet_touches_potential", {{"packet_center", "-10"}}},
      {"packet_touches_potential", {{"potential", "step"}, {"packet_center", "5"}}},
      {"packet_touches_potential", {{"barrier_width", "90"}}},
      {"momentum_beyond_nyquist", {{"grid_points", "64"}}},
      {"momentum_beyond_nyquist", {{"grid_points", "128"}, {"packet_momentum", "-5"}}},
      {"momentum_beyond_nyquist", {{"packet_momentum", "50"}, {"domain_length", "2000"}}},
      {"momentum_beyond_nyquist", {{"potential", "harmonic"}, {"packet_width", "0.2"}}},
      {"potential_unresolved", {{"barrier_width", "0.1"}}},
      {"potential_unresolved", {{"potential", "double_barrier"}, {"barrier_gap", "0.05"}}},
      {"potential_unresolved", {{"barrier_width", "0.1"}, {"domain_length", "2000"}}},
      {"potential_outside_domain", {{"potential", "double_barrier"}, {"barrier_width", "100"}}},
      {"potential_outside_domain", {{"domain_length", "20"}, {"barrier_width", "30"}}},
      {"time_step_potential", {{"time_step", "0.6"}}},
      {"time_step_potential", {{"barrier_height", "20"}}},
      {"time_step_potential", {{"potential", "harmonic"}, {"packet_width", "1"}, {"packet_momentum", "0"}}},
      {"time_step_kinetic", {{"packet_momentum", "12"}}},
      {"time_step_kinetic", {{"packet_momentum", "-50"}, {"time_step", "1"}}},
      {"splitting_feeds_high_momenta", {}},
      {"splitting_feeds_high_momenta", {{"grid_points", "65536"}}},
      {"splitting_feeds_high_momenta", {{"grid_points", "65536"}, {"domain_length", "20"}}},
      {"splitting_feeds_high_momenta", {{"potential", "well"}}},
      {"edges_reflect",
       {{"absorbing_edges", "on"},
        {"potential", "none"},
        {"domain_length", "40"},
        {"packet_center", "-3"},
        {"packet_width", "3"},
        {"packet_momentum", "0.8"}}},
      {"wrap_around", {}, 0.01},
      {"wrap_around", {{"potential", "none"}}, 0.002},
  };
  return all;
}

TEST(TunnelingValidity, EveryFindingAppearsAndItsCureRemovesIt) {
  for (const Ailment& each : ailments()) {
    const ParameterSet ill = documented(each.changes);
    const auto findings = findingsFor(binding().read(ill), {.edge_probability = each.edge_probability});
    const Finding* finding = find(findings, each.code);
    std::string what = each.code;
    for (const auto& [key, value] : each.changes) what += " " + key + "=" + value;
    ASSERT_NE(finding, nullptr) << what;
    ASSERT_FALSE(finding->key.empty()) << what;
    ParameterSet cured = ill;
    ASSERT_NO_THROW(cured.setText(finding->key, finding->value))
        << what << ": " << finding->key << "=" << finding->value;
    EXPECT_FALSE(cured == ill) << what;
    EXPECT_EQ(find(findingsFor(binding().read(cured), {.edge_probability = each.edge_probability}), each.code), nullptr)
        << what << ": " << finding->key << "=" << finding->value;
    EXPECT_GT(finding->message.size(), 20u);
    EXPECT_LE(finding->value.size(), 7u) << "what nobody would type: " << finding->value;
  }
}

TEST(TunnelingValidity, PresetsWithoutAFlawHaveNoFindings) {
  for (const Preset& preset : description().presets) {
    if (!preset.flaw.empty()) continue;
    for (const Finding& each : findingsFor(binding().read(description().preset(preset.key)))) {
      ADD_FAILURE() << preset.key << ": " << each.message;
    }
  }
}

TEST(TunnelingValidity, TheSplittingIsANoteUntilTheEnergyIsSeenToChange) {
  const auto said = [](double drift) {
    return *find(findingsFor(documentedParameters({}), {.energy_drift = drift}), "splitting_feeds_high_momenta");
  };
  EXPECT_EQ(said(0.001).level, Finding::Level::Note);
  EXPECT_NE(said(0.001).message.find("by only 0.001"), std::string::npos) << said(0.001).message;
  EXPECT_EQ(said(0.1).level, Finding::Level::Warning);
  EXPECT_NE(said(0.1).message.find("by 0.1 since"), std::string::npos) << said(0.1).message;
  EXPECT_EQ(said(NAN).level, Finding::Level::Note);
}

TEST(TunnelingValidity, NothingIsSaidOfAFreePacketThatFits) {
  EXPECT_TRUE(findingsFor(documentedParameters({{"potential", "none"}})).empty());
  EXPECT_TRUE(findingsFor(documentedParameters({{"potential", "none"}, {"time_step", "1"}})).empty());
}

TEST(TunnelingValidity, AbsorbingEdgesOrAnEmptyEdgeNeedNoWarning) {
  EXPECT_EQ(
      find(findingsFor(documentedParameters({{"absorbing_edges", "on"}}), {.edge_probability = 0.5}), "wrap_around"),
      nullptr);
  EXPECT_EQ(find(findingsFor(documentedParameters({}), {.edge_probability = 0.0009}), "wrap_around"), nullptr);
  EXPECT_NE(find(findingsFor(documentedParameters({}), {.edge_probability = std::numeric_limits<double>::quiet_NaN()}),
                 "wrap_around"),
            nullptr);
}

TEST(TunnelingValidity, TheRunReportsAPacketThatReachesTheEdge) {
  Stepper run = tests::start(documented({{"potential", "none"}}));
  EXPECT_EQ(find(run.findings(), "wrap_around"), nullptr);
  run.step(1500);  // t = 75: the centre is at 90
  EXPECT_NE(find(run.findings(), "wrap_around"), nullptr);
}

TEST(TunnelingValidity, ExtremeParametersAreAnsweredWithValidValues) {
  for (const ParameterInfo& info : *binding().infos()) {
    if (info.kind != Kind::Real && info.kind != Kind::Integer) continue;
    for (const double bound : {info.minimum, info.maximum}) {
      ParameterSet set = documented({});
      set.set(info.key, info.kind == Kind::Integer ? Value(static_cast<std::int64_t>(bound)) : Value(bound));
      for (const char* potential : {"barrier", "double_barrier", "step", "well", "harmonic", "none"}) {
        set.setText("potential", potential);
        for (const Finding& each : findingsFor(binding().read(set), {.edge_probability = 0.5})) {
          ParameterSet cured = set;
          if (!each.key.empty()) {
            EXPECT_NO_THROW(cured.setText(each.key, each.value)) << each.code << ": " << each.key << "=" << each.value;
          }
        }
        Stepper run = tests::start(set);
        run.step(2);
        EXPECT_TRUE(run.simulation().finite()) << info.key << " = " << bound << ", " << potential;
        EXPECT_NEAR(run.diagnostics()[kNorm], 1, 1e-4) << info.key << " = " << bound << ", " << potential;
      }
    }
  }
}

}  // namespace
}  // namespace simscope::tunneling
