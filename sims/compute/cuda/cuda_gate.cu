#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/cuda/detail/cuda_gate.h"

namespace simscope::compute::detail {

namespace kernels {

constexpr long long kLongest = 200'000;  // cycles

__global__ void holdUntil(const volatile int* open) {
  const long long start = clock64();
  while (*open == 0 && clock64() - start < kLongest) {
  }
}

}  // namespace kernels

void launchGate(cudaStream_t stream, const int* open) {
  kernels::holdUntil<<<1, 1, 0, stream>>>(open);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace simscope::compute::detail
