// The transport between threads: messages arrive in order and complete, and a failure ends all ranks.
#include "sims/compute/ranks/transport_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "sims/compute/ranks/ranks.h"
#include "tests/ranks/ranks_probe.h"

namespace simscope::compute {
namespace {

// Every rank's thread with its Ranks; the failures, by rank.
std::vector<std::string> onThreads(int size, const std::function<void(Ranks&)>& work, double patience = 60) {
  std::vector<std::string> names;
  for (int rank = 0; rank < size; ++rank) names.push_back("cpu " + std::to_string(rank));
  const auto memory = std::make_shared<SharedMemory>(names);
  std::vector<std::string> failures(names.size());
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const auto between = [&] {
          if (memory->stopped()) throw RanksStopped("stopped: " + memory->reason());
        };
        Ranks ranks(SharedMemory::end(memory, rank), {.between = between, .patience = patience});
        work(ranks);
      } catch (const std::exception& error) {
        failures[static_cast<std::size_t>(rank)] = error.what();
        memory->stop(error.what());
      }
    });
  }
  for (std::thread& each : threads) each.join();
  return failures;
}

const auto kFine = [](int size) { return std::vector<std::string>(static_cast<std::size_t>(size)); };

class Threads : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, Threads, testing::Values(1, 2, 3, 4, 7));

TEST_P(Threads, MakeEveryOperationAsProcessesDo) {
  std::vector<int> wrong(static_cast<std::size_t>(GetParam()));
  const auto failures = onThreads(GetParam(), [&](Ranks& ranks) {
    wrong[static_cast<std::size_t>(ranks.rank())] =
        ranks_probe::wrongCollectives(ranks) + ranks_probe::wrongBlocks(ranks);
    ranks.finish();
  });
  EXPECT_EQ(failures, kFine(GetParam()));
  EXPECT_EQ(std::accumulate(wrong.begin(), wrong.end(), 0), 0);
}

TEST_P(Threads, SendLongAndShortMessagesInOrder) {
  constexpr int kMessages = 60;
  const auto failures = onThreads(GetParam(), [&](Ranks& ranks) {
    const int size = ranks.size(), next = (ranks.rank() + 1) % size, before = (ranks.rank() + size - 1) % size;
    if (size == 1) return;
    // Several of one pair on their way at once, some of them longer than what is kept for the receiver.
    std::vector<std::vector<int>> out(kMessages), in(kMessages);
    std::vector<Ranks::Message> sent, received;
    for (int i = 0; i < kMessages; ++i) {
      const auto slot = static_cast<std::size_t>(i), length = static_cast<std::size_t>(i % 3 == 0 ? 90'001 : 3 * i);
      out[slot].assign(length, 1000 * ranks.rank() + i), in[slot].assign(length, -1);
      sent.push_back({next, out[slot].data(), length * sizeof(int)});
      received.push_back({before, in[slot].data(), length * sizeof(int)});
    }
    ranks.exchange(sent, received);
    for (int i = 0; i < kMessages; ++i) {
      for (const int each : in[static_cast<std::size_t>(i)]) ASSERT_EQ(each, 1000 * before + i);
    }
  });
  EXPECT_EQ(failures, kFine(GetParam()));
}

TEST(ThreadsThatFail, EndAllOthersInWhateverTheyWaitFor) {
  for (int how = 0; how < 4; ++how) {
    SCOPED_TRACE(how);
    const auto failures = onThreads(3, [&](Ranks& ranks) {
      ranks.barrier();
      if (ranks.rank() == 2) throw Error("no memory");
      std::vector<std::byte> much(100'000);
      std::uint64_t number = 1;
      if (how == 0) ranks.barrier();
      if (how == 1) ranks.sum(std::span(&number, 1));
      if (how == 2) ranks.broadcast(much, 2);
      const Ranks::Message message{2, much.data(), much.size()};
      if (how == 3 && ranks.rank() == 0) ranks.exchange(std::span(&message, 1), {});
      if (how == 3 && ranks.rank() == 1) ranks.exchange({}, std::span(&message, 1));
    });
    EXPECT_EQ(failures, (std::vector<std::string>{"stopped: no memory", "stopped: no memory", "no memory"}));
  }
}

// A failed rank frees the memory of its messages: the others must not read it then.
TEST(ThreadsThatFail, TakeTheirMessagesBack) {
  const auto memory = std::make_shared<SharedMemory>(std::vector<std::string>{"a", "b"});
  const auto a = SharedMemory::end(memory, 0), b = SharedMemory::end(memory, 1);
  std::vector<char> sent(10'000, 'x'), received(10'000);
  a->cancel(a->send(sent.data(), 10'000, 1, 1));
  void* request = b->receive(received.data(), 10'000, 0, 1);
  EXPECT_EQ(b->test(&request), -1);
  EXPECT_STREQ(b->why(), "a message was withdrawn");
  EXPECT_EQ(received[0], 0);
  request = b->broadcast(received.data(), 10'000, 0);
  a->cancel(a->broadcast(sent.data(), 10'000, 0));
  EXPECT_EQ(b->test(&request), -1);
  EXPECT_EQ(request, nullptr);
  EXPECT_FALSE(memory->atRest());
}

TEST(ThreadsThatFail, SayWhenTheyDoNotDoTheSame) {
  const auto memory = std::make_shared<SharedMemory>(std::vector<std::string>{"a", "b"});
  const auto a = SharedMemory::end(memory, 0), b = SharedMemory::end(memory, 1);
  void* const first = a->barrier();
  std::uint64_t value = 1;
  EXPECT_EQ(b->reduce(&value, 1, Reduction::SumUnsigned), nullptr);
  EXPECT_STREQ(b->why(), "the ranks are doing different operations");
  a->cancel(first);
  char small[4] = {}, large[8] = {};
  void* request = b->receive(small, 4, 0, 2);
  void* sending = a->send(large, 8, 1, 2);
  EXPECT_EQ(a->test(&sending), 1) << "a short one need not be waited for";
  EXPECT_EQ(b->test(&request), -1);
  EXPECT_STREQ(b->why(), "a message is longer than its receiver's memory");
  EXPECT_EQ(a->send(large, 8, 0, 2), nullptr);
  EXPECT_EQ(a->send(large, 8, 5, 2), nullptr);
}

TEST(ThreadsThatWait, LosePatienceAndNameWhoIsMissing) {
  const auto failures = onThreads(
      3,
      [](Ranks& ranks) {
        if (ranks.rank() == 1) return;  // never comes
        ranks.barrier();
      },
      0.3);
  EXPECT_NE(failures[0].find("no message from rank 1 on cpu 1"), std::string::npos) << failures[0];
  EXPECT_EQ(failures[1], "");
  EXPECT_NE(failures[2], "");
}

TEST(SharedMemoryAtRest, GoesOnAfterAStop) {
  const auto memory = std::make_shared<SharedMemory>(std::vector<std::string>{"a", "b"});
  const auto a = SharedMemory::end(memory, 0), b = SharedMemory::end(memory, 1);
  EXPECT_TRUE(memory->atRest());
  memory->stop("first");
  memory->stop("second");
  EXPECT_EQ(memory->reason(), "first");
  EXPECT_EQ(a->barrier(), nullptr);
  EXPECT_TRUE(memory->atRest());
  memory->goOn();
  void *one = a->barrier(), *other = b->barrier();
  EXPECT_FALSE(memory->atRest());
  EXPECT_EQ(a->test(&one), 1);
  EXPECT_EQ(b->test(&other), 1);
  EXPECT_TRUE(memory->atRest());
}

}  // namespace
}  // namespace simscope::compute
