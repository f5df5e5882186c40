// Checks shares of the machine's limits: a share above the possible maximum is an error of the measurement and is not
// shown.
//
// Thread: inside the device's. Errors: none.
#pragma once

#include <cstddef>

#include "app/lab/lesson.h"

namespace simscope::lab {

// How the timed work uses memory, compared with the copy that is the limit. Lighter: it reads more than it writes, or
// writes over its input.
enum class Traffic { AsCopy, Lighter };

// The largest possible share of the memory's limit, and the reason, for work on `bytes` of memory.
Headroom headroomOf(const compute::DevicePtr& device, double bytes, Traffic traffic = Traffic::Lighter);

// Of the caches shared by all of the device's threads, and of the CPU threads' own caches.
double cacheBytes(const compute::Device& device);

// Removes every share that exceeds its row's maximum, or is not positive, and adds a note. A note also gives the reason
// if a row may exceed the limit.
void removeImpossibleShares(Result& result);

}  // namespace simscope::lab
