#include "app/live/receiver.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "sims/core/simulation.h"

namespace simscope::live {
namespace {

template <class T>
void append(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// A script whose messages the test writes.
class Script {
 public:
  Script() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) throw Error("no pair of sockets");
    ours_ = ends[0];
    theirs = ends[1];
    const timeval limit{30, 0};
    setsockopt(ours_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    memory_ = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (ftruncate(memory_, 2 * 4096) != 0) throw Error("no memory file");
    fcntl(memory_, F_ADD_SEALS, F_SEAL_SHRINK);
  }
  ~Script() {
    if (ours_ >= 0) close(ours_);
    close(memory_);
  }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  void say(std::uint16_t kind, const std::string& payload, bool with_memory = false) {
    std::string bytes = "SIMS";
    append(bytes, kVersion);
    append(bytes, kind);
    bytes += payload;
    iovec data{bytes.data(), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    if (with_memory) {
      header.msg_control = control.data();
      header.msg_controllen = control.size();
      cmsghdr* const file = CMSG_FIRSTHDR(&header);
      file->cmsg_level = SOL_SOCKET;
      file->cmsg_type = SCM_RIGHTS;
      file->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(file), &memory_, sizeof memory_);
    }
    ASSERT_GE(sendmsg(ours_, &header, MSG_NOSIGNAL), 0);
  }
  void announce() { say(1, R"({"shape": [2, 3], "slots": 2})", true); }
  void show(std::uint32_t slot, const std::array<float, 6>& values, std::uint64_t number, std::uint32_t form = 1) {
    ASSERT_EQ(pwrite(memory_, values.data(), sizeof values, 4096 * slot), static_cast<ssize_t>(sizeof values));
    say(2, update(slot, number, form));
  }
  static std::string update(std::uint32_t slot, std::uint64_t number, std::uint32_t form = 1) {
    std::string payload;
    append(payload, slot);
    append(payload, form);
    append(payload, number);
    append(payload, 0.0);
    append(payload, 0.0);
    append(payload, std::uint64_t{0});
    return payload;
  }
  std::string hear() {
    std::string bytes(kMostBytes, '\0');
    const ssize_t got = recv(ours_, bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
  void end() { close(std::exchange(ours_, -1)); }

  int theirs = -1;  // the receiver closes it

 private:
  int ours_ = -1, memory_ = -1;
};

std::vector<float> shownBy(const Receiver::Shown& shown, const compute::DevicePtr& device) {
  const auto run = shown.description->create(device, shown.description->defaults());
  Frame frame;
  frame.device = device;
  run->present(frame);
  return frame.find("u")->data.toHost();
}

TEST(TheReceiver, GivesSlotsBackAndTellsWhereTheWindowComputes) {
  Script script;
  script.announce();
  script.show(1, {1, 2, 3, 4, 5, 6}, 1);
  Receiver receiver(script.theirs);
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  EXPECT_THAT(shownBy(receiver.shown(), device), testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(script.hear(), testing::HasSubstr("the window computes on the CPU"));
  EXPECT_EQ(script.hear(), freeMessage(1, 1));
}

TEST(TheReceiver, TakesNoSlotsOnADeviceThatItDoesNotComputeOn) {
  Script script;
  script.announce();
  script.show(0, {1, 2, 3, 4, 5, 6}, 1);
  Receiver receiver(script.theirs);
  std::string slots(16, 'u');
  append(slots, std::uint64_t{4096});
  append(slots, std::uint32_t{1});
  script.say(6, slots + std::string(128, 'h'));
  EXPECT_EQ(script.hear(), openedMessage(1, "the window computes on another device"));
  // Updates for them are still returned, and the connection stays.
  std::string update = Script::update(0, 2);
  append(update, std::uint32_t{1});
  append(update, static_cast<std::uint32_t>(ElementType::Float32));
  for (const std::int64_t number : {0, 3, 1}) append(update, number);
  script.say(8, update);
  EXPECT_EQ(script.hear(), freeMessage(0, 1, 1));
  script.say(8, update.substr(0, 40) + std::string("\2\0\0\0", 4) + update.substr(44));
  EXPECT_THAT(script.hear(), testing::HasSubstr("slots that were not offered"));
  EXPECT_EQ(script.hear(), "") << "a message that is wrong closes the connection";
  EXPECT_THAT(shownBy(receiver.shown(), compute::Device::open("cpu", 1)), testing::ElementsAre(1, 2, 3, 4, 5, 6));
}

// What the run of a description shows: its channel "u" as (width, height, x_min, high).
std::vector<double> frameOf(const Receiver::Shown& shown, const compute::DevicePtr& device) {
  const auto run = shown.description->create(device, shown.description->defaults());
  Frame frame;
  frame.device = device;
  run->present(frame);
  const Channel& u = *frame.find("u");
  return {static_cast<double>(u.width), static_cast<double>(u.height), u.x_min, u.high};
}

TEST(TheReceiver, TakesAnyNumberOfShapesAxesAndRangesWithOneDescription) {
  Script script;
  script.announce();
  script.show(0, {1, 2, 3, 4, 5, 6}, 1);
  Receiver receiver(script.theirs);
  const Description* const first = receiver.shown().description;
  const auto told = [](std::uint32_t form) {  // the shapes 6, 1 × 6, 2 × 3, 3 × 2 in turn need as much memory
    const std::array<const char*, 3> shapes{"[1, 6]", "[2, 3]", "[3, 2]"};
    return R"({"slots": 2, "shape": )" + std::string(shapes.at(form % 3)) + R"(, "range": [0, )" +
           std::to_string(form) + R"(], "x": {"low": -)" + std::to_string(form) + R"(, "high": 1}})";
  };
  constexpr std::uint32_t kForms = 3000;
  for (std::uint32_t form = 2; form <= kForms; ++form) script.say(1, told(form), true);
  script.show(1, {6, 5, 4, 3, 2, 1}, 2, kForms);
  const std::string freed = freeMessage(1, kForms);
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  std::vector<double> seen;
  for (int tries = 0; tries < 2000 && (seen.empty() || seen[3] != kForms); ++tries) {
    seen = frameOf(receiver.shown(), device);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(seen, (std::vector<double>{6, 1, -1.0 * kForms, kForms}));
  EXPECT_EQ(receiver.shown().description, first);
  EXPECT_EQ(receiver.shown().mailbox->finished(), "");
}

TEST(TheReceiver, ReturnsToADescriptionThatItKnows) {
  Script script;
  script.announce();
  script.show(0, {1, 2, 3, 4, 5, 6}, 1);
  Receiver receiver(script.theirs);
  const Description* const first = receiver.shown().description;
  constexpr std::uint32_t kForms = 2501;  // odd: the last is the first
  for (std::uint32_t form = 2; form <= kForms; ++form) {
    script.say(1, form % 2 == 0 ? R"({"shape": [2, 3], "slots": 2, "unit": "K"})" : R"({"shape": [2, 3], "slots": 2})",
               form % 3 == 0);  // the memory may come again, or go on
  }
  script.show(1, {6, 5, 4, 3, 2, 1}, 2, kForms);
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  std::vector<float> seen;
  for (int tries = 0; tries < 2000 && (seen.empty() || seen[0] != 6); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    seen = shownBy(receiver.shown(), device);
  }
  EXPECT_THAT(seen, testing::ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_EQ(receiver.shown().description, first);
  EXPECT_EQ(receiver.shown().mailbox->finished(), "");
}

TEST(TheReceiver, TellsTheScriptThatThereAreTooManyTitles) {
  Script script;
  script.announce();
  script.show(0, {1, 2, 3, 4, 5, 6}, 1);
  Receiver receiver(script.theirs);
  for (int n = 1; n <= 1000; ++n) {
    script.say(1, R"({"shape": [2, 3], "slots": 2, "title": ")" + std::to_string(n) + R"("})");
  }
  std::string heard;
  for (std::string each = script.hear(); !each.empty(); each = script.hear()) heard = each;
  EXPECT_THAT(heard, testing::HasSubstr("1000 different titles"));
}

TEST(TheReceiver, TakesNoOtherShapeInTheMemoryOfAFormerOne) {
  for (const char* form : {R"({"shape": [3, 2], "slots": 2})", R"({"shape": [2, 3], "slots": 1})",
                           R"({"shape": [2, 3], "slots": 2, "complex": true})"}) {
    Script script;
    script.announce();
    script.show(0, {1, 2, 3, 4, 5, 6}, 1);
    Receiver receiver(script.theirs);
    script.say(1, form);
    std::string heard;
    for (std::string each = script.hear(); !each.empty(); each = script.hear()) heard = each;
    EXPECT_THAT(heard, testing::HasSubstr("must come with the memory file")) << form;
  }
}

TEST(TheReceiver, KeepsTheLastArrayOfAScriptThatIsGone) {
  Script script;
  script.announce();
  script.show(0, {6, 5, 4, 3, 2, 1}, 1);
  Receiver receiver(script.theirs);
  script.end();
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  EXPECT_THAT(shownBy(receiver.shown(), device), testing::ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_THAT(shownBy(receiver.shown(), device), testing::ElementsAre(6, 5, 4, 3, 2, 1)) << "begun anew";
}

}  // namespace
}  // namespace simscope::live
