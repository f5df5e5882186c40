// What needs a CUDA device: every route on it against the CPU.
#include <gtest/gtest.h>

#include <cmath>

#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using tests::psiOf;
using tests::relativeDifference;
using tests::small;
using tests::start;
using tests::Wave;
using tests::with;

class Schrodinger2dOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why = compute::Device::whyNoCuda();
    if (!why.empty()) GTEST_SKIP() << "no CUDA device: " << why;
    device_ = compute::Device::open("cuda");
  }
  Wave after(const ParameterSet& parameters, Route route, const std::vector<int>& batches) {
    Wave psi;
    device_->run([&] {
      const auto run = create(device_, parameters, route);
      for (const int n : batches) run->step(n);
      psi = psiOf(run->save());
    });
    return psi;
  }
  compute::DevicePtr device_;
};

TEST_F(Schrodinger2dOnCuda, EverySizeRouteAndPrecisionAgreesWithTheCpu) {
  for (const char* precision : {"single", "double"}) {
    for (const char* points : {"64", "128", "256", "512", "1024", "2048", "4096"}) {
      const ParameterSet set = small({{"potential", "double_slit"}, {"precision", precision}, {"grid_points", points}});
      Stepper cpu = start(set);
      cpu.step(10);
      const Wave expected = psiOf(cpu.save());
      for (const Route route : {Route::Fastest, Route::Library, Route::Slabs}) {
        EXPECT_LT(relativeDifference(after(set, route, {10}), expected),
                  std::string(precision) == "single" ? 2e-5 : 1e-11)
            << points << ", " << precision << ", route " << static_cast<int>(route);
      }
    }
  }
}

// Their rows and columns are too long for one pass each.
TEST_F(Schrodinger2dOnCuda, LargePlanesAreSteppedAsByTheLibrary) {
  for (const char* const points : {"8192", "16384"}) {
    const ParameterSet set = with({{"grid_points", points}, {"time_step", "0.0005"}, {"momentum_x", "40"}});
    const Wave expected = after(set, Route::Library, {3});
    EXPECT_LT(relativeDifference(after(set, Route::Fastest, {3}), expected), 2e-5) << points;
    EXPECT_EQ(relativeDifference(after(set, Route::Fastest, {1, 2}), after(set, Route::Fastest, {3})), 0) << points;
  }
}

TEST_F(Schrodinger2dOnCuda, EveryPresetAgreesWithTheCpu) {
  for (const Preset& preset : description().presets) {
    const ParameterSet set = description().preset(preset.key);
    Stepper cpu = start(set), gpu = start(set, device_);
    cpu.step(description().parity_steps);
    gpu.step(description().parity_steps);
    EXPECT_LT(relativeDifference(psiOf(gpu.save()), psiOf(cpu.save())), description().parity_tolerance) << preset.key;
    const auto a = cpu.diagnostics(), b = gpu.diagnostics();
    for (int d = 0; d < kDiagnosticCount; ++d) {
      if (std::isnan(a[d])) {
        EXPECT_TRUE(std::isnan(b[d])) << preset.key << ", diagnostic " << d;
      } else {
        EXPECT_NEAR(a[d], b[d], 1e-3 * (1 + std::fabs(a[d]))) << preset.key << ", diagnostic " << d;
      }
    }
    Frame here, there;
    cpu.present(here);
    gpu.present(there);
    for (const Channel& channel : here.channels) {
      const std::vector<float> x = channel.data.toHost(), y = tests::channelOf(there, channel.key).data.toHost();
      ASSERT_EQ(x.size(), y.size()) << channel.key;
      double difference = 0, size = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        difference += std::pow(static_cast<double>(x[i]) - static_cast<double>(y[i]), 2);
        size += std::pow(static_cast<double>(x[i]), 2);
      }
      // A channel that the packet has not reached yet holds rounding alone.
      const double rounding = 1e-6 * (channel.high - channel.low) * std::sqrt(static_cast<double>(x.size()));
      EXPECT_LE(std::sqrt(difference), 1e-3 * std::sqrt(size) + rounding) << preset.key << ", " << channel.key;
    }
  }
}

