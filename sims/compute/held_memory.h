// The memory of a device that is allocated and not released: buffers, and the work areas of transforms.
//
// Device::allocate and release count it; they are called at resets, not in steps. Any thread.
#pragma once

#include <cstddef>

#include "sims/compute/device.h"

namespace simscope::compute {

std::size_t heldBytes(const Device& device);

namespace detail {
void noteHeld(const Device& device, const void* memory, std::size_t bytes);
void noteReturned(const Device& device, const void* memory) noexcept;
void forgetHeld(const Device& device) noexcept;  // at the device's destruction
}  // namespace detail

}  // namespace simscope::compute
