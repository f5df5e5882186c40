// Device memory for `size()` elements of T, owned and move-only. Moves between host and device are explicit.
//
// Thread and errors: as Device. A failed construction throws OutOfMemory and changes nothing.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sims/compute/device.h"

namespace simscope::compute {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  // Uninitialised memory for `count` elements.
  Buffer(DevicePtr device, std::size_t count) : Buffer(std::move(device), count, &Device::allocate) {}
  // The same by Device::allocateForMessages.
  static Buffer forMessages(DevicePtr device, std::size_t count) {
    return Buffer(std::move(device), count, &Device::allocateForMessages);
  }
  Buffer(DevicePtr device, std::span<const T> host) : Buffer(std::move(device), host.size()) { upload(host); }
  ~Buffer() {
    if (data_) device_->release(data_);
  }
  Buffer(Buffer&& other) noexcept
      : device_(std::move(other.device_)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  // A device pointer: the host may read it on the CPU backend only.
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept { return size_ * sizeof(T); }
  bool empty() const noexcept { return size_ == 0; }
  const DevicePtr& device() const noexcept { return device_; }

  // `host.size()` must equal size(); UsageError otherwise.
  void upload(std::span<const T> host) {
    requireSize(host.size());
    if (size_) device_->upload(data_, host.data(), bytes());
  }
  void download(std::span<T> host) const {
    requireSize(host.size());
    if (size_) device_->download(host.data(), data_, bytes());
  }
  std::vector<T> toHost() const {
    std::vector<T> host(size_);
    download(host);
    return host;
  }
  void zero() {
    if (size_) device_->zero(data_, bytes());
  }

 private:
  Buffer(DevicePtr device, std::size_t count, void* (Device::*allocate)(std::size_t))
      : device_(std::move(device)), size_(count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
      throw OutOfMemory("Buffer: " + std::to_string(count) + " elements of " + std::to_string(sizeof(T)) +
                            " bytes are more than an address can count; choose a smaller problem",
                        std::numeric_limits<std::size_t>::max());
    }
    data_ = static_cast<T*>(((*device_).*allocate)(count * sizeof(T)));
  }
  void requireSize(std::size_t host_size) const {
    if (host_size != size_) {
      throw UsageError("Buffer: the host array has " + std::to_string(host_size) + " elements, the buffer " +
                       std::to_string(size_) + "; give both the same size");
    }
  }

  DevicePtr device_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace simscope::compute
