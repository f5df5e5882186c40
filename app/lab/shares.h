// Shares of what the machine can do, held against what they can be: a share above it is a fault of the measurement, and
// is not shown.
//
// Thread: inside the device's. Errors: none.
#pragma once

#include <cstddef>

#include "app/lab/lesson.h"

namespace simscope::lab {

// How memory is used by what is timed, beside the copy to another place that the limit is. Lighter: it reads more than
// it writes, or writes over what it has read.
enum class Traffic { AsCopy, Lighter };

// What a share of the memory's limit may be, and why: of work that goes through `bytes` of memory.
Headroom headroomOf(const compute::DevicePtr& device, double bytes, Traffic traffic = Traffic::Lighter);

// Of the caches that all of the device's threads share, and of the CPU's threads' own.
double cacheBytes(const compute::Device& device);

// Takes every share out of the result that is more than its row can have, or none at all, and says so in notes; where a
// row has a reason to be above the limit, a note tells it.
void judgeShares(Result& result);

}  // namespace simscope::lab
