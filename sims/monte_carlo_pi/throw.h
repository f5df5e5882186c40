// Throws darts and counts hits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sims/compute/buffer.h"
#include "sims/monte_carlo_pi/dart.h"
#include "sims/monte_carlo_pi/hit_kernels.h"

namespace simscope::monte_carlo_pi {

// Darts [from, until) of each of the chains.
struct Throw {
  Method method = Method::Independent;
  std::uint64_t seed = 0, from = 0, until = 0;
};

// Adds the hits of each chain to hits[chain]. Exact for any number of threads and any division of the darts, on either
// backend. Thread and errors: as Device; enqueued, on the CPU done when it returns.
void throwDarts(const Throw& darts, compute::Buffer<std::uint64_t>& hits);

// throwDarts on the CPU, with these instructions.
void throwOnCpu(compute::Device& device, const Throw& darts, std::uint64_t* hits, std::size_t chains,
                const HitKernels& kernels);
#if SIMSCOPE_HAVE_CUDA
void throwOnCuda(compute::Device& device, const Throw& darts, std::uint64_t* hits, std::size_t chains);
#endif

}  // namespace simscope::monte_carlo_pi
