// The CPU as a device: a oneTBB arena of N threads over the host's memory. Private to the compute layer.
//
// Thread and errors: as Device. Everything is done when a call returns.
#pragma once

#include <oneapi/tbb/task_arena.h>

#include "sims/compute/device.h"

namespace simscope::compute {

class CpuDevice final : public Device {
 public:
  // threads: 0 takes every usable core. UsageError out of [0, maximumThreads()].
  explicit CpuDevice(int threads);

  static DeviceInfo describe(int threads);
  static int maximumThreads();

  std::size_t memoryFree() const override;
  Exchange exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received, Order order) override;
  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
  void upload(void* device, const void* host, std::size_t bytes) override;
  void download(void* host, const void* device, std::size_t bytes) override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void zero(void* memory, std::size_t bytes) override;
  void synchronize() override {}
  void run(FunctionRef<void()> body) override;
  double timed(FunctionRef<void()> body) override;

  tbb::task_arena& arena() noexcept { return arena_; }

 private:
  tbb::task_arena arena_;
};

}  // namespace simscope::compute
