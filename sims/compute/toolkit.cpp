#include "sims/compute/toolkit.h"

#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime_api.h>
#endif

namespace simscope::compute {

Toolkit toolkit() {
  Toolkit found;
#if SIMSCOPE_HAVE_CUDA
  if (cudaRuntimeGetVersion(&found.built) != cudaSuccess) found.built = CUDART_VERSION;
  if (cudaDriverGetVersion(&found.driver) != cudaSuccess) found.driver = 0;
  (void)cudaGetLastError();  // it would stick to the next call otherwise
#endif
  return found;
}

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace simscope::compute
