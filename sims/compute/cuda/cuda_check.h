// SIMSCOPE_CUDA_CHECK(call): throws simscope::Error unless a CUDA runtime call succeeded. The message names the call,
// the place, CUDA's own message and what to do. Running out of memory throws OutOfMemory instead.
// Thread: any. Include only where SIMSCOPE_HAVE_CUDA is 1.
#pragma once

#include <cuda_runtime_api.h>

namespace simscope::compute::detail {

// Also clears the error if CUDA allows it, so that the next check sees only later errors.
[[noreturn]] void throwCudaError(cudaError_t status, const char* call, const char* file, int line);

inline void checkCuda(cudaError_t status, const char* call, const char* file, int line) {
  if (status != cudaSuccess) throwCudaError(status, call, file, line);
}

}  // namespace simscope::compute::detail

#define SIMSCOPE_CUDA_CHECK(call) ::simscope::compute::detail::checkCuda((call), #call, __FILE__, __LINE__)
