// A minimal kernel, to check whether this build's kernels run on a card.
#pragma once

#include <cuda_runtime_api.h>

namespace simscope::compute::detail {

// Writes 1 to *flag (device-accessible) in stream order; throws Error where the kernel cannot be launched.
void launchSelfTest(cudaStream_t stream, int* flag);

}  // namespace simscope::compute::detail
