// Failures on request, and what a device has given out.
#include <gtest/gtest.h>

#include "sims/compute/buffer.h"
#include "sims/compute/fault.h"
#include "sims/compute/held_memory.h"

namespace simscope::compute {
namespace {

TEST(Fault, FailsAtThatPassAloneOrFromThereOn) {
  setFaults("device:2,interop:3+");
  EXPECT_FALSE(faultAt(FaultPlace::Device));
  EXPECT_TRUE(faultAt(FaultPlace::Device));
  EXPECT_FALSE(faultAt(FaultPlace::Device));
  for (const bool fails : {false, false, true, true}) EXPECT_EQ(faultAt(FaultPlace::Interop), fails);
  EXPECT_FALSE(faultAt(FaultPlace::Memory));
  setFaults("");
  EXPECT_FALSE(faultAt(FaultPlace::Interop));
}

TEST(Fault, WhatIsNoListIsRefusedAndChangesNothing) {
  setFaults("memory:1");
  for (const char* text : {"memory", "memory:0", "disk:1", "memory:1x", "memory:-2"}) {
    EXPECT_THROW(setFaults(text), UsageError) << text;
  }
  EXPECT_TRUE(faultAt(FaultPlace::Memory));
  setFaults("");
}

TEST(HeldMemory, IsThatOfTheBuffersThatThereAre) {
  const DevicePtr device = Device::open("cpu", 1);
  const std::size_t before = heldBytes(*device);
  {
    const Buffer<float> first(device, 1000);
    Buffer<double> second(device, 10), moved = std::move(second);
    EXPECT_EQ(heldBytes(*device), before + 4080);
    moved = Buffer<double>(device, 20);
    EXPECT_EQ(heldBytes(*device), before + 4160);
  }
  EXPECT_EQ(heldBytes(*device), before);
}

}  // namespace
}  // namespace simscope::compute
