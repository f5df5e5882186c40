// What must hold on every device, and between them.
#include <gtest/gtest.h>

#include <cmath>

#include "sims/compute/test_devices.h"
#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using tests::Changes;
using tests::sameBits;
using tests::Session;

class Backend : public compute::OnEveryDevice {
 protected:
  Session on(const Changes& changes) { return Session(changes, device_); }
};
SIMSCOPE_ON_EVERY_DEVICE(Backend);

std::vector<Changes> runs() {
  std::vector<Changes> all;
  for (const char* const kind : {"circle", "grating", "telescope", "zone_plate", "letter"}) {
    for (const char* const points : {"64", "256", "512"}) {
      all.push_back({{"grid_points", points}, {"aperture", kind}});
    }
  }
  all.push_back({{"grid_points", "256"}, {"propagation", "angular_spectrum"}, {"distance", "0.02"}});
  all.push_back({{"grid_points", "256"}, {"propagation", "fresnel"}, {"distance", "0.002"}});
  all.push_back({{"grid_points", "256"}, {"propagation", "fresnel"}, {"spectrum", "rgb"}});
  return all;
}

TEST_P(Backend, PatternsAreThoseOfTheCpu) {
  for (const Changes& changes : runs()) {
    Session here = on(changes), reference(changes);
    for (Session* run : {&here, &reference}) {
      run->poke({.tool = "draw", .x = 2e-4, .y = 1e-4, .dx = 1e-4, .radius = 3e-5});
      run->poke({.tool = "erase", .x = 5e-5, .y = 0, .radius = 2e-5});
      run->change({{"aperture_radius", "0.31"}, {"distance", "0.015"}});
      run->step(4);
    }
    EXPECT_LT(tests::relativeDifference(here.pattern(), reference.pattern()), 2e-6) << changes[1].second;
  }
}

TEST_P(Backend, DiagnosticsAreThoseOfTheCpu) {
  for (const Changes& changes : runs()) {
    Session here = on(changes), reference(changes);
    const std::vector<double> a = here.diagnostics(), b = reference.diagnostics();
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::isnan(b[i])) {
        EXPECT_TRUE(std::isnan(a[i])) << description().diagnostics[i].key;
      } else {
        EXPECT_NEAR(a[i], b[i], 1e-4 * std::abs(b[i]) + 1e-6) << description().diagnostics[i].key;
      }
    }
  }
}

TEST_P(Backend, PresentsWhatTheCpuPresents) {
  for (const Changes& changes : runs()) {
    const Changes shown = changes.with({{"display", "gamma"}, {"zoom", "4"}});
    Session here = on(shown), reference(shown);
    Frame frame, expected;
    for (Session* run : {&here, &reference}) run->poke({.tool = "probe", .x = 1e-3, .y = 5e-4});
    here.present(frame);
    reference.present(expected);
    for (const Channel& channel : expected.channels) {
      const Channel* const found = frame.find(channel.key);
      ASSERT_NE(found, nullptr);
      EXPECT_LT(tests::relativeDifference(found->data.toHost(), channel.data.toHost()), 2e-4) << channel.key;
    }
  }
}

TEST_P(Backend, SteppingAndPresentingMoveNothingToTheHost) {
  for (const Changes& changes : runs()) {
    Session run = on(changes);
    Frame frame;
    run.step(2);
    run.present(frame);
    const compute::Counters before = device_->counters();
    run.step(5);
    run.change({{"aperture_radius", "0.31"}});
    run.present(frame);
    EXPECT_EQ(device_->counters().bytes_to_host, before.bytes_to_host);
    EXPECT_EQ(device_->counters().bytes_to_device, before.bytes_to_device);
  }
}

TEST_P(Backend, RunMovesBetweenDevicesWithoutLoss) {
  const Changes changes{{"grid_points", "256"}};
  Session here = on(changes), whole(changes);
  here.step(3);
  Session moved(changes);
  moved.load(here.save());
  EXPECT_TRUE(sameBits(moved.pattern(), here.pattern()));
  moved.step(3);
  whole.step(6);
  EXPECT_TRUE(sameBits(moved.pattern(), whole.pattern()));
}

}  // namespace
}  // namespace simscope::diffraction
