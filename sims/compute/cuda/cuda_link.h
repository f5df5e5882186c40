// Carries messages between the CUDA devices of ranks: by NCCL, from device to device, where each rank has a device of
// its own and all find the library; otherwise through the host's memory and the ranks' transport.
//
// Owner: the device. Thread: as Device. Errors: as Ranks; Error where NCCL fails, with its message. Include only where
// SIMSCOPE_HAVE_CUDA is 1.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>
#include <string>

#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

class CudaLink {
 public:
  virtual ~CudaLink() = default;

  // All ranks call it, each with its device current. index: of the device.
  static std::unique_ptr<CudaLink> make(Ranks& ranks, int index);

  virtual std::string name() const = 0;
  // As Device::exchange, on that stream. By NCCL it is enqueued; through the host it waits for the stream.
  virtual void exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received,
                        cudaStream_t stream) = 0;
  // Whether messages between memory that others can map (cuda_shared_memory.h) are faster, because they need no
  // intermediate copy; the same on all ranks. Such memory is introduced before it is used, which may fail, and
  // forgotten before it is freed. Both ends of a message are introduced, or neither.
  virtual bool reaches() const noexcept { return false; }
  // Whether exchange() returns before the messages have been sent.
  virtual bool enqueues() const noexcept { return false; }
  virtual bool introduce(void* memory, std::size_t bytes) {
    (void)memory, (void)bytes;
    return false;
  }
  virtual void forget(void* memory) noexcept { (void)memory; }
  // Drops messages under way because another rank does not answer, so that the device can be released. Never throws.
  virtual void abandon() noexcept {}
};

}  // namespace simscope::compute
