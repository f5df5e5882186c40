#include "app/live/device_side.h"

#include <fmt/format.h>

#include <utility>

namespace simscope::live {

namespace {

std::string whyNone(const compute::DeviceInfo& device) {
  if (device.backend == compute::Backend::Cuda) return "the window's device has no name that the script knows";
  const std::string why = compute::Device::whyNoCuda();
  return why.empty() ? "the window computes on the CPU" : "the window computes on the CPU: " + why;
}

}  // namespace

void DeviceSide::usedOn(const compute::DeviceInfo& device) {
  const std::lock_guard lock(mutex_);
  if (device.id == id_) return;
  id_ = device.id;
  index_ = device.index;
  slots_.reset();
  uuid_ = device.backend == compute::Backend::Cuda ? uuidOf(identity_(device.index)) : Uuid{};
  send_(deviceMessage(uuid_, uuid_ == Uuid{} ? whyNone(device) : ""));
}

void DeviceSide::open(const SlotsMessage& message) {
  const std::lock_guard lock(mutex_);
  slots_.reset();
  ++offers_;
  std::string why_not;
  if (uuid_ == Uuid{} || message.device != uuid_) {
    why_not = "the window computes on another device";
  } else {
    try {
      slots_ = open_(index_, message.offer);
    } catch (const Error& error) {
      why_not = error.what();
    }
  }
  send_(openedMessage(offers_, why_not));
}

std::optional<DeviceLoan> DeviceSide::loan(const DeviceUpdateMessage& update, const LiveArray& array) const {
  const std::lock_guard lock(mutex_);
  if (update.slots < 1 || update.slots > offers_) throw UsageError("show: an update names slots that were not offered");
  if (isComplex(update.type) != array.complex)
    throw UsageError("show: the type of an update differs from that of its array");
  if (update.slots != offers_ || !slots_) return std::nullopt;
  if (update.update.slot >= slots_->count()) {
    throw UsageError(fmt::format("show: there is no slot {} on the device", update.update.slot));
  }
  const auto room = static_cast<std::int64_t>(slots_->slotBytes() / bytesOf(update.type));
  if (!fits(update.layout, array.width, array.height, room)) {
    throw UsageError(fmt::format("show: the elements exceed their slot of {} bytes", slots_->slotBytes()));
  }
  return DeviceLoan{slots_, update.update.slot, id_, update.type, update.layout, array.width, array.height};
}

}  // namespace simscope::live
