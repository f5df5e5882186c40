#include "sims/compute/cuda/detail/cuda_self_test.h"

#include "sims/compute/cuda/cuda_check.h"

namespace simscope::compute::detail {

namespace kernels {

__global__ void raiseFlag(int* flag) {
  *flag = 1;
}

}  // namespace kernels

void launchSelfTest(cudaStream_t stream, int* flag) {
  kernels::raiseFlag<<<1, 1, 0, stream>>>(flag);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace simscope::compute::detail
