// Arrays that are lent in a device's memory. On the CPU the slots are the test's own; the code is the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "sims/compute/test_devices.h"
#include "sims/core/simulation.h"
#include "sims/live/device_values.h"
#include "sims/live/live.h"

namespace simscope::live {
namespace {

using compute::ForeignSlots;
using std::chrono::milliseconds;
constexpr milliseconds kAtOnce(0);

// One slot.
class Slots final : public ForeignSlots {
 public:
  Slots(const compute::DevicePtr& device, std::span<const unsigned char> bytes)
      : ForeignSlots(1, bytes.size()), memory_(device, bytes) {}

  const void* slot(std::size_t) const noexcept override { return memory_.data(); }
  State state(std::size_t) const noexcept override { return now; }

  std::atomic<State> now = State::Written;

 private:
  compute::Buffer<unsigned char> memory_;
};

template <class T>
std::shared_ptr<Slots> slotsOf(const compute::DevicePtr& device, const std::vector<T>& values) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(values.data());
  return std::make_shared<Slots>(device, std::span(bytes, values.size() * sizeof(T)));
}

class DeviceLoanTest : public compute::OnEveryDevice {
 protected:
  Loan loan(std::shared_ptr<Slots> slots, ElementType type, const Layout& layout, int width, int height = 1) {
    Loan made;
    made.number = ++number_;
    made.end = [this](std::chrono::microseconds) { ++returned_; };
    made.on_device = {std::move(slots), 0, device_->info().id, type, layout, width, height};
    return made;
  }
  // As a picture's numbers, on the host.
  template <class T>
  std::vector<float> gathered(const std::vector<T>& values, ElementType type, const Layout& layout, int width,
                              int height) {
    const auto slots = slotsOf(device_, values);
    const std::size_t components = isComplex(type) ? 2 : 1;
    compute::Buffer<float> to(device_, static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * components);
    device_->run([&] { gather(*device_, slots->slot(0), type, layout, width, height, to.data()); });
    return to.toHost();
  }

  int returned_ = 0;
  std::uint64_t number_ = 0;
};

TEST_P(DeviceLoanTest, EveryTypeComesInSinglePrecision) {
  const auto same = [&](auto values, ElementType type) {
    std::vector<float> wanted;
    for (const auto each : values) wanted.push_back(static_cast<float>(each));
    EXPECT_EQ(gathered(values, type, {}, static_cast<int>(values.size()), 1), wanted) << static_cast<int>(type);
  };
  same(std::vector<float>{1.5f, -2}, ElementType::Float32);
  same(std::vector<double>{0.1, 1e300, -3}, ElementType::Float64);
  same(std::vector<std::int8_t>{-128, 127}, ElementType::Int8);
  same(std::vector<std::int16_t>{-32768, 5}, ElementType::Int16);
  same(std::vector<std::int32_t>{-2147483647, 16777217}, ElementType::Int32);
  same(std::vector<std::int64_t>{-(std::int64_t{1} << 60) - 1, 7}, ElementType::Int64);
  same(std::vector<std::uint8_t>{255, 0}, ElementType::UInt8);
  same(std::vector<std::uint16_t>{65535, 1}, ElementType::UInt16);
  same(std::vector<std::uint32_t>{4294967295u, 2}, ElementType::UInt32);
  same(std::vector<std::uint64_t>{~std::uint64_t{0}, 3}, ElementType::UInt64);
  EXPECT_THAT(gathered(std::vector<std::uint8_t>{0, 1, 255}, ElementType::Bool, {}, 3, 1),
              testing::ElementsAre(0, 1, 1));
  EXPECT_THAT(gathered(std::vector<double>{1, 2, 3, 4}, ElementType::Complex128, {}, 2, 1),
              testing::ElementsAre(1, 2, 3, 4));
}

TEST_P(DeviceLoanTest, HalfPrecisionIsExact) {
  // 1, -2, the largest, the smallest normal one, the smallest at all, -0, infinity, NaN.
  const std::vector<float> values =
      gathered(std::vector<std::uint16_t>{0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001, 0x8000, 0x7c00, 0x7e00},
               ElementType::Float16, {}, 8, 1);
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 6),
              testing::ElementsAre(1, -2, 65504, std::ldexp(1.0f, -14), std::ldexp(1.0f, -24), 0));
  EXPECT_TRUE(std::signbit(values[5]));
  EXPECT_EQ(values[6], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(values[7]));
}

