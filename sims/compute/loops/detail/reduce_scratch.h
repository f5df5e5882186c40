// Memory for the partial results and the result of a reduction on a CUDA device.
#pragma once

#include <cstddef>

#include "sims/compute/device.h"

namespace simscope::compute::detail {

inline constexpr std::size_t kReducePartials = 1024;  // blocks of the first pass, at most
inline constexpr std::size_t kReduceLargest = 128;    // bytes of one partial result, at most

struct ReduceScratch {
  void* partials = nullptr;  // device memory, kReducePartials · kReduceLargest bytes
  void* result = nullptr;    // page-locked host memory that kernels can write, kReduceLargest bytes
};

// Belongs to `device`, which must be a CUDA device, and serves one reduction at a time.
ReduceScratch reduceScratch(Device& device);
// Adds a result that a kernel wrote to host memory to the device's counters.
void countReduceResult(Device& device, std::size_t bytes);

}  // namespace simscope::compute::detail
