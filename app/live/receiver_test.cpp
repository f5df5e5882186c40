#include "app/live/receiver.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

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
  void show(std::uint32_t slot, const std::array<float, 6>& values, std::uint64_t number) {
    ASSERT_EQ(pwrite(memory_, values.data(), sizeof values, 4096 * slot), static_cast<ssize_t>(sizeof values));
    say(2, update(slot, number));
  }
  static std::string update(std::uint32_t slot, std::uint64_t number) {
    std::string payload;
    append(payload, slot);
    append(payload, std::uint32_t{1});
    append(payload, number);
    append(payload, 0.0);
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
  script.say(8, update.substr(0, 24) + std::string("\2\0\0\0", 4) + update.substr(28));
  EXPECT_THAT(script.hear(), testing::HasSubstr("slots that were not offered"));
  EXPECT_EQ(script.hear(), "") << "a message that is wrong closes the connection";
  EXPECT_THAT(shownBy(receiver.shown(), compute::Device::open("cpu", 1)), testing::ElementsAre(1, 2, 3, 4, 5, 6));
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