TEST_P(DeviceLoanTest, BrainFloatsAreTheUpperHalfOfSinglePrecision) {
  const std::vector<float> values = gathered(std::vector<std::uint16_t>{0x3f80, 0xc0a0, 0x7f7f, 0x0001, 0x7f80, 0x7fc0},
                                             ElementType::BFloat16, {}, 6, 1);
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 4),
              testing::ElementsAre(1, -5, std::ldexp(255.0f, 120), std::ldexp(1.0f, -133)));
  EXPECT_EQ(values[4], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(values[5]));
}

TEST_P(DeviceLoanTest, WhatSinglePrecisionLosesIsFound) {
  const auto found = [&](const auto& values, ElementType type, int width) {
    Mailbox mailbox(isComplex(type) ? 2 : 1);
    mailbox.offer(loan(slotsOf(device_, values), type, {}, width));
    PicturePtr picture;
    device_->run([&] { picture = mailbox.take(kAtOnce, device_); });
    return std::make_pair(picture->lost.spread, picture->lost.beyond);
  };
  const double none = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  using Pair = std::pair<double, std::uint64_t>;
  EXPECT_EQ(found(std::vector<double>{1e9, 1e9 + 0.25, none, infinite}, ElementType::Float64, 4), Pair(0.25, 0));
  EXPECT_EQ(found(std::vector<double>{1e9, 1e9}, ElementType::Float64, 2), Pair(0, 0)) << "all the same";
  EXPECT_EQ(found(std::vector<double>{0, 1e9}, ElementType::Float64, 2), Pair(0, 0)) << "wide";
  EXPECT_EQ(found(std::vector<double>{1, 1e300, -1e39, infinite, none}, ElementType::Float64, 5), Pair(0, 2));
  EXPECT_DOUBLE_EQ(found(std::vector<double>{1e-50, 3e-50}, ElementType::Float64, 2).first, 2e-50);
  EXPECT_EQ(
      found(std::vector<std::int64_t>{(std::int64_t{1} << 62) + 1, (std::int64_t{1} << 62) - 1}, ElementType::Int64, 2),
      Pair(2, 0));
  EXPECT_EQ(found(std::vector<std::int32_t>{-2147483647, 2147483647}, ElementType::Int32, 2), Pair(0, 0));
  // Of complex numbers the parts: all on the unit circle are not alike.
  EXPECT_EQ(found(std::vector<double>{0, 1, 1, 0}, ElementType::Complex128, 2), Pair(0, 0));
  EXPECT_EQ(found(std::vector<double>{1e9, 0, 1e9 + 0.5, 0}, ElementType::Complex128, 2), Pair(0.5, 0));
  EXPECT_EQ(found(std::vector<double>{1e9, 0, 1e9, 0.5}, ElementType::Complex128, 2), Pair(0, 0))
      << "each part is exact";
  EXPECT_EQ(found(std::vector<double>{1, 1e200, 1, 0}, ElementType::Complex128, 2), Pair(0, 1));
}

