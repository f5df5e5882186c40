#include "sims/compute/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "sims/compute/cpu_device.h"
#include "sims/compute/host_info.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

TEST(DeviceOpen, CpuSaysWhatItIs) {
  const DevicePtr device = Device::open("cpu", 2);
  EXPECT_EQ(device->info().id, "cpu");
  EXPECT_EQ(device->info().backend, Backend::Cpu);
  EXPECT_FALSE(device->isCuda());
  EXPECT_EQ(device->info().threads, 2);
  EXPECT_THAT(device->info().name, Not(IsEmpty()));
  EXPECT_GT(device->info().memory, std::size_t{1} << 20);
  EXPECT_EQ(device->stream(), nullptr);
}

TEST(DeviceOpen, ZeroThreadsTakesAllCores) {
  EXPECT_EQ(Device::open("cpu", 0)->info().threads, usableCores());
  EXPECT_GE(usableCores(), 1);
}

TEST(DeviceOpen, AutoTakesCudaWhereItAnswersAndTheCpuElsewhere) {
  const DevicePtr device = Device::open();
  EXPECT_EQ(device->isCuda(), Device::whyNoCuda().empty());
}

TEST(DeviceOpen, UnknownNameIsAUsageErrorThatNamesTheChoices) {
  for (const char* spec :
       {"", "gpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda0", "cuda:99999999999", "tpu"}) {
    EXPECT_THAT([&] { Device::open(spec); }, ThrowsMessage<UsageError>(AllOf(HasSubstr(std::string("'") + spec + "'"),
                                                                             HasSubstr("auto, cpu, cuda or"))))
        << spec;
  }
}

TEST(DeviceOpen, TypoGetsTheClosestChoice) {
  EXPECT_THAT([] { Device::open("gpu"); }, ThrowsMessage<UsageError>(HasSubstr("did you mean 'cuda'?")));
  EXPECT_THAT([] { Device::open("CPU"); }, ThrowsMessage<UsageError>(HasSubstr("did you mean 'cpu'?")));
  EXPECT_THAT([] { Device::open("automatic"); }, ThrowsMessage<UsageError>(HasSubstr("did you mean 'auto'?")));
}

TEST(DeviceOpen, ThreadsOutOfRangeIsAUsageErrorThatNamesTheRange) {
  const std::string most = std::to_string(CpuDevice::maximumThreads());
  for (const char* spec : {"cpu", "auto", "cuda"}) {
    EXPECT_THAT([&] { Device::open(spec, 100000); },
                ThrowsMessage<UsageError>(AllOf(HasSubstr("threads = 100000"), HasSubstr("1 to " + most))));
    EXPECT_THAT([&] { Device::open(spec, -1); }, ThrowsMessage<UsageError>(HasSubstr("threads = -1")));
  }
}

TEST(DeviceOpen, CudaByNameSaysWhyThereIsNone) {
  const std::string why = Device::whyNoCuda();
  if (why.empty()) GTEST_SKIP() << "a CUDA device answers";
  EXPECT_THAT([] { Device::open("cuda"); }, ThrowsMessage<Error>(AllOf(HasSubstr(why), HasSubstr("--device cpu"))));
  EXPECT_THAT([] { Device::open("cuda:3"); }, ThrowsMessage<Error>(HasSubstr("'cuda:3'")));
}

TEST(DeviceOpen, CudaIndexBeyondTheLastIsAUsageError) {
  SIMSCOPE_SKIP_WITHOUT("cuda");
  EXPECT_THAT([] { Device::open("cuda:1000"); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("'cuda:1000'"), HasSubstr("the nearest is cuda:"))));
}

TEST(DeviceAvailable, ListsTheCpuFirstAndCudaWhereItAnswers) {
  const std::vector<DeviceInfo> all = Device::available();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].id, "cpu");
  EXPECT_EQ(all.size() > 1, Device::whyNoCuda().empty());
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_EQ(all[i].backend, Backend::Cuda);
    EXPECT_EQ(all[i].id, "cuda:" + std::to_string(all[i].index));
    EXPECT_THAT(all[i].detail, HasSubstr("compute capability"));
  }
}

