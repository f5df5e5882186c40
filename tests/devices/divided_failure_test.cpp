// Failure of one of several devices: it is reported once, with its name, and no device waits for ever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sims/compute/device_lost.h"
#include "sims/core/testing/refusal.h"
#include "sims/core/timeline/stepper.h"
#include "tests/devices/devices_testing.h"

namespace simscope {
namespace {

using devices_test::Faults;
using devices_test::smallHeat;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(DividedFailure, InTheMiddleOfAStepEndsTheRunForGood) {
  Stepper stepper(simulationById("heat"), compute::Device::open("cpu+cpu+cpu", 3), smallHeat(), 1);
  stepper.step(5);
  {
    const Faults faults("rank:1");
    EXPECT_THAT([&] { stepper.step(5); },
                ThrowsMessage<compute::DeviceLost>(AllOf(HasSubstr("cpu: "), HasSubstr("for a test"))));
  }
  // Some devices have made the step, others have not: the state is unknown.
  EXPECT_THAT([&] { stepper.step(1); },
              ThrowsMessage<compute::DeviceLost>(HasSubstr("the run on cpu+cpu+cpu has ended: cpu: ")));
  EXPECT_THROW(stepper.save(), compute::DeviceLost);
  // The same devices can begin another one.
  Stepper again(simulationById("heat"), stepper.simulation().device(), smallHeat(), 1);
  again.step(10);
  again.verify();
}

TEST(DividedFailure, WhereTheStateIsOnlyReadLeavesTheRunAsItWas) {
  const auto diagnosticsAfter = [](bool fails) {
    Stepper stepper(simulationById("heat"), compute::Device::open("cpu+cpu", 2), smallHeat(), 1);
    stepper.step(5);
    if (fails) {
      const Faults faults("rank_memory:1");
      EXPECT_THAT([&] { stepper.save(); }, ThrowsMessage<OutOfMemory>(HasSubstr("cpu: no memory")));
    }
    stepper.step(5);
    return devices_test::bitsOf(stepper.diagnostics());
  };
  EXPECT_EQ(diagnosticsAfter(true), diagnosticsAfter(false));
}

// One device has no memory for the first copy of the watch: then no device keeps it, and the run continues.
TEST(DividedFailure, ACopyThatOneDeviceHasNoMemoryForIsNotKept) {
  Stepper stepper(simulationById("heat"), compute::Device::open("cpu+cpu", 2), smallHeat(), 1);
  stepper.step(5);
  stepper.keepPast(std::size_t{64} << 20);
  {
    const Faults faults("rank_memory:2");  // after finite()
    stepper.verify();
    EXPECT_EQ(stepper.keptStates(), 0u);
  }
  stepper.step(5);
  stepper.verify();
  EXPECT_EQ(stepper.simulation().steps(), 10);
}

TEST(DividedFailure, WhereItBeginsIsThrownAndTheDevicesAreFreeAgain) {
  const compute::DevicePtr device = compute::Device::open("cpu+cpu", 2);
  for (const char* const fault : {"rank_memory:1", "rank_memory:2"}) {
    const Faults faults(fault);
    EXPECT_THROW(Stepper(simulationById("heat"), device, smallHeat(), 1), OutOfMemory) << fault;
  }
  Stepper stepper(simulationById("heat"), device, smallHeat(), 1);
  stepper.step(3);
  stepper.verify();
}

TEST(DividedFailure, ARefusedValueChangesNothing) {
  const auto run = [](const char* spec) {
    Stepper stepper(simulationById("heat"), compute::Device::open(spec, 2), smallHeat(), 1);
    stepper.step(5);
    const State before = stepper.save();
    State wrong = before;
    wrong.arrays.front().bytes.resize(8);
    const std::string refused = tests::refusal([&] { stepper.load(wrong); });
    stepper.step(5);
    return std::pair(refused, devices_test::bitsOf(stepper.diagnostics()));
  };
  const auto one = run("cpu"), two = run("cpu+cpu");
  EXPECT_FALSE(one.first.empty());
  EXPECT_EQ(two, one);
}

}  // namespace
}  // namespace simscope
