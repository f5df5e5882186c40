#include "sims/core/run/publisher.h"

#include <utility>

namespace simscope {

// Each slot belongs to one side at a time; the mutex guards only the indices and is not held while working.

Frame& Publisher::writing() {
  return frames_[static_cast<std::size_t>(writing_)];
}

void Publisher::publish() {
  frames_[static_cast<std::size_t>(writing_)].sequence = ++sequence_;
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
  return any_ ? &frames_[static_cast<std::size_t>(reading_)] : nullptr;
}

}  // namespace simscope
