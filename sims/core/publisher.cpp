#include "sims/core/publisher.h"

#include <utility>

namespace simscope {

// Each slot belongs to one side at a time; the mutex guards the indices, so nobody holds it while working.

Frame& Publisher::writing() {
  Slot& slot = slots_[static_cast<std::size_t>(writing_)];
  slot.read.wait();
  slot.read = compute::Fence();
  return slot.frame;
}

void Publisher::publish() {
  slots_[static_cast<std::size_t>(writing_)].frame.sequence = ++sequence_;
  const std::lock_guard lock(mutex_);
  std::swap(writing_, published_);
  fresh_ = true;
  any_ = true;
}

const Frame* Publisher::newest() {
  const std::lock_guard lock(mutex_);
  if (fresh_) {
    std::swap(reading_, published_);
    fresh_ = false;
  }
  return any_ ? &slots_[static_cast<std::size_t>(reading_)].frame : nullptr;
}

void Publisher::markRead(compute::Fence fence) {
  slots_[static_cast<std::size_t>(reading_)].read = std::move(fence);
}

}  // namespace simscope
