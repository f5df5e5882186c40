// Two devices beside each other: here two counts of the CPU's threads, which are measured in the same way.
#include "app/session/device_comparison.h"

#include <fmt/format.h>

#include <chrono>

#include "sims/core/registry.h"
#include "sims/core/simulation.h"
#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

DeviceComparison::Order orderOf(const Description& description) {
  DeviceComparison::Order order;
  order.description = &description;
  order.parameters = description.defaults();
  order.seed = 7;
  order.contestants = {{"cpu", 1}, {"cpu", 2}};
  order.seconds = 0.05;
  return order;
}

DeviceComparison::State endOf(const DeviceComparison& comparison) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (comparison.state().running && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(comparison.state().running) << "it does not end";
  return comparison.state();
}

TEST(DeviceComparison, TimesAStepOnBothDevices) {
  DeviceComparison comparison;
  comparison.start(orderOf(simulationById("heat")));
  const DeviceComparison::State now = endOf(comparison);
  ASSERT_EQ(now.times.size(), 2);
  for (int i = 0; i < 2; ++i) {
    const StepTime& each = now.times[static_cast<std::size_t>(i)];
    EXPECT_EQ(each.failure, "");
    EXPECT_EQ(each.device.threads, i + 1);
    EXPECT_NE(each.method, "");
    EXPECT_GE(each.batches, 1);
    EXPECT_GE(each.batch_steps, 1);
    // 512² points: no processor makes a step in less than the time of a thousand of its cycles, nor needs a second.
    EXPECT_GT(each.step_us, 0.2);
    EXPECT_LT(each.step_us, 1e6);
  }
  EXPECT_NE(comparisonText(now.times), "");
  EXPECT_TRUE(comparison.isOf(simulationById("heat"), simulationById("heat").defaults()));
}

TEST(DeviceComparison, SaysWhatItFound) {
  EXPECT_EQ(comparisonText("cpu, 8 threads", 30, "cuda:0", 2),
            "A step takes 15 times as long on cpu, 8 threads as on cuda:0.");
  EXPECT_EQ(comparisonText("cuda:0", 3, "cpu, 1 thread", 2),
            "A step takes 1.5 times as long on cuda:0 as on cpu, 1 thread.");
  EXPECT_EQ(comparisonText("a", 2, "b", 2.02), "a and b are equally fast here.");
  StepTime one;
  one.device.id = "cpu";
  one.device.threads = 1;
  one.step_us = 4;
  one.batches = 1;
  one.batch_steps = 1;
  EXPECT_EQ(countText(one), "one batch of 1 step");
  EXPECT_EQ(comparisonText({one}), "") << "nothing to compare with";
  StepTime failed;
  failed.failure = "no device";
  EXPECT_EQ(comparisonText({one, failed}), "");
  StepTime two = one;
  two.device.threads = 2;
  two.step_us = 2;
  two.batches = 12;
  two.batch_steps = 4096;
  EXPECT_EQ(countText(two), "best of 12 batches of 4096 steps");
  EXPECT_EQ(comparisonText({two, failed, one}),
            "A step takes 2.0 times as long on cpu, 1 thread as on cpu, 2 threads.");
}

// Of what the device has free it may have half: the run beside it grows, too.
TEST(DeviceComparison, RefusesWhatHasNoRoomBesideTheRun) {
  Description large = sampleSimulation();
  large.memory = [](const ParameterSet&, compute::Backend) { return 1e18; };
  large.create = [](compute::DevicePtr, const ParameterSet&) -> std::unique_ptr<Simulation> {
    throw Error("it was made all the same");
  };
  DeviceComparison comparison;
  comparison.start(orderOf(large));
  const DeviceComparison::State now = endOf(comparison);
  ASSERT_EQ(now.times.size(), 2) << "one that has no room keeps nobody from being measured";
  for (const StepTime& each : now.times) {
    EXPECT_EQ(each.step_us, 0);
    EXPECT_NE(each.failure.find("GiB"), std::string::npos) << each.failure;
    EXPECT_NE(each.failure.find("choose a smaller problem"), std::string::npos) << each.failure;
  }
  EXPECT_EQ(comparisonText(now.times), "");
}

