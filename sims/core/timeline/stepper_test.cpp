#include "sims/core/timeline/stepper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sims/core/testing/fake_simulation.h"

namespace simscope {
namespace {

compute::DevicePtr cpu() {
  return compute::Device::open("cpu", 1);
}

using fake::with;

// The message of the NotFinite that verify() throws; an empty text where it throws none.
std::string verdict(Stepper& stepper, std::int64_t* step = nullptr) {
  try {
    stepper.verify();
  } catch (const NotFinite& error) {
    if (step) *step = error.step();
    return error.what();
  }
  return {};
}

TEST(Stepper, FirstBadStepIsFoundExactlyAndTheLastGoodStateIsLeft) {
  // Batches that end before, at, and far after the first bad step.
  for (const int batch : {1, 3, 13, 39, 1000}) {
    Stepper stepper(fake::description(), cpu(), with({{"growth", "10"}}), 7);
    std::string message;
    std::int64_t step = 0;
    for (int i = 0; i < 1000 && message.empty(); ++i) {
      stepper.step(batch);
      message = verdict(stepper, &step);
    }
    EXPECT_EQ(step, fake::kFirstBadStepFromOne) << batch;
    EXPECT_THAT(message, testing::AllOf(testing::HasSubstr("from step 39 on"), testing::HasSubstr("growth is too")));
    EXPECT_EQ(stepper.simulation().steps(), fake::kFirstBadStepFromOne - 1);
    EXPECT_TRUE(stepper.simulation().finite());
    EXPECT_TRUE(std::isfinite(stepper.diagnostics()[0]));
  }
}

// A copy of gigabytes would hold the run up, only to show that it is too large to keep.
TEST(Stepper, StatesThatAreTooLargeAreNeverCopied) {
  fake::counts().padding = Stepper::kWatchedBytes / sizeof(float);
  fake::counts().copied = 0;
  Stepper stepper(fake::description(), cpu(), with({{"growth", "10"}}), 7);
  stepper.step(20);
  EXPECT_EQ(verdict(stepper), "");
  stepper.step(80);
  std::int64_t step = 0;
  EXPECT_THAT(verdict(stepper, &step), testing::HasSubstr("last finite at step 20"));
  EXPECT_EQ(step, 100);
  EXPECT_EQ(fake::counts().copied, 0);
  fake::counts().padding = 0;
}

TEST(Stepper, FirstBadStepIsFoundAcrossLiveChanges) {
  Stepper stepper(fake::description(), cpu(), with({}), 7);
  stepper.step(5);
  stepper.verify();
  stepper.step(2);
  stepper.configure(with({{"growth", "10"}}));
  stepper.step(20);
  stepper.configure(with({{"growth", "10"}, {"nan_step", "30"}}));
  stepper.step(100);
  std::int64_t step = 0;
  verdict(stepper, &step);
  EXPECT_EQ(step, 30);
  EXPECT_EQ(stepper.simulation().steps(), 29);
  EXPECT_EQ(stepper.simulation().parameters(), with({{"growth", "10"}, {"nan_step", "30"}}))
      << "the present parameters stay";
  stepper.configure(with({{"growth", "1"}}));
  stepper.step(100);
  EXPECT_EQ(verdict(stepper), "") << "cured, the run goes on";
}

TEST(Stepper, FirstBadStepIsFoundAcrossStrokes) {
  Stepper stepper(fake::description(), cpu(), with({{"growth", "2"}}), 7);
  stepper.step(10);
  Brush brush;
  brush.tool = "add";
  brush.strength = 1e37;
  EXPECT_TRUE(stepper.poke(brush));  // 1e37 · 2^6 overflows
  stepper.step(50);
  std::int64_t step = 0;
  verdict(stepper, &step);
  EXPECT_EQ(step, 16);
}

TEST(Stepper, StrokeThatBreaksTheStateIsNamedAtItsStep) {
  Stepper stepper(fake::description(), cpu(), with({}), 7);
  stepper.step(10);
  stepper.verify();
  Brush brush;
  brush.tool = "add";
  brush.strength = 1e300;
  stepper.poke(brush);
  std::int64_t step = 0;
  EXPECT_NE(verdict(stepper, &step), "");
  EXPECT_EQ(step, 10);
  EXPECT_EQ(stepper.simulation().steps(), 10);
  EXPECT_TRUE(stepper.simulation().finite());
}

TEST(Stepper, LargeStatesReportTheInterval) {
  Stepper stepper(fake::description(), cpu(), with({{"cells", "33554432"}, {"nan_step", "2"}}), 7);
  stepper.step(1);
  stepper.verify();
  stepper.step(2);
  std::int64_t step = 0;
  EXPECT_THAT(verdict(stepper, &step), testing::AllOf(testing::HasSubstr("step 1,"), testing::HasSubstr("step 3")));
  EXPECT_EQ(step, 3);
}

TEST(Stepper, FailedChangeLeavesTheOldRunAsItWas) {
  const compute::DevicePtr device = cpu();
  Stepper stepper(fake::description(), device, with({{"growth", "1.5"}}), 7);
  stepper.step(10);
  const State before = stepper.save();
  EXPECT_THROW(stepper.configure(with({{"trouble", "memory"}, {"cells", "16"}})), OutOfMemory);
  EXPECT_THROW(stepper.configure(fake::otherDescription().defaults()), UsageError);
  State foreign = before;
  foreign.simulation = "other";
  EXPECT_THROW(stepper.load(foreign), UsageError);
  State short_state = before;
  short_state.arrays[0].bytes.resize(4);
  EXPECT_THROW(stepper.load(short_state), UsageError);
  EXPECT_EQ(stepper.simulation().steps(), 10);
  EXPECT_EQ(stepper.simulation().parameters(), before.parameters);
  EXPECT_EQ(stepper.save().arrays[0].bytes, before.arrays[0].bytes);
}

TEST(Stepper, ChangeThatNeedsAResetRestartsWithTheSameSeed) {
  Stepper stepper(fake::description(), cpu(), with({}), 42);
  stepper.step(3);
  stepper.configure(with({{"cells", "16"}}));
  EXPECT_EQ(stepper.simulation().steps(), 0);
  EXPECT_EQ(stepper.simulation().seed(), 42u);
  EXPECT_EQ(stepper.simulation().parameters().integer("cells"), 16);
}

TEST(Stepper, LoadAndMoveContinueTheRunBitForBit) {
  Stepper whole(fake::description(), cpu(), with({{"growth", "1.01"}, {"cells", "16"}}), 5);
  whole.step(20);
  Stepper first(fake::description(), cpu(), with({{"growth", "1.01"}, {"cells", "16"}}), 5);
  first.step(12);
  Stepper second(fake::description(), cpu(), with({}), 1);
  second.load(first.save());
  EXPECT_EQ(second.simulation().parameters(), first.simulation().parameters());
  second.moveTo(cpu());
  second.step(8);
  EXPECT_EQ(second.simulation().steps(), 20);
  EXPECT_EQ(second.simulation().seed(), 5u);
  EXPECT_EQ(second.save().arrays[0].bytes, whole.save().arrays[0].bytes);
}

TEST(Stepper, PresentedFrameCarriesTimeStepsAndOnlyItsOwnDevicesChannels) {
  Stepper stepper(fake::description(), cpu(), with({}), 1);
  Frame frame;
  stepper.step(4);
  stepper.present(frame);
  EXPECT_EQ(frame.steps, 4);
  EXPECT_EQ(frame.time, 2.0);
  frame.channel("leftover", 3);
  stepper.moveTo(cpu());
  stepper.present(frame);
  EXPECT_EQ(frame.channels.size(), 1u);
  EXPECT_EQ(frame.find("x")->data.device(), stepper.simulation().device());
}

}  // namespace
}  // namespace simscope
