#include "sims/core/frame.h"

#include <algorithm>
#include <limits>

namespace simscope {
namespace {

// Simulations hold references to several channels while they make the next one.
constexpr std::size_t kReservedChannels = 64;

std::size_t elementCount(int width, int height, int components) {
  std::size_t count = 1;
  for (const int factor : {width, height, components}) {
    if (factor < 1) throw UsageError("Frame: a channel needs a width, a height, and components of 1 or more");
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(float) / static_cast<std::size_t>(factor)) {
      throw UsageError("Frame: the channel is larger than memory can be");
    }
    count *= static_cast<std::size_t>(factor);
  }
  return count;
}

}  // namespace

Channel& Frame::channel(std::string_view key, int width, int height, int components) {
  const std::size_t count = elementCount(width, height, components);
  if (!device) throw UsageError("Frame: set the device before the channels");
  if (channels.capacity() < kReservedChannels) channels.reserve(kReservedChannels);
  Channel* found = nullptr;
  for (Channel& each : channels) {
    if (each.key == key) found = &each;
  }
  const bool fits = found && found->width == width && found->height == height && found->components == components &&
                    found->data.device() == device;
  if (fits) return *found;
  compute::Buffer<float> data(device, count);  // may throw: nothing has changed yet
  if (!found) {
    found = &channels.emplace_back();
    found->key = std::string(key);
  }
  found->data = std::move(data);
  found->width = width;
  found->height = height;
  found->components = components;
  return *found;
}

bool Frame::wants(std::string_view key) const noexcept {
  return !wanted || std::find(wanted->begin(), wanted->end(), key) != wanted->end();
}

const Channel* Frame::find(std::string_view key) const noexcept {
  for (const Channel& each : channels) {
    if (each.key == key) return &each;
  }
  return nullptr;
}

}  // namespace simscope
