// One CUDA device with one stream. Private to the compute layer; exists where SIMSCOPE_HAVE_CUDA is 1.
//
// Thread and errors: as Device. Every call makes the device current on the calling thread.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "sims/compute/cuda/cuda_handles.h"
#include "sims/compute/cuda/cuda_link.h"
#include "sims/compute/cuda/cuda_shared_memory.h"
#include "sims/compute/device.h"
#include "sims/compute/loops/detail/reduce_scratch.h"

namespace simscope::compute {

class CudaDevice final : public Device {
 public:
  // Opens the device and runs a small kernel on it, so that a build that does not fit the card or its driver fails here
  // and not in the middle of a run.
  explicit CudaDevice(int index);
  ~CudaDevice() override;

  static DeviceInfo describe(int index);
  static std::string identity(int index);  // as Device::identityOfCuda
  // The number of CUDA devices of this machine; 0 where none answers. Then the reason why none answers, or an empty
  // text.
  static int count();
  static std::string whyNone();

  void* stream() const noexcept override;
  void join(std::shared_ptr<Ranks> ranks) override;
  std::string link() const override;
  void meet() override;
  void mark() override;
  void awaitExchange(Exchange exchange) override;
  Exchange copyAside(void* to, const void* from, std::size_t bytes) override;
  std::size_t memoryFree() const override;
  Exchange exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received, Order order) override;
  void* allocate(std::size_t bytes) override;
  void* allocateForMessages(std::size_t bytes) override;
  std::vector<void*> reached(const void* memory) const override;
  void release(void* memory) noexcept override;
  void upload(void* device, const void* host, std::size_t bytes) override;
  void download(void* host, const void* device, std::size_t bytes) override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void zero(void* memory, std::size_t bytes) override;
  void synchronize() override;
  void run(FunctionRef<void()> body) override;
  double timed(FunctionRef<void()> body) override;
  double timedWork(FunctionRef<void()> body) override;

  detail::ReduceScratch reduceScratch();
  void countToHost(std::size_t bytes) noexcept { counters_.bytes_to_host += bytes; }

 private:
  static constexpr std::size_t kSlots = 4;
  // A page-locked place for a small upload, and the fence after which it has been read.
  struct Slot {
    unsigned char* memory = nullptr;
    UniqueEvent read;
  };

  void makeCurrent() const;
  Exchange beside(FunctionRef<void()> enqueue);  // on the stream aside, after the marked work
  // Waits until the stream is done: a single process sleeps in the driver at once, a rank also listens to the others.
  void awaitStream();

  UniqueStream stream_;
  std::unique_ptr<CudaLink> link_;
  struct Shared {
    CudaSharedMemory own;
    std::vector<CudaSharedMemory> others;  // of the other ranks, by rank; none where they cannot be reached
  };
  std::map<const void*, Shared> shared_;  // of allocateForMessages, by its address
  // For exchanges aside, made with the link: their stream, the event when they may begin, their number, and the events
  // when the last of them have ended.
  static constexpr std::size_t kExchanges = 32;
  UniqueStream aside_;
  UniqueDeviceMemory met_;  // a byte from and to each rank, made with the link
  UniqueEvent marked_;
  Exchange exchanges_ = 0;
  std::array<UniqueEvent, kExchanges> exchanged_;
  UniqueEvent start_;
  UniqueEvent stop_;
  UniquePinned pinned_;  // the upload slots, then one place for downloads and results of reductions, then the gate
  std::array<Slot, kSlots> slots_;
  std::size_t next_slot_ = 0;
  unsigned char* landing_ = nullptr;
  volatile int* gate_ = nullptr;  // page-locked; 0 while timedWork's body enqueues
  UniqueDeviceMemory partials_;
};

}  // namespace simscope::compute
