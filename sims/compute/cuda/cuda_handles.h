// Owners of CUDA's handles. Include only where SIMSCOPE_HAVE_CUDA is 1.
// Destroying ignores errors: no caller could handle them there, and they appear at the next checked call.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <type_traits>

#include "sims/compute/cuda/cuda_check.h"

namespace simscope::compute {

struct DestroyEvent {
  void operator()(cudaEvent_t event) const noexcept { (void)cudaEventDestroy(event); }
};
struct DestroyStream {
  void operator()(cudaStream_t stream) const noexcept { (void)cudaStreamDestroy(stream); }
};
struct FreeDevice {
  void operator()(void* memory) const noexcept { (void)cudaFree(memory); }
};
struct FreePinned {
  void operator()(void* memory) const noexcept { (void)cudaFreeHost(memory); }
};

using UniqueEvent = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent>;
using UniqueStream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream>;
using UniqueDeviceMemory = std::unique_ptr<void, FreeDevice>;
using UniquePinned = std::unique_ptr<void, FreePinned>;

// On the current device. flags: cudaEventDefault, cudaEventDisableTiming, ...
inline UniqueEvent makeEvent(unsigned flags) {
  cudaEvent_t event = nullptr;
  SIMSCOPE_CUDA_CHECK(cudaEventCreateWithFlags(&event, flags));
  return UniqueEvent(event);
}

// A stream that does not wait for the legacy default stream.
inline UniqueStream makeStream() {
  cudaStream_t stream = nullptr;
  SIMSCOPE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return UniqueStream(stream);
}

// Page-locked host memory that every device can address.
inline UniquePinned makePinned(std::size_t bytes) {
  void* memory = nullptr;
  SIMSCOPE_CUDA_CHECK(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable));
  return UniquePinned(memory);
}

}  // namespace simscope::compute
