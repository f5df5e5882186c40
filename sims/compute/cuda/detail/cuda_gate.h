// Holds a stream until the host has enqueued the following work, so that events around it measure only the device.
#pragma once

#include <cuda_runtime_api.h>

namespace simscope::compute::detail {

// Work enqueued after this begins when *open (page-locked, written by the host) is not 0, or after about a tenth of a
// millisecond: a wait for the stream before the gate is open takes no longer than that. Throws Error where the kernel
// cannot be launched.
void launchGate(cudaStream_t stream, const int* open);

}  // namespace simscope::compute::detail
