// How long something takes, for lessons: repeated until it can be told, the median of seven batches, or of fewer where
// the lesson's time runs short. How far the batches lie apart is noted with the Timekeeper, where there is one.
//
// Thread: inside Device::run. Errors: what the work throws, and what check throws between batches; OutOfTime.
#pragma once

#include <functional>

#include "sims/compute/device.h"

namespace simscope::lab {

// Seconds of one call of `work` on the device: what it has enqueued included, what the host takes to enqueue it, too,
// where that is longer.
double secondsOf(compute::Device& device, const std::function<void()>& check, const std::function<void()>& work);
// The same by the host's clock, for work that itself waits: transfers, allocations.
double hostSecondsOf(const std::function<void()>& check, const std::function<void()>& work);

}  // namespace simscope::lab
