#include "sims/histograms/histograms.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "sims/compute/test_devices.h"
#include "sims/core/testing/folder.h"
#include "sims/histograms/testing.h"

namespace simscope::histograms {
namespace {

class Runs : public compute::OnEveryDevice {
 protected:
  Stepper runOf(const Changes& changes, std::uint64_t seed = 3) {
    return Stepper(description(), device_, with(changes), seed);
  }
};
SIMSCOPE_ON_EVERY_DEVICE(Runs);

std::vector<double> countsIn(Stepper& run) {
  return valuesOf<double>(*run.save().find("counts"));
}
double valueIn(Stepper& run, Diagnostic which) {
  return run.diagnostics()[static_cast<std::size_t>(which)];
}

TEST_P(Runs, AChangeCountsAllEventsSoFarAgain) {
  const Changes later{{"pt_min", "30"},          {"bins", "200"}, {"mass_low", "70"},
                      {"pt_resolution", "0.04"}, {"width", "5"},  {"extra_leptons", "0.5"}};
  Stepper changed = runOf({}), fresh = runOf(later);
  changed.step(4);
  fresh.step(4);
  EXPECT_NE(countsIn(changed), countsIn(fresh));
  changed.configure(with(later));
  EXPECT_EQ(countsIn(changed), countsIn(fresh));
  changed.step(3);
  fresh.step(3);
  EXPECT_EQ(countsIn(changed), countsIn(fresh));
  changed.configure(with({}));
  Stepper never = runOf({});
  never.step(7);
  EXPECT_EQ(countsIn(changed), countsIn(never)) << "and back";
}

TEST_P(Runs, OpeningFindsTheZWithinItsErrors) {
  Stepper run = runOf({}, 8);
  run.step(50);  // a million events
  EXPECT_EQ(valueIn(run, Diagnostic::Events), 1e6);
  EXPECT_LT(valueIn(run, Diagnostic::MassError), 0.006);
  EXPECT_LT(std::abs(valueIn(run, Diagnostic::MassPull)), 4);
  EXPECT_LT(std::abs(valueIn(run, Diagnostic::WidthPull)), 4);
  EXPECT_LT(std::abs(valueIn(run, Diagnostic::EfficiencyPull)), 4);
  EXPECT_LT(valueIn(run, Diagnostic::Excess), 4);
  EXPECT_LT(valueIn(run, Diagnostic::MadeExcess), 4);
}

TEST_P(Runs, WhatTheFitDoesNotKnowIsSeenAndCured) {
  Stepper run = runOf({{"background_fraction", "0.3"}});
  run.step(20);
  EXPECT_GT(valueIn(run, Diagnostic::Excess), 8);
  EXPECT_TRUE(tests::hasFinding(run.findings(), "background_not_fitted"));
  run.configure(with({{"background_fraction", "0.3"}, {"fit_background", "on"}}));
  EXPECT_LT(valueIn(run, Diagnostic::Excess), 4);
  EXPECT_TRUE(run.findings().empty());
  Stepper narrow = runOf({{"width", "0.01"}});
  EXPECT_TRUE(tests::hasFinding(narrow.findings(), "width_hidden"));
}

class OwnTable : public Runs {
 protected:
  static constexpr int kEvents = 3000;
  const tests::Folder folder_;
  const std::filesystem::path file_ = folder_ / "events.csv";
  // Measured leptons of made events, those that were not found left out.
  void write(const Parameters& p, std::uint64_t seed) const {
    std::ofstream out(file_);
    out.precision(9);
    out << "event,pt,eta,phi,charge\n";
    const Generator g = generatorOf(p, seed, nullptr);
    for (int i = 0; i < kEvents; ++i) {
      for (const Lepton& l : resonanceEvent<4>(g, static_cast<std::uint64_t>(i)).measured) {
        if (l.charge != 0) out << i << ',' << l.pt << ',' << l.eta << ',' << l.phi << ',' << l.charge << '\n';
      }
    }
  }
};
SIMSCOPE_ON_EVERY_DEVICE(OwnTable);

TEST_P(OwnTable, IsCountedAsTheEventsThatItWasMadeOf) {
  const Changes made{{"extra_leptons", "0.7"}, {"charge_flip", "0.1"}, {"efficiency", "1"}, {"extra_pt", "25"}};
  const Parameters p = parametersWith(made);
  write(p, 6);
  const std::vector<std::uint64_t> expected = countsOf(tests::cpu(), p, 6, kEvents);
  Stepper run = runOf({{"process", "file"}, {"data_file", file_.string()}, {"events_per_step", "400"}});
  run.step(20);
  EXPECT_EQ(valueIn(run, Diagnostic::Events), kEvents) << "the file ends";
  EXPECT_TRUE(tests::hasFinding(run.findings(), "file_counted"));
  const std::vector<double> counts = countsIn(run);
  const auto truth = [](int at) {  // what no file says
    return (at >= place::kMadeMass && at < place::kPt) || (at >= place::kMadePt && at < place::kEta) ||
           (at >= place::kMadeEta && at < place::kPhi);
  };
  for (int i = 0; i < place::kPlaces; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i == place::kBelow) continue;  // an array of its own
    ASSERT_EQ(counts[at], truth(i) ? 0.0 : static_cast<double>(expected[at])) << i;
  }
  EXPECT_TRUE(std::isnan(valueIn(run, Diagnostic::MassExact)));
  EXPECT_NEAR(valueIn(run, Diagnostic::Mass), 91.2, 1);
}

// Pairs at rest, back to back: the mass is twice the momentum.
TEST_P(OwnTable, BinsAndWhatLiesOffTheAxesAreAllPairs) {
  std::ofstream out(file_);
  out << "pt1,eta1,phi1,Q1,pt2,eta2,phi2,Q2\n";
  for (int mass = 50; mass <= 140; ++mass) {
    out << mass / 2.0 << ",0,0,1," << mass / 2.0 << ",0,3.141592653589793,-1\n";
  }
  out << "20,0,0,1,20,0,3.141592653589793,1\n45,0,0,1,45,0,3.141592653589793,1\n";
  out.close();
  Stepper run =
      runOf({{"process", "file"}, {"data_file", file_.string()}, {"pt_min", "0"}, {"lead_pt", "0"}, {"pt_high", "60"}});
  run.step(5);
  const std::vector<double> counts = countsIn(run);
  const auto sum = [&](int from, int bins) {
    return std::accumulate(counts.begin() + from, counts.begin() + from + bins, 0.0);
  };
  EXPECT_EQ(valueIn(run, Diagnostic::Pairs), 91);
  EXPECT_EQ(valueIn(run, Diagnostic::Below), 10);
  EXPECT_NEAR(valueIn(run, Diagnostic::Above), 20.5, 0.6) << "a mass of 120 GeV lies on the edge";
  EXPECT_EQ(sum(place::kMass, 120) + valueIn(run, Diagnostic::Below) + valueIn(run, Diagnostic::Above), 91);
  EXPECT_EQ(valueIn(run, Diagnostic::SameSignOff), 1);
  EXPECT_NEAR(valueIn(run, Diagnostic::PtAbove), 2 * 21, 2);
  EXPECT_EQ(sum(place::kPhi, place::kBins), 2 * 91) << "an angle of π is on the axis";
  EXPECT_FALSE(tests::hasFinding(run.findings(), "pairs_off_axis"));
  run.configure(tests::changed(run.simulation().parameters(), {{"mass_low", "110"}}));
  EXPECT_EQ(valueIn(run, Diagnostic::Below), 60);
  EXPECT_TRUE(tests::hasFinding(run.findings(), "pairs_off_axis"));
  const State kept = run.save();
  State former = kept;
  std::erase_if(former.arrays, [](const StateArray& each) { return each.name == "below"; });
  run.configure(tests::changed(run.simulation().parameters(), {{"mass_low", "60"}}));
  run.load(kept);
  EXPECT_EQ(valueIn(run, Diagnostic::Below), 60);
  run.load(former);
  EXPECT_EQ(valueIn(run, Diagnostic::Below), 60) << "of an earlier version";
}

TEST_P(OwnTable, AFileOfOneEventCountsOneHoweverLongItRuns) {
  std::ofstream(file_) << "pt1,eta1,phi1,Q1,pt2,eta2,phi2,Q2\n45,0,0,1,45,0,3,-1\n";
  Stepper run = runOf({{"process", "file"}, {"data_file", file_.string()}});
  EXPECT_EQ(run.simulation().time(), 0);
  for (const int steps : {1, 4, 100}) {
    run.step(steps);
    EXPECT_EQ(run.simulation().time(), 1);
    EXPECT_EQ(valueIn(run, Diagnostic::Events), 1);
  }
}

TEST_P(OwnTable, MomentaInAnotherUnitAreToldWithTheFactor) {
  const auto finding = [&](double pt, const Changes& more) -> Finding {
    std::ofstream(file_) << "pt1,eta1,phi1,Q1,pt2,eta2,phi2,Q2\n"
                         << pt << ",0,0,1," << pt << ",0,3,-1\n"
                         << pt << ",0,0,1," << pt << ",0,3,-1\n";
    Stepper run = runOf(more.with({{"process", "file"}, {"data_file", file_.string()}}));
    run.step(1);
    for (const Finding& each : run.findings()) {
      if (each.level == Finding::Level::Warning) return each;
    }
    return {};
  };
  EXPECT_EQ(finding(45, {}).code, "");
  EXPECT_EQ(finding(45000, {}).code, "no_pair_in_range");
  EXPECT_NE(finding(45000, {}).message.find("MeV: multiply pt by 0.001"), std::string::npos);
  EXPECT_EQ(finding(0.045, {}).code, "no_pairs") << "all are cut away";
  EXPECT_NE(finding(0.045, {}).message.find("TeV: multiply pt by 1000"), std::string::npos);
  const Finding heavy = finding(300, {});
  EXPECT_EQ(heavy.key, "mass_high");
  EXPECT_EQ(finding(300, {{heavy.key, heavy.value}}).code, "");
  const Finding light = finding(26, {});
  EXPECT_EQ(light.key, "mass_low");
  EXPECT_EQ(finding(26, {{light.key, light.value}}).code, "");
}

TEST_P(OwnTable, ThatCannotBeReadIsRefusedByItsKeyAndChangesNothing) {
  EXPECT_EQ(tests::refusedParameter([&] { runOf({{"process", "file"}}); }), "data_file");
  Stepper run = runOf({});
  run.step(2);
  const std::vector<double> before = countsIn(run);
  for (const char* text : {"", "event,pt\n1,2\n", "event,pt,eta,phi,charge\n1,nan,0,0,1\n"}) {
    std::ofstream(file_) << text;
    const ParameterSet bad = with({{"process", "file"}, {"data_file", file_.string()}});
    EXPECT_EQ(tests::refusedParameter([&] { run.configure(bad); }), "data_file") << text;
  }
  EXPECT_EQ(countsIn(run), before);
  EXPECT_EQ(tests::refusedParameter([&] { run.configure(with({{"mass_high", "50"}})); }), "mass_high");
}

TEST_P(Runs, HeaviestPairsOfAHiggsArePeakedAtTheZ) {
  Stepper run =
      runOf({{"process", "higgs"}, {"pt_min", "7"}, {"lead_pt", "7"}, {"mass_low", "10"}, {"mass_high", "130"}});
  run.step(5);
  const std::vector<double> counts = countsIn(run);
  double peak = 0, all = 0;
  for (int i = 0; i < 120; ++i) {
    const double here = counts[static_cast<std::size_t>(place::kMass + i)];
    all += here;
    if (i >= 76 && i < 86) peak += here;  // 86 to 96 GeV
  }
  EXPECT_GT(all, 10000);
  EXPECT_GT(peak / all, 0.3);
  EXPECT_TRUE(std::isnan(valueIn(run, Diagnostic::Mass)));
}

}  // namespace
}  // namespace simscope::histograms
