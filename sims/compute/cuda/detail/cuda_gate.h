// Holds a stream until the host has enqueued what comes behind, so that events around it measure the device alone.
#pragma once

#include <cuda_runtime_api.h>

namespace simscope::compute::detail {

// Work enqueued after this begins when *open (page-locked, written by the host) is not 0, or after about a tenth of a
// millisecond: whoever waits for the stream before opening the gate waits no longer than that. Throws Error where the
// kernel cannot be launched.
void launchGate(cudaStream_t stream, const int* open);

}  // namespace simscope::compute::detail
