#include "app/live/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "sims/core/testing/refusal.h"

namespace simscope::live {
namespace {

template <class T>
std::string& operator<<(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  return bytes;
}

std::string begun(std::uint16_t kind, std::uint16_t version = kVersion) {
  std::string bytes = "SIMS";
  return bytes << version << kind;
}

std::string slotsMessage(std::uint32_t slots, std::uint64_t bytes, std::size_t events) {
  std::string message = begun(6) + std::string(16, '\x2a');
  message << bytes << slots;
  message += std::string(64, 'm');
  for (std::size_t i = 0; i < events; ++i) message += std::string(64, static_cast<char>('a' + i));
  return message;
}

std::string deviceUpdate(std::uint32_t type, double time = 0.5) {
  std::string message = begun(8);
  message << std::uint32_t{1} << std::uint32_t{7} << std::uint64_t{9} << time << 0.25 << std::uint64_t{6}
          << std::uint32_t{3} << type << std::int64_t{5} << std::int64_t{-4} << std::int64_t{2};
  return message;
}

std::string refusal(const std::string& message) {
  return tests::refusal([&] { readMessage(message); });
}

TEST(LiveMessage, SlotsOnADeviceComeAsTheyWereSaid) {
  const auto read = std::get<SlotsMessage>(readMessage(slotsMessage(2, 1 << 21, 2)));
  EXPECT_EQ(read.device[0], 0x2a);
  EXPECT_EQ(read.offer.slot_bytes, std::size_t{1} << 21);
  EXPECT_EQ(read.offer.memory[63], 'm');
  ASSERT_EQ(read.offer.written.size(), 2u);
  EXPECT_EQ(read.offer.written[1][0], 'b');
}

TEST(LiveMessage, AnUpdateOnADeviceSaysWhereItsElementsLie) {
  const auto read = std::get<DeviceUpdateMessage>(readMessage(deviceUpdate(3)));
  EXPECT_EQ(read.update.slot, 1u);
  EXPECT_EQ(read.update.form, 7u);
  EXPECT_EQ(read.update.number, 9u);
  EXPECT_EQ(read.update.time, 0.5);
  EXPECT_EQ(read.update.lost.spread, 0.25);
  EXPECT_EQ(read.update.lost.beyond, 6u);
  EXPECT_EQ(read.slots, 3u);
  EXPECT_EQ(read.type, ElementType::Float64);
  EXPECT_EQ((std::vector{read.layout.first, read.layout.row_step, read.layout.column_step}),
            (std::vector<std::int64_t>{5, -4, 2}));
}

TEST(LiveMessage, WhatIsWrongOnADeviceIsRefusedWithTheReason) {
  EXPECT_THAT(refusal(slotsMessage(0, 4096, 0)), testing::HasSubstr("must be 1 to 4"));
  EXPECT_THAT(refusal(slotsMessage(5, 4096, 5)), testing::HasSubstr("must be 1 to 4"));
  EXPECT_THAT(refusal(slotsMessage(3, 4096, 2)), testing::HasSubstr("has 284 bytes, not 220"));
  EXPECT_THAT(refusal(slotsMessage(1, 0, 1)), testing::HasSubstr("a slot has 1 to"));
  EXPECT_THAT(refusal(slotsMessage(1, kMostSlotBytes + 1, 1)), testing::HasSubstr("a slot has 1 to"));
  EXPECT_THAT(refusal(begun(6) + "short"), testing::HasSubstr("too short"));
  EXPECT_THAT(refusal(deviceUpdate(0)), testing::HasSubstr("no type of element 0"));
  EXPECT_THAT(refusal(deviceUpdate(16)), testing::HasSubstr("no type of element 16"));
  EXPECT_THAT(refusal(deviceUpdate(2, std::numeric_limits<double>::quiet_NaN())), testing::HasSubstr("time"));
  EXPECT_THAT(refusal(deviceUpdate(2) + "x"), testing::HasSubstr("has 72 bytes, not 73"));
  EXPECT_THAT(refusal(begun(5)), testing::HasSubstr("no message of kind 5")) << "the window says that";
  EXPECT_THAT(refusal(begun(1, 1)), testing::HasSubstr("version 1 of the messages, this program version 4"));
}

TEST(LiveMessage, WithoutCoordinatesAnElementIsAtItsIndex) {
  // The cell of element 2 goes from 1.5 to 2.5; the point of a curve is at 2.
  const LiveArray field = arrayOf(R"({"shape": [3, 5]})").array, curve = arrayOf(R"({"shape": [5]})").array;
  EXPECT_EQ((std::vector{field.x.low, field.x.high, field.y.low, field.y.high}), (std::vector{-0.5, 4.5, -0.5, 2.5}));
  EXPECT_EQ((std::vector{curve.x.low, curve.x.high}), (std::vector{0.0, 5.0}));
}

TEST(LiveMessage, WhatSinglePrecisionHasNotIsNoRange) {
  const auto why = [](const char* json) { return tests::refusal([&] { arrayOf(json); }); };
  EXPECT_EQ(why(R"({"shape": [2], "range": [-3e38, 3e38]})"), "");
  EXPECT_THAT(why(R"({"shape": [2], "range": [0, 1e39]})"), testing::HasSubstr("between -3.4e+38 and 3.4e+38"));
  EXPECT_THAT(why(R"({"shape": [2], "x": {"low": 0, "high": Infinity}})"), testing::HasSubstr("not a JSON object"));
}

TEST(LiveMessage, WhatTheProgramSaysHasTheFormThatScriptsRead) {
  std::string freed = begun(3);
  freed << std::uint32_t{1} << std::uint32_t{2} << std::uint32_t{3} << std::uint32_t{4};
  EXPECT_EQ(freeMessage(1, 2, 3, std::chrono::microseconds(4)), freed);
  EXPECT_EQ(freeMessage(1, 2, 3, std::chrono::hours(2)).substr(20), std::string(4, '\xff'));
  Uuid device{};
  device[15] = 0xff;
  EXPECT_EQ(deviceMessage(device, "why"), begun(5) + std::string(15, '\0') + "\xffwhy");
  std::string opened = begun(7);
  opened << std::uint32_t{4};
  EXPECT_EQ(openedMessage(4, ""), opened);
  EXPECT_LT(openedMessage(4, std::string(100'000, 'x')).size(), kMostBytes);
}

TEST(LiveMessage, ADevicesNameIsItsUuid) {
  const Uuid uuid = uuidOf("00112233445566778899aabbccddeeff");
  EXPECT_EQ(uuid[1], 0x11);
  EXPECT_EQ(uuid[15], 0xff);
  for (const char* none : {"", "0011", "00112233445566778899aabbccddeefg", "00112233445566778899aabbccddeef "}) {
    EXPECT_EQ(uuidOf(none), Uuid{}) << none;
  }
}

}  // namespace
}  // namespace simscope::live
