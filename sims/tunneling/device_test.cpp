// What needs a CUDA device: both routes on it against the CPU, and against each other.
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "sims/tunneling/testing.h"

namespace simscope::tunneling {
namespace {

using tests::Changes;
using tests::psiOf;
using tests::relativeDifference;
using tests::start;

ParameterSet with(const Changes& changes) {
  return tests::documented(changes);
}
ParameterSet with(const Changes& changes, ParameterSet set) {
  return tests::with(changes, std::move(set));
}

class TunnelingOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why = compute::Device::whyNoCuda();
    if (!why.empty()) GTEST_SKIP() << "no CUDA device: " << why;
    device_ = compute::Device::open("cuda");
  }

  State after(const ParameterSet& parameters, Route route, const std::vector<int>& batches) {
    State state;
    device_->run([&] {
      const auto simulation = create(device_, parameters, route);
      for (const int n : batches) simulation->step(n);
      state = simulation->save();
    });
    return state;
  }

  compute::DevicePtr device_;
};

TEST_F(TunnelingOnCuda, EverySizeAndPrecisionAgreesWithTheCpu) {
  for (const char* precision : {"single", "double"}) {
    for (const char* points : {"64", "128", "256", "512", "1024", "2048", "4096", "8192", "65536"}) {
      const ParameterSet set = with({{"grid_points", points}, {"precision", precision}});
      Stepper cpu = start(set), gpu = start(set, device_);
      cpu.step(100);
      gpu.step(100);
      const double tolerance = std::string(precision) == "single" ? 5e-5 : 1e-11;
      EXPECT_LT(relativeDifference(psiOf(gpu.save()), psiOf(cpu.save())), tolerance) << points << ", " << precision;
    }
  }
}

TEST_F(TunnelingOnCuda, EveryPresetAgreesWithTheCpu) {
  for (const Preset& preset : description().presets) {
    const ParameterSet set = description().preset(preset.key);
    Stepper cpu = start(set), gpu = start(set, device_);
    cpu.step(description().parity_steps);
    gpu.step(description().parity_steps);
    EXPECT_LT(relativeDifference(psiOf(gpu.save()), psiOf(cpu.save())), description().parity_tolerance) << preset.key;
    const auto a = cpu.diagnostics(), b = gpu.diagnostics();
    for (int d = 0; d < kDiagnosticCount; ++d) {
      if (std::isnan(a[d])) {
        EXPECT_TRUE(std::isnan(b[d]));
      } else {
        EXPECT_NEAR(a[d], b[d], 1e-3 * (1 + std::fabs(a[d]))) << preset.key << ", diagnostic " << d;
      }
    }
  }
}

TEST_F(TunnelingOnCuda, BothRoutesAgree) {
  for (const char* precision : {"single", "double"}) {
    const ParameterSet set = with({{"precision", precision}});
    const State on_chip = after(set, Route::Fastest, {200}), library = after(set, Route::Library, {200});
    const double tolerance = std::string(precision) == "single" ? 5e-5 : 1e-11;
    EXPECT_LT(relativeDifference(psiOf(on_chip), psiOf(library)), tolerance) << precision;
  }
}

TEST_F(TunnelingOnCuda, EveryRouteFindsTheSameAbsorbed) {
  for (const char* const precision : {"single", "double"}) {
    const bool wide = std::string_view(precision) == "double";
    const ParameterSet set =
        with({{"precision", precision}, {"packet_center", "60"}, {"absorbing_edges", "on"}});  // leaves at the right
    const auto taken = [&](compute::DevicePtr device, Route route) {
      std::vector<double> values(kDiagnosticCount);
      device->run([&] {
        const auto simulation = create(device, set, route);
        simulation->step(400);
        simulation->diagnostics(values);
      });
      EXPECT_NEAR(values[kNormDrift], 0, wide ? 1e-12 : 1e-4);
      EXPECT_GT(values[kAbsorbed], 0.3);
      return values[kAbsorbed];
    };
    const double on_cpu = taken(tests::cpu(), Route::Library), tolerance = wide ? 1e-11 : 1e-4;
    EXPECT_NEAR(taken(device_, Route::Fastest), on_cpu, tolerance);
    EXPECT_NEAR(taken(device_, Route::Library), on_cpu, tolerance);
  }
}