// At the start, where they meet, and with one more that the mouse has added.
TEST_F(Schrodinger2dOnCuda, TwoPacketsAndTheirExactSuperpositionAgreeWithTheCpu) {
  for (const char* const potential : {"none", "harmonic"}) {
    for (const char* const precision : {"single", "double"}) {
      const bool single = std::string(precision) == "single";
      const ParameterSet set = small({{"potential", potential},
                                      {"omega", "0.617"},
                                      {"grid_points", "256"},
                                      {"precision", precision},
                                      {"second_packet", "on"},
                                      {"second_x", "3"},
                                      {"second_y", "-1"},
                                      {"second_width", "1.1"},
                                      {"second_momentum_x", "-2"},
                                      {"second_momentum_y", "1"},
                                      {"second_amplitude", "0.8"},
                                      {"second_phase", "0.7"}});
      Stepper cpu = start(set), gpu = start(set, device_);
      EXPECT_LT(relativeDifference(psiOf(gpu.save()), psiOf(cpu.save())), single ? 1e-7 : 1e-14);
      for (const int steps : {150, 30}) {
        for (Stepper* const run : {&cpu, &gpu}) run->step(steps);
        EXPECT_LT(relativeDifference(psiOf(gpu.save()), psiOf(cpu.save())), single ? 1e-4 : 1e-11);
        const auto a = cpu.diagnostics(), b = gpu.diagnostics();
        for (const int d : {kNorm, kEnergy, kMeanX, kMeanXExact, kWidthY, kWidthYExact, kError}) {
          EXPECT_NEAR(a[d], b[d], single ? 1e-4 : 1e-9) << potential << ", " << precision << ", diagnostic " << d;
        }
        for (Stepper* const run : {&cpu, &gpu}) run->poke({.tool = "add", .x = 0, .y = 2, .dx = 1, .dy = -1});
      }
    }
  }
}

TEST_F(Schrodinger2dOnCuda, BatchesChangeNoBit) {
  for (const Route route : {Route::Fastest, Route::Library}) {
    for (const char* const points : {"256", "512", "1024", "2048"}) {
      for (const char* const precision : {"single", "double"}) {
        const ParameterSet set = with({{"grid_points", points}, {"precision", precision}});
        EXPECT_EQ(relativeDifference(after(set, route, {1, 7, 32}), after(set, route, {40})), 0)
            << points << ", " << precision;
      }
    }
  }
}

TEST_F(Schrodinger2dOnCuda, SteppingAndPresentingMoveNothingOverTheBus) {
  Stepper run = start(with({}), device_);
  Frame frame;
  run.step(3);
  run.present(frame);
  const compute::Counters before = device_->counters();
  run.step(50);
  run.present(frame);
  device_->synchronize();
  EXPECT_EQ(device_->counters().bytes_to_host, before.bytes_to_host);
  EXPECT_EQ(device_->counters().bytes_to_device, before.bytes_to_device);
}

TEST_F(Schrodinger2dOnCuda, StrokesActAsOnTheCpu) {
  const ParameterSet set = small({{"potential", "drawn"}});
  Stepper cpu = start(set), gpu = start(set, device_);
  for (Stepper* run : {&cpu, &gpu}) {
    run->poke({.tool = "wall", .x = 2, .y = 3, .dx = 1, .dy = 6, .radius = 0.5});
    run->poke({.tool = "eraser", .x = 2, .y = 1, .radius = 0.8});
    run->step(40);
    run->poke({.tool = "packet", .x = -4, .y = 0, .dx = 3, .dy = 1});
    run->step(40);
    run->poke({.tool = "add", .x = 4, .y = 1, .dx = -3, .dy = 1});
    run->step(40);
  }
  EXPECT_LT(relativeDifference(psiOf(gpu.save()), psiOf(cpu.save())), 1e-10);
}

TEST_F(Schrodinger2dOnCuda, RunGoesOnFromTheSameStateOnTheOtherBackend) {
  Stepper moving = start(with({})), staying = start(with({}));
  moving.step(30);
  moving.moveTo(device_);
  moving.step(30);
  staying.step(30);
  staying.step(30);
  EXPECT_LT(relativeDifference(psiOf(moving.save()), psiOf(staying.save())), 1e-4);
}

}  // namespace
}  // namespace simscope::schrodinger2d
