// What must hold on every device, and between them.
#include <gtest/gtest.h>

#include <cmath>

#include "sims/compute/test_devices.h"
#include "sims/heat/adi/adi_testing.h"
#include "sims/heat/testing.h"

namespace simscope::heat {
namespace {

using tests::Changes;
using tests::sameBits;
using tests::Session;

class Backend : public compute::OnEveryDevice {
 protected:
  Session on(const Changes& changes) { return Session(changes, 1, device_); }
};
SIMSCOPE_ON_EVERY_DEVICE(Backend);

// Sizes that the CUDA tiles fit exactly, overlap in, hardly fit, and do not fit; random cells show every misplaced one.
std::vector<Changes> explicitRuns() {
  std::vector<Changes> runs;
  for (const char* const boundary : {"fixed", "insulated", "periodic"}) {
    for (const char* const points : {"64", "112", "116", "120", "131", "160", "164", "168", "224", "340", "512"}) {
      runs.push_back({{"grid_points", points},
                      {"initial", "random"},
                      {"spot_size", "1"},
                      {"boundary", boundary},
                      {"time_step_fraction", "0.9"}});
    }
  }
  return runs;
}

TEST_P(Backend, ExplicitStepsAreThoseOfTheCpuToTheBit) {
  for (const Changes& changes : explicitRuns()) {
    Session here = on(changes), reference(changes);
    EXPECT_TRUE(sameBits(here.field(), reference.field())) << changes[0].second;
    here.step(27);
    reference.step(27);
    EXPECT_TRUE(sameBits(here.field(), reference.field())) << changes[0].second << ", " << changes[3].second;
  }
}

TEST_P(Backend, BlockingChangesNoBit) {
  for (const Changes& changes : explicitRuns()) {
    Session together = on(changes), apart = on(changes);
    together.step(13);
    for (int i = 0; i < 13; ++i) apart.step(1);
    EXPECT_TRUE(sameBits(together.field(), apart.field())) << changes[0].second << ", " << changes[3].second;
  }
}

TEST_P(Backend, DoublePrecisionIsThatOfTheCpu) {
  for (const Changes& changes : explicitRuns()) {
    const Changes precise = changes.with({{"precision", "double"}});
    Session here = on(precise), reference(precise);
    here.step(7);
    reference.step(7);
    const std::vector<float> a = here.field(), b = reference.field();
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-7) << changes[0].second;
  }
}

TEST_P(Backend, ManyTilesFitTogether) {
  // Enough tiles for more than one round on any device.
  Session here = on({{"grid_points", tests::kSlow ? "640" : "2560"},
                     {"initial", "random"},
                     {"spot_size", "3"},
                     {"boundary", "insulated"}});
  Session apart = on({{"grid_points", tests::kSlow ? "640" : "2560"},
                      {"initial", "random"},
                      {"spot_size", "3"},
                      {"boundary", "insulated"}});
  here.step(8);
  for (int i = 0; i < 8; ++i) apart.step(1);
  EXPECT_TRUE(sameBits(here.field(), apart.field()));
}

// Whole warps of lines and not; steps whose halos are short and long.
std::vector<Changes> adiRuns(std::initializer_list<const char*> sizes) {
  std::vector<Changes> runs;
  for (const char* const boundary : {"fixed", "insulated", "periodic"}) {
    for (const char* const points : sizes) {
      for (const char* const fraction : {"0.1", "9", "50"}) {
        runs.push_back({{"grid_points", points},
                        {"initial", "random"},
                        {"spot_size", "2"},
                        {"boundary", boundary},
                        {"scheme", "adi"},
                        {"time_step_fraction", fraction}});
      }
    }
  }
  return runs;
}

std::string saidBy(const Changes& changes) {
  return changes[0].second + " points, " + changes[3].second + ", fraction " + changes[5].second;
}

TEST_P(Backend, AdiIsThatOfTheCpu) {
  for (const Changes& changes : adiRuns({"64", "101", "160"})) {
    Session here = on(changes), reference(changes);
    here.step(6);
    reference.step(6);
    const std::vector<float> a = here.field(), b = reference.field();
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 2e-6) << saidBy(changes);
  }
}

