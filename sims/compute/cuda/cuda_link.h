// What carries messages between the CUDA devices of ranks: NCCL where each rank has a device of its own and all find
// the library, which goes from device to device; the host's memory and the ranks' transport otherwise.
//
// Owner: the device. Thread: as Device. Errors: as Ranks; Error where NCCL fails, with its words. Include where
// SIMSCOPE_HAVE_CUDA is 1 only.
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
  // Whether messages between memory that others can map (cuda_shared_memory.h) are quicker, for they go without a copy
  // on the way; the same on all ranks. Such memory is introduced before it is used, which may fail, and forgotten
  // before it is freed. Both ends of a message are introduced, or neither.
  virtual bool reaches() const noexcept { return false; }
  // Whether exchange() returns before the messages have gone.
  virtual bool enqueues() const noexcept { return false; }
  virtual bool introduce(void* memory, std::size_t bytes) {
    (void)memory, (void)bytes;
    return false;
  }
  virtual void forget(void* memory) noexcept { (void)memory; }
  // Another rank does not answer: what is on its way is given up, so that the device can be left. Never throws.
  virtual void abandon() noexcept {}
};

}  // namespace simscope::compute
