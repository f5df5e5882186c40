// The first particle's past since the start, thinned out: where a bounce takes longer than the ring of samples reaches
// (advance.h). Every sample is kept at first; whenever there is no room left, every second one goes, until one in
// kMostEvery is kept, and from then on the older half goes. What is kept depends on the number of samples alone, not on
// how steps are divided.
//
// Owns device memory. Thread: inside Device::run; enqueued, except toHost().
#pragma once

#include <vector>

#include "sims/compute/buffer.h"
#include "sims/core/archive.h"
#include "sims/lorentz/advance.h"
#include "sims/lorentz/orbit.h"

namespace simscope::lorentz {

class LongPast {
 public:
  static constexpr std::int64_t kRoom = 4096, kMostEvery = 16;

  LongPast() = default;
  explicit LongPast(const compute::DevicePtr& device) : kept_(device, 6 * kRoom), spare_(device, 6 * kRoom) {}
  void clear() {
    count_ = seen_ = 0, every_ = 1;
    kept_.zero();
  }
  // The ring's next `samples` samples, at most as many as it has, which begin at `first`.
  void add(compute::Device& device, const float* ring, int first, int samples);
  // Oldest first. The newest sample of the ring is `since` steps old.
  std::vector<Sample> toHost(compute::Device& device, std::int64_t steps, const History& history,
                             double time_step) const;

  void visit(Archive& archive, const compute::DevicePtr& device);
  // After a state has been loaded: one of an earlier version does not have it, and it begins anew.
  void loaded() {
    if (missing_) clear();
  }

 private:
  std::int64_t lastKept() const { return (seen_ - 1) / every_ * every_; }
  void makeRoom(compute::Device& device);

  compute::Buffer<float> kept_, spare_;
  std::int64_t count_ = 0, seen_ = 0, every_ = 1;  // kept; samples that came by; one in so many is kept
  bool missing_ = false;
};

}  // namespace simscope::lorentz