TEST_P(Backend, AdiOnCudaIsThatOfTheWindowsToTheBit) {
  if (!device_->isCuda()) GTEST_SKIP() << "on the CPU, lines are solved whole";
  for (const Changes& changes : adiRuns({"64", "101", "600", "2084"})) {
    Session here = on(changes);
    std::vector<float> expected = here.field();
    here.step(2);
    const Parameters p = tests::parametersWith(changes);
    const AdiWindows windows = adiWindows(p.grid_points, p.boundary, p.meshRatio());
    for (int step = 0; step < 2; ++step) tests::adiStepInWindows(expected, windows);
    EXPECT_TRUE(sameBits(here.field(), expected)) << saidBy(changes);
  }
}

TEST_P(Backend, MaterialIsThatOfTheCpu) {
  const Changes changes{
      {"grid_points", "120"}, {"initial", "random"}, {"spot_size", "4"}, {"time_step_fraction", "0.8"}};
  Session here = on(changes), reference(changes);
  for (Session* run : {&here, &reference}) {
    run->poke({.tool = "insulator", .x = 10, .y = 10, .dx = 20, .dy = 3, .radius = 3});
    run->poke({.tool = "conductor", .x = -20, .y = 10, .radius = 12});
    run->poke({.tool = "source", .x = 0, .y = -30, .radius = 5, .strength = 2});
    run->step(40);
  }
  const std::vector<float> a = here.field(), b = reference.field();
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-5);
  for (const Diagnostic which : {kTotalHeat, kMaximum, kMinimum, kMean, kCenter}) {
    EXPECT_NEAR(here.diagnostic(which), reference.diagnostic(which), 1e-5 * std::abs(reference.diagnostic(which)));
  }
}

TEST_P(Backend, DiagnosticsFollowTheExactSolution) {
  Session run = on({{"grid_points", "256"}});
  run.poke({.tool = "thermometer", .x = 0.5, .y = 0.5});
  run.step(2000);
  const std::vector<double> values = run.diagnostics();
  EXPECT_NEAR(values[kMaximum], 0.9106, 0.0002);
  EXPECT_NEAR(values[kTotalHeat], 1600, 0.1);
  EXPECT_NEAR(values[kCenter], values[kCenterExact], 1e-4);
  EXPECT_LT(values[kErrorL2], 1e-3);
  EXPECT_EQ(values[kThermometer1], values[kMaximum]);
}

TEST_P(Backend, SteppingAndPresentingMoveNothingToTheHost) {
  Session run = on({{"grid_points", "256"}, {"initial", "gaussian"}});
  Frame frame;
  run.step(10);
  run.present(frame);
  const compute::Counters before = device_->counters();
  run.step(32);
  run.present(frame);
  EXPECT_EQ(device_->counters().bytes_to_host, before.bytes_to_host);
  EXPECT_EQ(device_->counters().bytes_to_device, before.bytes_to_device);
}

TEST_P(Backend, PresentsWhatTheCpuPresents) {
  const Changes changes{{"grid_points", "240"}, {"initial", "random"}, {"spot_size", "6"}};
  Session here = on(changes), reference(changes);
  Frame frame, expected;
  for (Session* run : {&here, &reference}) {
    run->poke({.tool = "insulator", .x = 10, .y = 10, .radius = 9});
    run->poke({.tool = "thermometer", .x = -30, .y = 7});
    run->step(9);
  }
  here.present(frame);
  reference.present(expected);
  for (const Channel& channel : expected.channels) {
    const Channel* const found = frame.find(channel.key);
    ASSERT_NE(found, nullptr);
    const std::vector<float> a = found->data.toHost(), b = channel.data.toHost();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(std::isnan(a[i]), std::isnan(b[i])) << channel.key;
      if (!std::isnan(b[i])) {
        ASSERT_NEAR(a[i], b[i], 1e-4) << channel.key;
      }
    }
  }
}

TEST_P(Backend, RunMovesBetweenDevices) {
  const Changes changes{{"grid_points", "160"}, {"initial", "random"}, {"spot_size", "2"}, {"boundary", "periodic"}};
  Session here = on(changes), whole(changes);
  here.step(20);
  Session moved(changes);
  moved.load(here.save());
  moved.step(20);
  whole.step(40);
  EXPECT_TRUE(sameBits(moved.field(), whole.field()));
  EXPECT_EQ(moved.heat().time(), whole.heat().time());
}

}  // namespace
}  // namespace simscope::heat
