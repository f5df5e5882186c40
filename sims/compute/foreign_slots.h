// Memory of a CUDA device that another process has allocated and lends in slots of equal size (CUDA IPC): a slot's
// content is read in place, and never passes through the host.
//
// Owner: its holder; the other process's memory stays mapped for the object's lifetime, also after that process has
// ended.
// Thread: any. Errors of open(): Error saying why (another device, another container, a driver that does not share);
// later errors are states, because they belong to the other process.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace simscope::compute {

class ForeignSlots {
 public:
  using Handle = std::array<unsigned char, 64>;  // in the driver's format
  struct Offer {
    Handle memory{};                   // of an allocation of consecutive slots (cuIpcGetMemHandle)
    std::vector<Handle> written = {};  // an event for each slot: passed when it is written (cuIpcGetEventHandle)
    std::size_t slot_bytes = 0;
  };
  // Pending: the other process's device has not finished yet. Lost: this can no longer be determined.
  enum class State { Pending, Written, Lost };

  // On the CUDA device of this index. The offer's numbers are checked against the allocation as far as the driver
  // reports it.
  static std::shared_ptr<const ForeignSlots> open(int cuda_device, const Offer& offer);

  virtual ~ForeignSlots() = default;
  ForeignSlots(const ForeignSlots&) = delete;
  ForeignSlots& operator=(const ForeignSlots&) = delete;

  virtual const void* slot(std::size_t which) const noexcept = 0;  // a device pointer
  virtual State state(std::size_t which) const noexcept = 0;       // never waits
  std::size_t count() const noexcept { return count_; }
  std::size_t slotBytes() const noexcept { return slot_bytes_; }

 protected:
  ForeignSlots(std::size_t count, std::size_t slot_bytes) : count_(count), slot_bytes_(slot_bytes) {}

 private:
  std::size_t count_, slot_bytes_;
};

}  // namespace simscope::compute
