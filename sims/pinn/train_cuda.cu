// How the training kernel is launched.
#include "sims/compute/cuda/cuda_check.h"
#include "sims/pinn/train.h"
#include "sims/pinn/train_kernel.h"

namespace simscope::pinn {
namespace {

template <int C, int tile>
void launchTraining(compute::Device& device, const Training<float>& job, std::size_t networks) {
  const Layout<C, tile> layout(job.net);
  const auto bytes = static_cast<std::size_t>(layout.total) * sizeof(float);
  const int threads = 64 * ((job.net.units + 7) / 8);
  const auto kernel = kernels::trainAll<C, tile>;
  if (bytes > 48 * 1024) {
    SIMSCOPE_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  }
  const auto stream = static_cast<cudaStream_t>(device.stream());
  kernel<<<static_cast<unsigned>(networks), static_cast<unsigned>(threads), bytes, stream>>>(job);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

template <int C>
void launchFitting(compute::Device& device, const Training<float>& job, std::size_t networks) {
  int most = 0;
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device.info().index));
  const auto bytes = static_cast<int>(static_cast<std::size_t>(Layout<C, 32>(job.net).total) * sizeof(float));
  if (bytes <= most) {
    launchTraining<C, 32>(device, job, networks);
  } else {
    launchTraining<C, 16>(device, job, networks);
  }
}

}  // namespace

void trainOnCuda(compute::Device& device, const Training<float>& job, int components, std::size_t networks) {
  const void* const stream = device.stream();  // makes the device current
  (void)stream;
  if (components == 2) return launchFitting<2>(device, job, networks);
  if (components == 3) return launchFitting<3>(device, job, networks);
  launchFitting<4>(device, job, networks);
}

}  // namespace simscope::pinn