TEST(DeviceComparison, TellsWhyADeviceCannot) {
  DeviceComparison::Order order = orderOf(sampleSimulation());
  order.contestants = {{"cpu", 1}, {"cuda:77"}};
  DeviceComparison comparison;
  comparison.start(order);
  const DeviceComparison::State now = endOf(comparison);
  ASSERT_EQ(now.times.size(), 2);
  EXPECT_EQ(now.times[0].failure, "");
  EXPECT_GT(now.times[0].step_us, 0);
  EXPECT_NE(now.times[1].failure, "");
}

TEST(DeviceComparison, EndsSoonAndLeavesNothingWhenItIsCancelled) {
  DeviceComparison::Order order = orderOf(sampleSimulation());
  order.seconds = 3600;
  DeviceComparison comparison;
  comparison.start(order);
  EXPECT_TRUE(comparison.state().running);
  EXPECT_TRUE(comparison.isOf(sampleSimulation(), sampleSimulation().defaults()));
  const std::uint64_t before = comparison.state().news;
  comparison.cancel();
  const DeviceComparison::State now = endOf(comparison);
  EXPECT_TRUE(now.times.empty());
  EXPECT_GT(now.news, before);
  EXPECT_FALSE(comparison.isOf(sampleSimulation(), sampleSimulation().defaults())) << "it is to be made again";
}

TEST(DeviceComparison, IsOfOneProblem) {
  DeviceComparison comparison;
  EXPECT_FALSE(comparison.isOf(sampleSimulation(), sampleSimulation().defaults())) << "none yet";
  comparison.start(orderOf(sampleSimulation()));
  endOf(comparison);
  ParameterSet live = sampleSimulation().defaults(), other = live;
  live.setText("speed", "3");
  other.setText("ring", "3");
  EXPECT_TRUE(comparison.isOf(sampleSimulation(), live)) << "what acts at once";
  EXPECT_FALSE(comparison.isOf(sampleSimulation(), other));
  EXPECT_FALSE(comparison.isOf(simulationById("heat"), simulationById("heat").defaults()));
}

// What comes to rest costs nothing then: whole runs are measured. What only the last step of many costs is asked for
// one by one.
TEST(DeviceComparison, MeasuresStepsThatCostSomething) {
  for (const char* id : {"eigenstates2d", "projectiles"}) {
    const Description& description = simulationById(id);
    const compute::DevicePtr device = compute::Device::open("cpu", 1);
    const StepTime time = timeStep(description, description.defaults(), 1, 40, device, 0.05);
    EXPECT_GT(time.step_us, 0) << id;
    if (id == std::string("eigenstates2d")) {
      EXPECT_LE(time.batch_steps, 40);
    }
  }
}

TEST_F(ASession, OffersTheCpuAndAGpuToBeCompared) {
  session.devices.assign(3, {});
  session.devices[0].id = "cpu";
  session.devices[0].threads = 8;
  for (std::size_t i = 1; i < 3; ++i) {
    session.devices[i].backend = compute::Backend::Cuda;
    session.devices[i].id = fmt::format("cuda:{}", i - 1);
  }
  DeviceComparison::Order order = comparisonOf(session);
  ASSERT_EQ(order.contestants.size(), 2);
  EXPECT_EQ(order.contestants[0].device, "cpu");
  EXPECT_EQ(order.contestants[0].threads, 1) << "as the session was opened";
  EXPECT_EQ(order.contestants[1].device, "cuda:0");
  session.status.device.id = "cuda:1";
  EXPECT_EQ(comparisonOf(session).contestants[1].device, "cuda:1") << "where the run is";
  session.devices.resize(1);
  EXPECT_TRUE(comparisonOf(session).contestants.empty()) << "one thread, and nothing beside it";
}

}  // namespace
}  // namespace simscope::gui