TEST(HostInfo, AvailableMemoryIsPartOfTheTotal) {
  const HostMemory memory = hostMemory();
  EXPECT_GT(memory.available, 0u);
  EXPECT_LE(memory.available, memory.total);
}

TEST(CpuDeviceThreads, ArenaHasAsManyAsAskedForEvenBeyondTheCores) {
  for (const int threads : {1, 3, CpuDevice::maximumThreads()}) {
    int inside = 0;
    Device::open("cpu", threads)->run([&] { inside = tbb::this_task_arena::max_concurrency(); });
    EXPECT_EQ(inside, threads);
  }
}

class EveryDevice : public OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(EveryDevice);

TEST_P(EveryDevice, AllocatesAlignedMemoryAndNullForNothing) {
  EXPECT_EQ(device_->allocate(0), nullptr);
  device_->release(nullptr);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{5} << 20}) {
    void* const memory = device_->allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u) << bytes;
    device_->release(memory);
  }
}

TEST_P(EveryDevice, CopiesMoveBytesUnchangedAtEverySize) {
  // Sizes on both sides of the limits at which the copies change their way.
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{65536}, std::size_t{65537}, (std::size_t{9} << 20) + 5}) {
    std::vector<unsigned char> host(bytes);
    for (std::size_t i = 0; i < bytes; ++i) host[i] = static_cast<unsigned char>(i * 31 + i / 251);
    void* const a = device_->allocate(bytes);
    void* const b = device_->allocate(bytes);
    device_->upload(a, host.data(), bytes);
    device_->copy(b, a, bytes);
    device_->zero(a, bytes);
    std::vector<unsigned char> from_a(bytes, 1);
    std::vector<unsigned char> from_b(bytes, 1);
    device_->download(from_a.data(), a, bytes);
    device_->download(from_b.data(), b, bytes);
    device_->release(a);
    device_->release(b);
    EXPECT_EQ(from_b, host) << bytes;
    EXPECT_EQ(from_a, std::vector<unsigned char>(bytes, 0)) << bytes;
  }
}

TEST_P(EveryDevice, HostMemoryMayBeReusedRightAfterAnUpload) {
  // More small uploads than the device has places for, from one variable that changes in between.
  constexpr int kCount = 100;
  auto* const memory = static_cast<int*>(device_->allocate(kCount * sizeof(int)));
  int value = 0;
  for (int i = 0; i < kCount; ++i) {
    value = 7 * i;
    device_->upload(memory + i, &value, sizeof value);
    value = -1;
  }
  std::vector<int> host(kCount);
  device_->download(host.data(), memory, kCount * sizeof(int));
  device_->release(memory);
  for (int i = 0; i < kCount; ++i) EXPECT_EQ(host[static_cast<std::size_t>(i)], 7 * i);
}

TEST_P(EveryDevice, OutOfMemoryNamesTheNumbersAndLeavesTheRestUsable) {
  const int value = 42;
  void* const before = device_->allocate(sizeof value);
  device_->upload(before, &value, sizeof value);
  const std::size_t too_much = std::size_t{1} << 50;
  try {
    device_->allocate(too_much);
    FAIL() << "a petabyte was allocated";
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.bytes(), too_much);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(std::to_string(too_much)), HasSubstr("choose a smaller problem")));
  }
  // All that is installed is never free: refused, and not handed out to be regretted later.
  EXPECT_THROW(device_->allocate(device_->info().memory), OutOfMemory);
  int after = 0;
  device_->download(&after, before, sizeof after);
  device_->release(before);
  EXPECT_EQ(after, value);
  device_->synchronize();
}

TEST_P(EveryDevice, CountsTheBytesThatCrossTheBus) {
  void* const memory = device_->allocate(1000);
  const Counters start = device_->counters();
  std::vector<char> host(1000);
  device_->upload(memory, host.data(), 1000);
  device_->download(host.data(), memory, 600);
  device_->zero(memory, 1000);
  device_->copy(memory, static_cast<char*>(memory) + 500, 500);
  EXPECT_EQ(device_->counters().bytes_to_device - start.bytes_to_device, device_->isCuda() ? 1000u : 0u);
  EXPECT_EQ(device_->counters().bytes_to_host - start.bytes_to_host, device_->isCuda() ? 600u : 0u);
  device_->release(memory);
}

