// Trains and evaluates all networks. Thread and errors: as Device; enqueued, on the CPU done when it returns.
#pragma once

#include <cstddef>

#include "sims/compute/device.h"
#include "sims/pinn/kernels.h"

namespace simscope::pinn {

void train(compute::Device& device, const Training<float>& job, int components, std::size_t networks);
void evaluate(compute::Device& device, const Evaluation& job, std::size_t networks);

// The same on the CPU with these instructions.
void trainOnCpu(compute::Device& device, const Training<float>& job, int components, std::size_t networks,
                const Kernels& kernels);
void evaluateOnCpu(compute::Device& device, const Evaluation& job, std::size_t networks, const Kernels& kernels);
#if SIMSCOPE_HAVE_CUDA
void trainOnCuda(compute::Device& device, const Training<float>& job, int components, std::size_t networks);
void evaluateOnCuda(compute::Device& device, const Evaluation& job, std::size_t networks);
#endif

}  // namespace simscope::pinn
