// Who uses the processor, and the reason given for few pictures per second.
#include "app/session/processor_share.h"

#include <gtest/gtest.h>

#include "app/session/picture_rate.h"

namespace simscope {
namespace {

TEST(ProcessorShare, ReadsTheSystemsCounts) {
  const auto times = readProcessorTimes("cpu  100 20 30 400 50 6 7 8 90 10", 100);
  ASSERT_TRUE(times);
  EXPECT_DOUBLE_EQ(times->idle, 4.5);
  EXPECT_DOUBLE_EQ(times->total, 6.21) << "what guests had is counted among the others";
  EXPECT_FALSE(readProcessorTimes("", 100));
  EXPECT_FALSE(readProcessorTimes("cpu0 1 2 3 4", 100));
  EXPECT_FALSE(readProcessorTimes("cpu 1 2", 100));
  EXPECT_FALSE(readProcessorTimes("cpu 1 2 3 4", 0));
}

TEST(ProcessorShare, OthersHaveItWhereNothingIsIdleAndMuchIsNotOurs) {
  ProcessorShare share;
  share.note({.idle = 0, .total = 0, .own = 0});
  EXPECT_FALSE(share.takenByOthers()) << "before there are two";
  share.note({.idle = 0, .total = 2, .own = 0.7});
  EXPECT_TRUE(share.takenByOthers());
  share.note({.idle = 0, .total = 4, .own = 2.6});  // 1.9 of 2 seconds are ours
  EXPECT_FALSE(share.takenByOthers());
  share.note({.idle = 1, .total = 6, .own = 2.9});  // much is idle: other programs do not disturb
  EXPECT_FALSE(share.takenByOthers());
  share.note({.idle = 1, .total = 6, .own = 3});  // no time has passed
  EXPECT_FALSE(share.takenByOthers());
}

TEST(ProcessorShare, ThisMachineHasCounts) {
  const auto before = processorTimes();
  if (!before) GTEST_SKIP() << "no /proc/stat here";
  volatile double work = 0;
  for (int i = 0; i < 30'000'000; ++i) work = work + 1;
  const auto after = processorTimes();
  ASSERT_TRUE(after);
  EXPECT_GT(after->own, before->own);
  EXPECT_GE(after->total, before->total);
}

RunnerStatus played(double steps_per_second, double step_us) {
  RunnerStatus status;
  status.playing = true;
  status.steps_per_second = steps_per_second;
  status.step_us = step_us;
  return status;
}

TEST(PictureRate, SaysWhatHoldsItBackBelowThirty) {
  EXPECT_EQ(pictureRate(played(10, 90'000), 10, 0, false), "10 frames/s: steps take the time");
  EXPECT_EQ(pictureRate(played(1000, 20), 12, 60, false), "12 frames/s: drawing takes the time");
  EXPECT_EQ(pictureRate(played(10, 90'000), 10, 0, true), "10 frames/s: other programs use the processor");
  // A step that is being made, and of which nothing is measured yet.
  RunnerStatus slow = played(0, 0);
  slow.work.seconds = 0.5;
  EXPECT_EQ(pictureRate(slow, 29, 0, false), "29 frames/s: steps take the time");
}

TEST(PictureRate, SaysNothingWhereNothingIsHeldBack) {
  EXPECT_EQ(pictureRate(played(10, 90'000), 30, 0, true), "30 frames/s");
  EXPECT_EQ(pictureRate(played(10, 90'000), 10, 10, true), "10 frames/s") << "no more are asked for";
  EXPECT_EQ(pictureRate(played(0, 0), 0, 0, false), "0 frames/s") << "nothing is known yet";
  RunnerStatus paused = played(10, 90'000);
  paused.playing = false;
  EXPECT_EQ(pictureRate(paused, 2, 0, false), "2 frames/s");
}

}  // namespace
}  // namespace simscope
