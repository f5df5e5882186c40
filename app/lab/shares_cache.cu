#include <unistd.h>

#include <algorithm>

#include "app/lab/shares.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

namespace simscope::lab {

double cacheBytes(const compute::Device& device) {
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    int bytes = 0;
    SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device.info().index));
    return bytes;
  }
#endif
  constexpr double kUsual = 32e6;  // if the system does not report it
  long shared = 0, own = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  shared = sysconf(_SC_LEVEL3_CACHE_SIZE);
  own = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
  const double all = static_cast<double>(std::max(shared, 0L)) +
                     static_cast<double>(std::max(own, 0L)) * std::max(device.info().threads, 1);
  return all > 0 ? all : kUsual;
}

}  // namespace simscope::lab
