// The CPU's kernels by its instructions. All give the same bits.
#pragma once

#include <cstddef>

#include "sims/compute/lanes/instruction_sets.h"
#include "sims/pinn/network.h"

namespace simscope::pinn {

struct Kernels {
  // One network; components: 2 to kJet, those of the equation.
  void (*train)(const Training<float>& job, int components, std::size_t network);
  // Places [first, end) of a network, as row `row` of the values.
  void (*evaluate)(const Evaluation& job, std::size_t network, std::size_t row, int first, int end);
  const char* name;
};

const compute::KernelList<Kernels>& supportedKernels();

Kernels wideKernels(compute::Avx2);
Kernels wideKernels(compute::Avx512);

}  // namespace simscope::pinn
