// The numbers that the documents' own program gives, and the flaw of its parameters that the program must show.
#include <gtest/gtest.h>

#include <cmath>

#include "sims/tunneling/testing.h"

namespace simscope::tunneling {
namespace {

using tests::documented;
using tests::start;

TEST(TunnelingReference, ItsValuesAfter800StepsGiveTheDocumentsNumbers) {
  for (const char* precision : {"single", "double"}) {
    Stepper run = start(documented({{"precision", precision}}));
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
  Stepper run = start(description().preset("document_animation"));
  for (int frame = 0; frame < 140; ++frame) run.step(10);
  const auto d = run.diagnostics();
  EXPECT_NEAR(d[kReflection], 0.2180, 5e-4);
  EXPECT_NEAR(d[kTransmission], 0.7662, 5e-4);
}

TEST(TunnelingReference, TheEnergyClimbsAndTheProgramSaysWhy) {
  Stepper run = start(documented({{"precision", "double"}}));
  EXPECT_NEAR(run.diagnostics()[kEnergy], 2.005, 1e-6);
  run.step(800);
  EXPECT_NEAR(run.diagnostics()[kEnergy], 3.52, 0.01);
  const auto findings = run.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "splitting_feeds_high_momenta");
  EXPECT_EQ(findings[0].level, Finding::Level::Warning) << "for it is measured";
  EXPECT_NE(findings[0].message.find("changed by 1.5"), std::string::npos) << findings[0].message;
  EXPECT_EQ(findings[0].key, "time_step");
  EXPECT_EQ(findings[0].value, "0.003");
  run.reset(1);
  ASSERT_EQ(run.findings().size(), 1u);
  EXPECT_EQ(run.findings()[0].level, Finding::Level::Note) << "before anything has happened";
}

TEST(TunnelingReference, AtASmallTimeStepTheEnergyStaysAndNothingIsSaid) {
  // The grid's highest phase is 4.1 here: over π, but no momentum is a full turn ahead of the packet's.
  Stepper run = start(documented({{"precision", "double"}, {"time_step", "0.002"}}));
  EXPECT_TRUE(run.findings().empty());
  run.step(10000);
  EXPECT_NEAR(run.diagnostics()[kEnergy], 2.005, 1e-3) << "on the barrier";
  run.step(10000);
  EXPECT_NEAR(run.diagnostics()[kEnergy], 2.005, 1e-3);
}

TEST(TunnelingReference, TheirFlawCostsLessThanOnePercentOfReflectionAndTransmission) {
  Stepper coarse = start(documented({{"precision", "double"}}));
  Stepper fine = start(documented({{"precision", "double"}, {"time_step", "0.0025"}}));
  coarse.step(800);
  fine.step(16000);
  EXPECT_NEAR(coarse.diagnostics()[kReflection], fine.diagnostics()[kReflection], 0.01);
  EXPECT_NEAR(coarse.diagnostics()[kTransmission], fine.diagnostics()[kTransmission], 0.01);
}

}  // namespace
}  // namespace simscope::tunneling
