#include "sims/compute/cpu_device.h"

#include "sims/compute/held_memory.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "sims/compute/host_info.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

namespace {

constexpr std::size_t kAlignment = 64;
// Below this an allocation cannot hurt the machine, and asking the kernel would cost more than the allocation.
constexpr std::size_t kCheckedBytes = std::size_t{1} << 20;
constexpr std::size_t kCopyBlock = std::size_t{1} << 20;

double gibibytes(std::size_t bytes) {
  return static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0);
}

[[noreturn]] void throwOutOfMemory(std::size_t bytes, const HostMemory& memory) {
  throw OutOfMemory(fmt::format("cannot allocate {} bytes ({:.3g} GiB) of host memory: {:.3g} GiB of {:.3g} GiB are "
                                "available; choose a smaller problem or close other programs",
                                bytes, gibibytes(bytes), gibibytes(memory.available), gibibytes(memory.total)),
                    bytes);
}

int checkedThreads(int threads) {
  if (threads < 0 || threads > CpuDevice::maximumThreads()) {
    throw UsageError(
        fmt::format("threads = {} is out of range: choose 1 to {}, or 0 for all {} cores; the nearest is {}", threads,
                    CpuDevice::maximumThreads(), usableCores(), threads < 0 ? 0 : CpuDevice::maximumThreads()));
  }
  return threads == 0 ? std::min(usableCores(), CpuDevice::maximumThreads()) : threads;
}

// oneTBB keeps to the number of cores unless told otherwise; a user who asks for more threads shall have them.
void permitThreads(int threads) {
  if (threads <= usableCores()) return;
  static const tbb::global_control permission(tbb::global_control::max_allowed_parallelism,
                                              static_cast<std::size_t>(CpuDevice::maximumThreads()));
}

}  // namespace

int CpuDevice::maximumThreads() {
  return std::max(256, usableCores());
}

DeviceInfo CpuDevice::describe(int threads) {
  DeviceInfo info;
  info.backend = Backend::Cpu;
  info.id = "cpu";
  info.name = processorName();
  info.memory = hostMemory().total;
  info.threads = checkedThreads(threads);
  return info;
}

CpuDevice::CpuDevice(int threads) : arena_(checkedThreads(threads)) {
  info_ = describe(threads);
  permitThreads(info_.threads);
  arena_.initialize();
}

Device::Exchange CpuDevice::exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received, Order) {
  ranks()->exchange(sent, received);
  return 0;
}

std::size_t CpuDevice::memoryFree() const {
  // Ranks of one machine share what it has.
  return hostMemory().available / static_cast<std::size_t>(ranks() ? ranks()->localSize() : 1);
}

void* CpuDevice::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes >= kCheckedBytes) {
    const HostMemory memory = hostMemory();
    // The rest of the machine needs some room too: what is left never falls under a sixteenth, or 256 MiB.
    const std::size_t reserve = std::min(memory.total / 16, std::size_t{256} << 20);
    if (bytes > memory.available - std::min(memory.available, reserve)) throwOutOfMemory(bytes, memory);
  }
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (!memory) throwOutOfMemory(bytes, hostMemory());
  if (bytes >= kCheckedBytes) {
    // Linux hands out pages at their first use. Using them now keeps "available" true for the next allocation, and
    // places them near the threads that will work on them.
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    auto* first = static_cast<volatile unsigned char*>(memory);
    const auto touch = [first, bytes, page](std::size_t begin, std::size_t end) {
      for (std::size_t at = begin; at < end; ++at) first[std::min(at * page, bytes - 1)] = 0;
    };
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, (bytes + page - 1) / page, 256),
                        [&](const auto& range) { touch(range.begin(), range.end()); });
    });
  }
  detail::noteHeld(*this, memory, bytes);
  return memory;
}

void CpuDevice::release(void* memory) noexcept {
  detail::noteReturned(*this, memory);
  std::free(memory);
}

void CpuDevice::upload(void* device, const void* host, std::size_t bytes) {
  copy(device, host, bytes);
}

void CpuDevice::download(void* host, const void* device, std::size_t bytes) {
  copy(host, device, bytes);
}

void CpuDevice::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0 || to == from) return;
  auto* target = static_cast<unsigned char*>(to);
  auto* source = static_cast<const unsigned char*>(from);
  const bool overlap = target < source + bytes && source < target + bytes;
  if (bytes <= 4 * kCopyBlock || overlap) {
    std::memmove(to, from, bytes);
    return;
  }
  arena_.execute([&] {
    tbb::parallel_for(std::size_t{0}, (bytes + kCopyBlock - 1) / kCopyBlock, [&](std::size_t block) {
      const std::size_t begin = block * kCopyBlock;
      std::memcpy(target + begin, source + begin, std::min(kCopyBlock, bytes - begin));
    });
  });
}

void CpuDevice::zero(void* memory, std::size_t bytes) {
  if (bytes != 0) std::memset(memory, 0, bytes);
}

void CpuDevice::run(FunctionRef<void()> body) {
  arena_.execute([&] { body(); });
}

double CpuDevice::timed(FunctionRef<void()> body) {
  const auto start = std::chrono::steady_clock::now();
  run(body);
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  counters_.milliseconds += passed.count();
  return passed.count();
}

void detail::runBlocks(Device& device, std::size_t blocks, BlockBody body, const void* context) {
  static_cast<CpuDevice&>(device).arena().execute(
      [&] { tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) { body(context, block); }); });
}

}  // namespace simscope::compute
