// Measures times for lessons: the median of seven batches, or of fewer if the lesson's time runs short. The spread of
// the batches goes to the Timekeeper, if there is one.
//
// Thread: inside Device::run. Errors: what the work throws, and what check throws between batches; OutOfTime.
#pragma once

#include <functional>

#include "sims/compute/device.h"

namespace simscope::lab {

// Seconds of one call of `work` on the device, including everything that it enqueues; or the host's time to enqueue it,
// if that is longer.
double secondsOf(compute::Device& device, const std::function<void()>& check, const std::function<void()>& work);
// The same by the host's clock, for work that itself waits: transfers, allocations.
double hostSecondsOf(const std::function<void()>& check, const std::function<void()>& work);

}  // namespace simscope::lab
