#include "app/live/device_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace simscope::live {
namespace {

using compute::ForeignSlots;

class Slots final : public ForeignSlots {
 public:
  explicit Slots(const Offer& offer) : ForeignSlots(offer.written.size(), offer.slot_bytes) {}
  const void* slot(std::size_t) const noexcept override { return nullptr; }
  State state(std::size_t) const noexcept override { return State::Written; }
};

const std::string kName = "000102030405060708090a0b0c0d0e0f";

class TheDeviceSide : public testing::Test {
 protected:
  static compute::DeviceInfo device(const char* id, int index = 0) {
    compute::DeviceInfo info;
    info.id = id;
    info.index = index;
    info.backend = info.id == "cpu" ? compute::Backend::Cpu : compute::Backend::Cuda;
    return info;
  }
  static SlotsMessage slots(const std::string& name = kName) {
    SlotsMessage message;
    message.device = uuidOf(name);
    message.offer.slot_bytes = 4096;
    message.offer.written.resize(2);
    return message;
  }
  static DeviceUpdateMessage update(std::uint32_t of_slots) {
    DeviceUpdateMessage message;
    message.slots = of_slots;
    message.layout = {0, 32, 1};
    return message;
  }
  static LiveArray plane() {
    LiveArray array;
    array.plane = true;
    array.width = array.height = 32;  // 4096 bytes
    return array;
  }

  std::vector<std::string> sent_;
  std::vector<int> opened_;
  std::string fails_;
  DeviceSide side_{[this](const std::string& bytes) { sent_.push_back(bytes); },
                   [this](int index, const ForeignSlots::Offer& offer) -> std::shared_ptr<const ForeignSlots> {
                     opened_.push_back(index);
                     if (!fails_.empty()) throw Error(fails_);
                     return std::make_shared<Slots>(offer);
                   },
                   [](int) { return kName; }};
};

TEST_F(TheDeviceSide, TellsTheDeviceWhenItChanges) {
  side_.usedOn(device("cuda:1", 1));
  side_.usedOn(device("cuda:1", 1));
  side_.usedOn(device("cpu"));
  ASSERT_EQ(sent_.size(), 2u);
  EXPECT_EQ(sent_[0], deviceMessage(uuidOf(kName), ""));
  EXPECT_THAT(sent_[1], testing::HasSubstr("the window computes on the CPU"));
}

TEST_F(TheDeviceSide, OpensSlotsOfItsOwnDevice) {
  side_.usedOn(device("cuda:1", 1));
  side_.open(slots());
  EXPECT_EQ(sent_.back(), openedMessage(1, ""));
  EXPECT_THAT(opened_, testing::ElementsAre(1));
  const std::optional<DeviceLoan> loan = side_.loan(update(1), plane());
  ASSERT_TRUE(loan);
  EXPECT_EQ(loan->device, "cuda:1");
  EXPECT_EQ(loan->height, 32);
}

TEST_F(TheDeviceSide, OpensNoneOfAnotherDevice) {
  side_.open(slots());  // before a run has begun
  side_.usedOn(device("cpu"));
  side_.open(slots(std::string(32, '0')));
  side_.usedOn(device("cuda:0"));
  side_.open(slots("ff0102030405060708090a0b0c0d0e0f"));
  EXPECT_THAT(opened_, testing::IsEmpty());
  EXPECT_EQ(sent_.back(), openedMessage(3, "the window computes on another device"));
  EXPECT_FALSE(side_.loan(update(3), plane()));
}

TEST_F(TheDeviceSide, SaysWhyTheDriverDoesNotOpenThem) {
  side_.usedOn(device("cuda:0"));
  fails_ = "the driver does not share";
  side_.open(slots());
  EXPECT_EQ(sent_.back(), openedMessage(1, fails_));
  EXPECT_FALSE(side_.loan(update(1), plane()));
}

TEST_F(TheDeviceSide, TakesNoUpdateForADeviceThatItHasLeft) {
  side_.usedOn(device("cuda:0"));
  side_.open(slots());
  side_.usedOn(device("cpu"));
  EXPECT_FALSE(side_.loan(update(1), plane()));
  side_.usedOn(device("cuda:0"));
  EXPECT_FALSE(side_.loan(update(1), plane())) << "they were closed";
}

TEST_F(TheDeviceSide, RefusesWhatDoesNotLieInItsSlot) {
  side_.usedOn(device("cuda:0"));
  side_.open(slots());
  const auto refused = [&](const DeviceUpdateMessage& message, const char* words) {
    EXPECT_THAT([&] { side_.loan(message, plane()); }, testing::ThrowsMessage<UsageError>(testing::HasSubstr(words)));
  };
  refused(update(0), "not offered");
  refused(update(2), "not offered");
  DeviceUpdateMessage wrong = update(1);
  wrong.update.slot = 2;
  refused(wrong, "no slot 2");
  wrong = update(1);
  wrong.type = ElementType::Float64;  // twice as long
  refused(wrong, "exceed their slot");
  wrong = update(1);
  wrong.layout.first = 1;
  refused(wrong, "exceed their slot");
  wrong = update(1);
  wrong.type = ElementType::Complex64;
  refused(wrong, "differs from that of its array");
}

}  // namespace
}  // namespace simscope::live
