// Networks at many places on CUDA, in the order of sums of pass.h.
#include "sims/compute/cuda/cuda_check.h"
#include "sims/pinn/jets.h"
#include "sims/pinn/train.h"

namespace simscope::pinn {
namespace kernels {

// One thread a place: its jets are in local memory.
__global__ void __launch_bounds__(128) evaluateAll(const __grid_constant__ Evaluation job, const std::size_t networks) {
  const std::size_t item = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto each = static_cast<std::size_t>(job.count);
  if (item >= each * networks) return;
  const std::size_t network = job.only ? static_cast<std::size_t>(*job.only) : item / each;
  const float* const w = job.weights + network * static_cast<std::size_t>(job.net.weights());
  const Place<float> place = job.places[item % each];
  const int units = job.net.units;
  float a[kMostUnits][kJet], z[kMostUnits][kJet];
  for (int l = 0; l < job.net.layers; ++l) {
    const int inputs = job.net.inputsOf(l);
    const float* const rows = w + job.net.begin(l);
    for (int i = 0; i < units; ++i) {
      float sum[kJet] = {rows[units * inputs + i], 0, 0, 0};
      for (int j = 0; j < inputs; ++j) {
        float given[kJet];
        if (l == 0) {
          inputJet<kJet>(place, j, job.xi_x, job.tau_t, given);
        } else {
          for (int c = 0; c < kJet; ++c) given[c] = a[j][c];
        }
        for (int c = 0; c < kJet; ++c) sum[c] = madd(rows[i * inputs + j], given[c], sum[c]);
      }
      for (int c = 0; c < kJet; ++c) z[i][c] = sum[c];
    }
    for (int i = 0; i < units; ++i) activate<kJet>(z[i], a[i]);
  }
  const float* const out = w + job.net.begin(job.net.layers);
  for (int c = 0; c < job.components; ++c) {
    float s[8] = {};
    for (int j = 0; j < units; j += 8) {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const bool there = j + k < units;
        s[k] = madd(there ? out[j + k] : 0.0f, there ? a[j + k][c] : 0.0f, s[k]);
      }
    }
    const float u = sumOfEight(s);
    job.values[item * static_cast<std::size_t>(job.components) + static_cast<std::size_t>(c)] =
        c == 0 ? u + out[units] : u;
  }
}

}  // namespace kernels

void evaluateOnCuda(compute::Device& device, const Evaluation& job, std::size_t networks) {
  constexpr unsigned kThreads = 128;
  const std::size_t rows = job.only ? 1 : networks, items = rows * static_cast<std::size_t>(job.count);
  const auto stream = static_cast<cudaStream_t>(device.stream());
  kernels::evaluateAll<<<static_cast<unsigned>((items - 1) / kThreads + 1), kThreads, 0, stream>>>(job, rows);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

}  // namespace simscope::pinn