TEST_P(DeviceLoanTest, ElementsComeFromWhereTheLayoutSays) {
  const std::vector<std::int32_t> held{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // 3 rows of 4
  const auto of = [&](const Layout& layout, int width, int height) {
    return gathered(held, ElementType::Int32, layout, width, height);
  };
  EXPECT_THAT(of({0, 1, 4}, 3, 4), testing::ElementsAre(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11)) << "transposed";
  EXPECT_THAT(of({11, -4, -1}, 4, 3), testing::ElementsAre(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)) << "turned around";
  EXPECT_THAT(of({1, 8, 2}, 2, 2), testing::ElementsAre(1, 3, 9, 11)) << "every second one";
  EXPECT_THAT(of({5, 0, 0}, 2, 2), testing::ElementsAre(5, 5, 5, 5)) << "one for all";
}

TEST_P(DeviceLoanTest, WhatIsFoundOnTheDeviceIsWhatTheHostFinds) {
  std::vector<float> values(10'000, 2);
  values[17] = std::numeric_limits<float>::quiet_NaN();
  values[9'000] = std::numeric_limits<float>::infinity();
  values[4096] = -5;
  values[8191] = 11;
  for (const int components : {1, 2}) {
    Mailbox host(components), device(components);
    host.offer({values, 1, 0, {}});
    const ElementType type = components == 1 ? ElementType::Float32 : ElementType::Complex64;
    device.offer(loan(slotsOf(device_, values), type, {}, 10'000 / components));
    const PicturePtr wanted = host.take(kAtOnce);
    PicturePtr found;
    device_->run([&] { found = device.take(kAtOnce, device_); });
    EXPECT_FLOAT_EQ(static_cast<float>(found->low), static_cast<float>(wanted->low));
    EXPECT_FLOAT_EQ(static_cast<float>(found->high), static_cast<float>(wanted->high));
    EXPECT_EQ(found->not_finite, wanted->not_finite);
    EXPECT_NEAR(found->mean, wanted->mean, 1e-12);
    EXPECT_TRUE(found->values.empty()) << "nothing of it is on the host";
    EXPECT_THAT(found->on_device.toHost(), testing::Pointwise(testing::NanSensitiveFloatEq(), values));
  }
  EXPECT_EQ(returned_, 2);
}

TEST_P(DeviceLoanTest, ASlotIsTakenWhenItIsWrittenAndNotBefore) {
  Mailbox mailbox(1);
  const auto slots = slotsOf(device_, std::vector<float>{1, 2});
  slots->now = ForeignSlots::State::Pending;
  mailbox.offer(loan(slots, ElementType::Float32, {}, 2));
  device_->run([&] { EXPECT_EQ(mailbox.take(milliseconds(5), device_), nullptr); });
  EXPECT_TRUE(mailbox.waiting());
  EXPECT_EQ(returned_, 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(milliseconds(20));
    slots->now = ForeignSlots::State::Written;
  });
  device_->run([&] { EXPECT_NE(mailbox.take(std::chrono::minutes(1), device_), nullptr); });
  writer.join();
  EXPECT_EQ(returned_, 1);
}

TEST_P(DeviceLoanTest, AScriptThatIsKilledInTheMiddleLeavesTheLastWholeArray) {
  Mailbox mailbox(1);
  mailbox.offer(loan(slotsOf(device_, std::vector<float>{1, 2}), ElementType::Float32, {}, 2));
  PicturePtr whole, after;
  device_->run([&] { whole = mailbox.take(kAtOnce, device_); });
  const auto never = slotsOf(device_, std::vector<float>{3, 4});
  never->now = ForeignSlots::State::Pending;
  mailbox.offer(loan(never, ElementType::Float32, {}, 2));
  mailbox.finish("the script has ended");
  const auto begin = std::chrono::steady_clock::now();
  device_->run([&] { after = mailbox.take(std::chrono::minutes(1), device_); });
  EXPECT_EQ(after, whole);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_FALSE(mailbox.waiting());
  EXPECT_EQ(returned_, 2);
}

TEST_P(DeviceLoanTest, WhatNobodyCanTellOfIsGivenBackUnread) {
  Mailbox mailbox(1);
  const auto slots = slotsOf(device_, std::vector<float>{1});
  slots->now = ForeignSlots::State::Lost;
  mailbox.offer(loan(slots, ElementType::Float32, {}, 1));
  device_->run([&] { EXPECT_EQ(mailbox.take(kAtOnce, device_), nullptr); });
  EXPECT_EQ(returned_, 1);
}

TEST_P(DeviceLoanTest, AnotherDeviceGivesItBackAndKeepsWhatItHas) {
  Mailbox mailbox(1);
  Loan elsewhere = loan(slotsOf(device_, std::vector<float>{1}), ElementType::Float32, {}, 1);
  elsewhere.on_device->device = "cuda:77";
  mailbox.offer(std::move(elsewhere));
  device_->run([&] { EXPECT_EQ(mailbox.take(kAtOnce, device_), nullptr); });
  EXPECT_EQ(returned_, 1);
}

TEST_P(DeviceLoanTest, ARunShowsItAndTellsTheWay) {
  LiveArray array;
  array.plane = true;
  array.width = 3;
  array.height = 2;
  array.source = "the test";
  auto mailbox = std::make_shared<Mailbox>(1);
  std::string used;
  mailbox->watchUse([&](const compute::DeviceInfo& device) { used = device.id; });
  const Description& description = describe(array, mailbox);
  mailbox->offer(loan(slotsOf(device_, std::vector<double>{1, 2, 3, 4, 5, 6}), ElementType::Float64, {0, 1, 2}, 3, 2));
  device_->run([&] {
    const auto run = description.create(device_, description.defaults());
    Frame frame;
    frame.device = device_;
    run->present(frame);
    EXPECT_THAT(frame.find("u")->data.toHost(), testing::ElementsAre(1, 3, 5, 2, 4, 6));
    EXPECT_EQ(frame.find("u")->high, 6);
    EXPECT_EQ(run->method(), "2 × 3 numbers by CUDA's shared memory from the test");
    // Again on the same device: nothing has come since.
    EXPECT_EQ(description.create(device_, description.defaults())->method(), run->method());
  });
  EXPECT_EQ(used, device_->info().id);
}

TEST_P(DeviceLoanTest, AComplexCurveHasItsParts) {
  LiveArray array;
  array.complex = true;
  array.width = 2;
  auto mailbox = std::make_shared<Mailbox>(2);
  const Description& description = describe(array, mailbox);
  mailbox->offer(loan(slotsOf(device_, std::vector<float>{3, 4, 0, -2}), ElementType::Complex64, {}, 2));
  device_->run([&] {
    const auto run = description.create(device_, description.defaults());
    Frame frame;
    frame.device = device_;
    run->present(frame);
    EXPECT_THAT(frame.find("density")->data.toHost(), testing::ElementsAre(25, 4));
    EXPECT_NEAR(frame.find("phase")->data.toHost()[0], std::atan2(4.0, 3.0), 1e-6);
    EXPECT_THAT(frame.find("imaginary")->data.toHost(), testing::ElementsAre(4, -2));
  });
}

SIMSCOPE_ON_EVERY_DEVICE(DeviceLoanTest);

TEST(TheLayout, FitsWhereEveryElementLiesInTheMemory) {
  EXPECT_TRUE(fits({0, 4, 1}, 4, 3, 12));
  EXPECT_FALSE(fits({0, 4, 1}, 4, 3, 11));
  EXPECT_TRUE(fits({11, -4, -1}, 4, 3, 12));
  EXPECT_FALSE(fits({10, -4, -1}, 4, 3, 12));
  EXPECT_TRUE(fits({3, 0, 0}, 1000, 1000, 4));
  EXPECT_FALSE(fits({4, 0, 0}, 1, 1, 4));
  EXPECT_FALSE(fits({-1, 0, 1}, 1, 1, 4));
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max(),
                         kLeast = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t step : {kMost, kLeast, kMost / 2, std::int64_t{1} << 40}) {
    EXPECT_FALSE(fits({0, step, 1}, 4, 4096, std::int64_t{1} << 41)) << step;
    EXPECT_FALSE(fits({0, 1, step}, 4096, 4, std::int64_t{1} << 41)) << step;
    EXPECT_TRUE(fits({0, step, step}, 1, 1, 1)) << "there is but one element";
  }
}

}  // namespace
}  // namespace simscope::live
