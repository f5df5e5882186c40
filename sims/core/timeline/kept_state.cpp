#include "sims/core/timeline/kept_state.h"

#include <utility>

namespace simscope {

void KeptArray::copyTo(compute::Device& device, void* memory) const {
  if (bytes.empty()) return;
  if (bytes.device().get() == &device) {
    device.copy(memory, bytes.data(), bytes.size());
    return;
  }
  const std::vector<std::byte> host = bytes.toHost();
  device.upload(memory, host.data(), host.size());
}

void KeptState::begin(compute::DevicePtr device) {
  if (device != device_) arrays_.clear();
  device_ = std::move(device);
  added_ = 0;
  state.arrays.clear();
}

void KeptState::add(const char* name, const char* dtype, std::vector<std::size_t> shape, const void* memory,
                    std::size_t bytes) {
  if (added_ == arrays_.size()) arrays_.emplace_back();
  KeptArray& array = arrays_[added_];
  array.name = name;
  if (array.bytes.size() != bytes) {
    array.bytes = {};  // before the new memory is asked for
    array.bytes = compute::Buffer<std::byte>(device_, bytes);
  }
  if (bytes > 0) device_->copy(array.bytes.data(), memory, bytes);
  ++added_;
  state.arrays.push_back({name, dtype, std::move(shape), {}});
}

void KeptState::finish() {
  arrays_.resize(added_);
  parts.clear();
}

const KeptArray* KeptState::find(std::string_view name) const noexcept {
  for (const KeptArray& each : arrays_) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::size_t KeptState::bytes() const noexcept {
  std::size_t sum = state.bytes();
  for (const KeptArray& each : arrays_) sum += each.bytes.size();
  for (const KeptState& each : parts) sum += each.bytes();
  return sum;
}

}  // namespace simscope
