// Several devices of one process: their names, opening them, and the failure of one of them.
#include "sims/compute/ranks/crew.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "sims/compute/device_lost.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/compute/ranks/slab.h"
#include "sims/compute/test_devices.h"
#include "sims/core/parameters.h"
#include "tests/devices/devices_testing.h"

namespace simscope::compute {
namespace {

using devices_test::Faults;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(SeveralDevices, AreOneToTheirUser) {
  const DevicePtr device = Device::open("cpu+cpu+cpu", 6);
  const DeviceInfo& info = device->info();
  EXPECT_EQ(info.id, "cpu+cpu+cpu");
  EXPECT_EQ(info.threads, 6);
  EXPECT_EQ(info.link, "host memory");
  EXPECT_EQ(device->ranks(), nullptr);
  ASSERT_EQ(info.members.size(), 3u);
  ASSERT_NE(device->crew(), nullptr);
  for (int rank = 0; rank < 3; ++rank) {
    const DevicePtr& own = device->crew()->device(rank);
    EXPECT_EQ(own->info().threads, 2) << "they share the processor";
    ASSERT_NE(own->ranks(), nullptr);
    EXPECT_EQ(own->ranks()->rank(), rank);
    EXPECT_EQ(own->ranks()->size(), 3);
    EXPECT_EQ(own->crew(), nullptr);
  }
  EXPECT_EQ(Device::open("cpu", 2)->crew(), nullptr);
}

TEST(SeveralDevices, WrongNamesGetTheChoicesAndTheNearest) {
  for (const char* spec : {"cpu+", "+cpu", "cpu+gpu", "cuda+cuda", "cuda:0+", "cuda:0+x", "cuda:+1", "cpu+cuda:0", "+",
                           "cuda:0+-1", "cuda:any", "cuda:0,1"}) {
    EXPECT_THAT([&] { Device::open(spec); }, ThrowsMessage<UsageError>(AllOf(HasSubstr(std::string("'") + spec + "'"),
                                                                             HasSubstr("cuda:0+1, cuda:all, cpu+cpu"))))
        << spec;
  }
  EXPECT_THAT([] { Device::open("cpu+cup"); }, ThrowsMessage<UsageError>(HasSubstr("did you mean 'cpu+cpu'?")));
  EXPECT_THAT([] { Device::open("cuda:0+b"); }, ThrowsMessage<UsageError>(HasSubstr("did you mean 'cuda:0+1'?")));
  EXPECT_THAT([] { Device::open("cuda:al"); }, ThrowsMessage<UsageError>(HasSubstr("did you mean 'cuda:all'?")));
  std::string many = "cpu";
  for (int i = 0; i < 64; ++i) many += "+cpu";
  EXPECT_THAT([&] { Device::open(many); }, ThrowsMessage<UsageError>(HasSubstr("at most 64 devices can share a run")));
}

TEST(SeveralDevices, OfCudaSayWhyThereAreNone) {
  if (Device::whyNoCuda().empty()) GTEST_SKIP() << "there is a GPU";
  for (const char* spec : {"cuda:0+1", "cuda:all"}) {
    EXPECT_THAT([&] { Device::open(spec); }, ThrowsMessage<Error>(HasSubstr("choose --device cpu"))) << spec;
  }
}

TEST(SeveralDevices, AllThatThereAreOfCudaAreNamed) {
  SIMSCOPE_SKIP_WITHOUT("cuda");
  const DevicePtr all = Device::open("cuda:all");
  const std::size_t devices = Device::available().size() - 1;
  EXPECT_EQ(all->info().members.size(), devices > 1 ? devices : 0);
  // A device that is asked for twice is shared, through the host's memory.
  const DevicePtr shared = Device::open("cuda:0+0");
  EXPECT_EQ(shared->info().id, "cuda:0+0");
  EXPECT_EQ(shared->info().link, "host memory");
  EXPECT_EQ(shared->info().memory, Device::available()[1].memory);
}

TEST(CrewRuns, WhatItIsToldOnAllDevicesAtTheSameTime) {
  Crew crew({"cpu", "cpu", "cpu", "cpu"}, 1);
  std::atomic<int> sum{0};
  for (int i = 0; i < 500; ++i) {
    crew.run([&](int rank) {
      std::uint64_t ranks = 1;
      if (i % 2) crew.device(rank)->ranks()->sum(std::span(&ranks, 1));
      sum += i % 2 ? static_cast<int>(ranks) : rank;
    });
  }
  EXPECT_EQ(sum, 250 * (0 + 1 + 2 + 3) + 250 * 16);
}

TEST(CrewRuns, WhatAllRefuseIsNoFailureAndNothingIsLinkedAnew) {
  Crew crew({"cpu", "cpu"}, 1);
  const Ranks* const before = crew.device(1)->ranks();
  const auto failure = crew.tryRun([](int) { throw ParameterError("size", "size: too large"); });
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->alike);
  EXPECT_THROW(std::rethrow_exception(failure->error), ParameterError);
  EXPECT_EQ(crew.device(1)->ranks(), before);
  crew.run([&](int rank) { crew.device(rank)->ranks()->barrier(); });
}

TEST(CrewRuns, TheFailureOfOneEndsAllAndIsSaidOnceWithItsName) {
  Crew crew({"cpu", "cpu", "cpu"}, 1);
  for (int turn = 0; turn < 20; ++turn) {
    const auto failure = crew.tryRun([&](int rank) {
      Ranks& ranks = *crew.device(rank)->ranks();
      for (int i = 0; i < turn; ++i) ranks.barrier();
      if (rank == turn % 3) throw OutOfMemory("no memory for 7 bytes", 7);
      std::vector<std::byte> much(200'000);
      for (int i = 0; i < 3; ++i) ranks.broadcast(much, turn % 3);
    });
    ASSERT_TRUE(failure);
    EXPECT_FALSE(failure->alike);
    try {
      std::rethrow_exception(failure->error);
    } catch (const OutOfMemory& error) {
      EXPECT_STREQ(error.what(), "cpu: no memory for 7 bytes");
      EXPECT_EQ(error.bytes(), 7u);
    }
    // They go on together.
    std::atomic<int> passed{0};
    crew.run([&](int rank) {
      crew.device(rank)->ranks()->barrier();
      ++passed;
    });
    EXPECT_EQ(passed, 3);
  }
}

TEST(CrewRuns, FaultsThatTestsAskForAreOfTheLastDevice) {
  Crew crew({"cpu", "cpu"}, 1);
  const Faults faults("rank:2,rank_memory:2");
  const auto barrier = [&](int rank) { crew.device(rank)->ranks()->barrier(); };
  crew.run(barrier);
  EXPECT_THAT([&] { crew.run(barrier); }, ThrowsMessage<DeviceLost>(HasSubstr("for a test")));
  EXPECT_THROW(crew.run(barrier), OutOfMemory);
  crew.run(barrier);
}

}  // namespace
}  // namespace simscope::compute
