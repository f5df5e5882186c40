// The part of a connection on a CUDA device: sends the window's device to the script, opens the slots that the script
// offers there, and decides which of its updates can be read.
//
// Owner: of the opened slots, until others come or the window computes elsewhere; loans keep them alive. Thread: any.
// Errors: UsageError for an invalid update. If slots cannot be opened, the script is informed and uses host memory.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/live/message.h"
#include "sims/compute/device.h"
#include "sims/live/mailbox.h"

namespace simscope::live {

class DeviceSide {
 public:
  using Send = std::function<void(const std::string&)>;
  using Open =
      std::function<std::shared_ptr<const compute::ForeignSlots>(int cuda_device, const compute::ForeignSlots::Offer&)>;
  using Identity = std::function<std::string(int cuda_device)>;

  explicit DeviceSide(Send send, Open open = compute::ForeignSlots::open,
                      Identity identity = compute::Device::identityOfCuda)
      : send_(std::move(send)), open_(std::move(open)), identity_(std::move(identity)) {}

  // A run of the window computes there.
  void usedOn(const compute::DeviceInfo& device);
  void open(const SlotsMessage& message);
  // None: it was for a device that the window no longer uses.
  std::optional<DeviceLoan> loan(const DeviceUpdateMessage& update, const LiveArray& array) const;

 private:
  const Send send_;
  const Open open_;
  const Identity identity_;
  mutable std::mutex mutex_;
  std::string id_;  // of the device: "cpu", "cuda:0"; empty: not known yet
  int index_ = 0;
  Uuid uuid_{};  // zeros: no CUDA device
  std::uint32_t offers_ = 0;
  std::shared_ptr<const compute::ForeignSlots> slots_;
};

}  // namespace simscope::live