TEST_F(TunnelingOnCuda, BatchesChangeNoBit) {
  for (const Route route : {Route::Fastest, Route::Library}) {
    for (const char* const points : {"64", "128", "256", "512", "1024", "2048", "4096", "8192"}) {
      for (const char* const precision : {"single", "double"}) {
        // On the barrier of a periodic domain, or on the way into an edge that absorbs.
        for (const char* const center : {"-10", "70"}) {
          const char* const absorbing = center[0] == '7' ? "on" : "off";
          const ParameterSet set = with({{"grid_points", points},
                                         {"precision", precision},
                                         {"packet_center", center},
                                         {"absorbing_edges", absorbing}});
          const State parts = after(set, route, {1, 16, 17, 33, 33}), whole = after(set, route, {100});
          for (const char* const array : {"psi", "absorbed"}) {
            EXPECT_EQ(parts.find(array)->bytes, whole.find(array)->bytes)
                << array << ", " << points << ", " << precision << ", absorbing " << absorbing;
          }
        }
      }
    }
  }
}

TEST_F(TunnelingOnCuda, ABatchLongerThanOneLaunchIsItsParts) {
  const ParameterSet set = with({{"grid_points", "256"}, {"precision", "double"}, {"time_step", "0.01"}});
  const State whole = after(set, Route::Fastest, {10000});
  EXPECT_EQ(after(set, Route::Fastest, {4000, 6000}).find("psi")->bytes, whole.find("psi")->bytes);
  EXPECT_LT(relativeDifference(psiOf(whole), psiOf(after(set, Route::Library, {10000}))), 1e-9);
}

TEST_F(TunnelingOnCuda, TheDefaultsAreOneLaunchABatchAndNoTransfer) {
  const auto simulation = create(device_, with({}));
  simulation->step(1);
  device_->synchronize();
  const compute::Counters before = device_->counters();
  simulation->step(1000);
  device_->synchronize();
  EXPECT_EQ(device_->counters().launches - before.launches, 1u) << simulation->method();
  EXPECT_EQ(device_->counters().bytes_to_host, before.bytes_to_host);
  EXPECT_EQ(device_->counters().bytes_to_device, before.bytes_to_device);
}

TEST_F(TunnelingOnCuda, TheDocumentsNumbersComeOutOnTheDeviceToo) {
  Stepper defaults = start(with({}), device_);
  defaults.step(800);
  EXPECT_NEAR(defaults.diagnostics()[kReflection], 0.1349, 5e-4);
  EXPECT_NEAR(defaults.diagnostics()[kTransmission], 0.5602, 5e-4);
  EXPECT_NEAR(defaults.diagnostics()[kInside], 0.3048, 5e-4);
  EXPECT_LT(std::fabs(defaults.diagnostics()[kNormDrift]), 1e-4);
  Stepper cpu = start(with({}));
  cpu.step(800);
  for (const Diagnostic d : {kReflection, kTransmission, kInside}) {
    EXPECT_NEAR(defaults.diagnostics()[d], cpu.diagnostics()[d], 1e-4);
  }
  Stepper animation = start(description().preset("document_animation"), device_);
  animation.step(1400);
  EXPECT_NEAR(animation.diagnostics()[kReflection], 0.2180, 5e-4);
  EXPECT_NEAR(animation.diagnostics()[kTransmission], 0.7662, 5e-4);
}

TEST_F(TunnelingOnCuda, ALiveChangeReachesTheNextBatch) {
  for (const char* points : {"4096", "16384"}) {
    const ParameterSet initial = with({{"grid_points", points}, {"precision", "double"}});
    const ParameterSet changed = with({{"barrier_height", "3"}, {"time_step", "0.02"}}, initial);
    Stepper cpu = start(initial), gpu = start(initial, device_);
    for (Stepper* run : {&cpu, &gpu}) {
      run->step(300);
      run->configure(changed);
      run->step(100);
    }
    EXPECT_LT(relativeDifference(psiOf(gpu.save()), psiOf(cpu.save())), 1e-10) << points;
  }
}

TEST_F(TunnelingOnCuda, TheRunGoesOnFromTheSameStateOnTheOtherBackend) {
  Stepper run = start(with({}));
  run.step(100);
  const auto before = psiOf(run.save());
  run.moveTo(device_);
  EXPECT_EQ(relativeDifference(psiOf(run.save()), before), 0);
  run.step(100);
  Stepper whole = start(with({}));
  whole.step(100);
  whole.step(100);
  EXPECT_LT(relativeDifference(psiOf(run.save()), psiOf(whole.save())), 1e-4);
}

}  // namespace
}  // namespace simscope::tunneling
