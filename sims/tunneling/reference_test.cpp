// The numbers that the documents' own program gives, and the flaw of its parameters that the program must show.
#include <gtest/gtest.h>

#include <cmath>

#include "sims/tunneling/testing.h"

namespace simscope::tunneling {
namespace {

using tests::start;
using tests::with;

TEST(TunnelingReference, TheDefaultsAfter800StepsGiveTheDocumentsNumbers) {
  for (const char* precision : {"float32", "float64"}) {
    Stepper run = start(with({{"precision", precision}}));
    run.step(800);
    const auto d = run.diagnostics();
    EXPECT_NEAR(d[kReflection], 0.1349, 5e-4) << precision;
    EXPECT_NEAR(d[kTransmission], 0.5602, 5e-4) << precision;
    EXPECT_NEAR(d[kInside], 0.3048, 5e-4) << precision;
    EXPECT_LT(std::fabs(d[kNorm] - 1), 1e-4) << precision;
    EXPECT_NEAR(run.simulation().time(), 40, 1e-9);
  }
}

TEST(TunnelingReference, TheAnimationAfter1400StepsGivesTheDocumentsNumbers) {
  Stepper run = start(description().preset("animation"));
  for (int frame = 0; frame < 140; ++frame) run.step(10);
  const auto d = run.diagnostics();
  EXPECT_NEAR(d[kReflection], 0.2180, 5e-4);
  EXPECT_NEAR(d[kTransmission], 0.7662, 5e-4);
}

TEST(TunnelingReference, TheEnergyClimbsAtTheDefaultsAndValiditySaysWhy) {
  Stepper run = start(with({{"precision", "float64"}}));
  EXPECT_NEAR(run.diagnostics()[kEnergy], 2.005, 1e-6);
  run.step(800);
  EXPECT_NEAR(run.diagnostics()[kEnergy], 3.52, 0.01);
  const auto findings = run.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "splitting_feeds_high_momenta");
  EXPECT_EQ(findings[0].level, Finding::Level::Note);
  EXPECT_EQ(findings[0].key, "time_step");
  EXPECT_EQ(findings[0].value, "0.0015");
}

TEST(TunnelingReference, AtASmallTimeStepTheEnergyStays) {
  Stepper run = start(with({{"precision", "float64"}, {"time_step", "0.002"}}));
  run.step(10000);
  EXPECT_NEAR(run.diagnostics()[kEnergy], 2.005, 1e-3) << "on the barrier";
  run.step(10000);
  EXPECT_NEAR(run.diagnostics()[kEnergy], 2.005, 1e-3);
}

TEST(TunnelingReference, TheFlawOfTheDefaultsCostsLessThanOnePercentOfReflectionAndTransmission) {
  Stepper coarse = start(with({{"precision", "float64"}}));
  Stepper fine = start(with({{"precision", "float64"}, {"time_step", "0.0025"}}));
  coarse.step(800);
  fine.step(16000);
  EXPECT_NEAR(coarse.diagnostics()[kReflection], fine.diagnostics()[kReflection], 0.01);
  EXPECT_NEAR(coarse.diagnostics()[kTransmission], fine.diagnostics()[kTransmission], 0.01);
}

}  // namespace
}  // namespace simscope::tunneling