TEST_P(EveryDevice, TimedSectionsNestAndAddUp) {
  void* const memory = device_->allocate(1 << 20);
  double inner = -1.0;
  const double outer = device_->timed([&] {
    device_->zero(memory, 1 << 20);
    inner = device_->timed([&] { device_->zero(memory, 1 << 20); });
  });
  EXPECT_GE(inner, 0.0);
  EXPECT_GE(outer, inner);
  EXPECT_DOUBLE_EQ(device_->counters().milliseconds, outer + inner);
  device_->release(memory);
}

TEST_P(EveryDevice, TimedWorkLeavesOutWhatTheHostTakesToEnqueueIt) {
  void* const memory = device_->allocate(1 << 10);
  const auto work = [&] {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(50)) {
    }
    device_->zero(memory, 1 << 10);
  };
  double with_host = 0, device_alone = 1e9;
  for (int i = 0; i < 20; ++i) with_host = std::max(with_host, device_->timed(work));
  EXPECT_GE(with_host, 0.045);
  // Others may use the card: one quiet moment is enough.
  for (int i = 0; i < 2000 && device_alone > 0.03; ++i) device_alone = std::min(device_alone, device_->timedWork(work));
  if (device_->isCuda()) {
    EXPECT_LT(device_alone, 0.03);
  } else {
    EXPECT_GE(device_alone, 0.045);
  }
  device_->release(memory);
}

TEST_P(EveryDevice, TimedWorkThatWaitsOrFailsComesToItsEnd) {
  int value = 7;
  void* const memory = device_->allocate(sizeof value);
  device_->zero(memory, sizeof value);
  double inner = -1;
  const double outer = device_->timedWork([&] {
    device_->download(&value, memory, sizeof value);
    inner = device_->timedWork([&] { device_->zero(memory, sizeof value); });
  });
  EXPECT_EQ(value, 0);
  EXPECT_GE(inner, 0);
  EXPECT_GE(outer, 0);
  EXPECT_THROW(device_->timedWork([] { throw Error("from the body"); }), Error);
  EXPECT_GE(device_->timedWork([] {}), 0);
  device_->release(memory);
}

TEST_P(EveryDevice, RunCallsTheBodyOnceAndPassesItsErrorOn) {
  int calls = 0;
  device_->run([&] { device_->run([&] { ++calls; }); });
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(device_->run([] { throw Error("from the body"); }), Error);
  EXPECT_THROW(device_->timed([] { throw Error("from the body"); }), Error);
  EXPECT_GE(device_->timed([] {}), 0.0);
}

TEST_P(EveryDevice, FencePassesAfterTheWorkBeforeIt) {
  void* const memory = device_->allocate(1 << 20);
  device_->zero(memory, 1 << 20);
  Fence fence(*device_);
  EXPECT_EQ(fence.event() != nullptr, device_->isCuda());
  std::thread other([&] { fence.wait(); });  // as the window's thread does
  other.join();
  EXPECT_TRUE(fence.passed());
  Fence moved = std::move(fence);
  moved.record(*device_);
  moved.enqueueWait(device_->stream());
  moved.wait();
  EXPECT_TRUE(moved.passed());
  device_->release(memory);
}

TEST(FenceTest, OneThatWasNeverRecordedHasPassed) {
  const Fence fence;
  fence.wait();
  EXPECT_TRUE(fence.passed());
  EXPECT_EQ(fence.event(), nullptr);
}

TEST(FenceTest, GoesFromOneDeviceToAnother) {
  const DevicePtr cpu = Device::open("cpu", 1);
  const DevicePtr any = Device::open();
  Fence fence(*any);
  fence.record(*cpu);
  EXPECT_EQ(fence.event(), nullptr);
  fence.record(*any);
  EXPECT_EQ(fence.event() != nullptr, any->isCuda());
  fence.wait();
}

}  // namespace
}  // namespace simscope::compute
