// Selects the code compiled for the side of a plane, which is known only at run time.
//
// Thread: inside Device::run. Errors: simscope::Error where the device cannot be queried; those of Of<N>'s constructor.
#pragma once

#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/device.h"
#include "sims/compute/fourier/plane_fft.h"

namespace simscope::compute {

// Of<n>(device) for n from 256 to 4096, a power of two, where a block of this CUDA device has the shared memory for
// rows and columns of n points; otherwise null.
template <class Base, template <int> class Of>
std::unique_ptr<Base> makeForPlane(const DevicePtr& device, int n) {
  if (!device->isCuda()) return nullptr;
  int shared = 0;
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device->info().index));
  std::unique_ptr<Base> made;
  const auto consider = [&]<int N>(std::integral_constant<int, N>) {
    constexpr std::size_t kNeeded = std::max(PlaneRows<N>::kSharedBytes, PlaneColumns<N>::kSharedBytes);
    if (n == N && static_cast<std::size_t>(shared) >= kNeeded) made = std::make_unique<Of<N>>(device);
  };
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (consider(std::integral_constant<int, N>()), ...);
  }
  (std::integer_sequence<int, 256, 512, 1024, 2048, 4096>());
  return made;
}

}  // namespace simscope::compute

#endif
