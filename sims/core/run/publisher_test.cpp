#include "sims/core/run/publisher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace simscope {
namespace {

void publishFilled(Publisher& publisher, const compute::DevicePtr& device, float value) {
  Frame& frame = publisher.writing();
  frame.device = device;
  Channel& channel = frame.channel("x", 256);
  std::fill_n(channel.data.data(), 256, value);
  frame.steps = static_cast<std::int64_t>(value);
  publisher.publish();
}

TEST(Frame, ChannelKeepsItsMemoryUntilItsShapeChanges) {
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  Frame frame;
  EXPECT_THROW(frame.channel("x", 4), UsageError);
  frame.device = device;
  Channel& first = frame.channel("x", 4);
  const float* memory = first.data.data();
  for (int i = 0; i < 20; ++i) frame.channel("other" + std::to_string(i), 2);
  EXPECT_EQ(&first, &frame.channel("x", 4)) << "references survive further channels";
  EXPECT_EQ(first.data.data(), memory);
  frame.channel("x", 4, 2, 3);
  EXPECT_EQ(first.data.size(), 24u);
  EXPECT_EQ(first.components, 3);
  EXPECT_THROW(frame.channel("x", 0), UsageError);
  EXPECT_EQ(first.data.size(), 24u);
  EXPECT_EQ(frame.find("nothing"), nullptr);
}

TEST(Publisher, ReaderSeesNothingBeforeTheFirstFrameAndThenTheNewest) {
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  Publisher publisher;
  EXPECT_EQ(publisher.newest(), nullptr);
  for (int i = 1; i <= 5; ++i) publishFilled(publisher, device, static_cast<float>(i));
  const Frame* frame = publisher.newest();
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->sequence, 5u);
  EXPECT_EQ(publisher.newest(), frame) << "the same one again where nothing newer came";
}

TEST(Publisher, HeldFrameStaysUntouchedHoweverManyAreWritten) {
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  Publisher publisher;
  publishFilled(publisher, device, 1);
  const Frame* held = publisher.newest();
  const float* memory = held->find("x")->data.data();
  for (int i = 2; i < 50; ++i) publishFilled(publisher, device, static_cast<float>(i));
  EXPECT_EQ(held->sequence, 1u);
  EXPECT_TRUE(std::all_of(memory, memory + 256, [](float v) { return v == 1.0f; }));
  EXPECT_EQ(publisher.newest()->sequence, 49u);
}

TEST(Publisher, NoFrameIsTornAndSequencesNeverGoBack) {
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  Publisher publisher;
  constexpr int kFrames = 20000;
  std::thread writer([&] {
    for (int i = 1; i <= kFrames; ++i) publishFilled(publisher, device, static_cast<float>(i));
  });
  std::uint64_t last = 0;
  while (last < kFrames) {
    const Frame* frame = publisher.newest();
    if (!frame) continue;
    const float* x = frame->find("x")->data.data();
    const bool whole = std::all_of(x, x + 256, [&](float v) { return v == static_cast<float>(frame->steps); });
    if (!whole || frame->sequence < last) {
      ADD_FAILURE() << "frame " << frame->sequence << " after " << last;
      break;
    }
    last = frame->sequence;
  }
  writer.join();
}

}  // namespace
}  // namespace simscope
