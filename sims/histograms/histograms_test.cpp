#include "sims/histograms/histograms.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sims/compute/test_devices.h"
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
  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("simscope-own-events-" + std::to_string(getpid()) + ".csv");
  void TearDown() override { std::filesystem::remove(file_); }
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
    ASSERT_EQ(counts[at], truth(i) ? 0.0 : static_cast<double>(expected[at])) << i;
  }
  EXPECT_TRUE(std::isnan(valueIn(run, Diagnostic::MassExact)));
  EXPECT_NEAR(valueIn(run, Diagnostic::Mass), 91.2, 1);
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
