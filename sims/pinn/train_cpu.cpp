#include <algorithm>

#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/pinn/train.h"

namespace simscope::pinn {
namespace {

struct TrainingOfAll {
  const Training<float>& job;
  const Kernels& kernels;
  int components;
  static void run(const void* context, std::size_t network) {
    const auto& self = *static_cast<const TrainingOfAll*>(context);
    self.kernels.train(self.job, self.components, network);
  }
};

constexpr int kPlaces = 256;  // that a thread takes at a time
struct EvaluationOfAll {
  const Evaluation& job;
  const Kernels& kernels;
  std::size_t slices;
  static void run(const void* context, std::size_t block) {
    const auto& self = *static_cast<const EvaluationOfAll*>(context);
    const std::size_t row = block / self.slices;
    const int first = static_cast<int>(block % self.slices) * kPlaces;
    const std::size_t network = self.job.only ? static_cast<std::size_t>(*self.job.only) : row;
    self.kernels.evaluate(self.job, network, row, first, std::min(first + kPlaces, self.job.count));
  }
};

template <class Work>
void runAll(compute::Device& device, std::size_t blocks, const Work& work) {
  device.countLaunches();
  if (blocks == 1) return Work::run(&work, 0);
  compute::detail::runBlocks(device, blocks, &Work::run, &work);
}

}  // namespace

void trainOnCpu(compute::Device& device, const Training<float>& job, int components, std::size_t networks,
                const Kernels& kernels) {
  runAll(device, networks, TrainingOfAll{job, kernels, components});
}

void evaluateOnCpu(compute::Device& device, const Evaluation& job, std::size_t networks, const Kernels& kernels) {
  const auto slices = static_cast<std::size_t>((job.count + kPlaces - 1) / kPlaces);
  runAll(device, (job.only ? 1 : networks) * slices, EvaluationOfAll{job, kernels, slices});
}

void train(compute::Device& device, const Training<float>& job, int components, std::size_t networks) {
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) return trainOnCuda(device, job, components, networks);
#endif
  trainOnCpu(device, job, components, networks, supportedKernels().widest());
}

void evaluate(compute::Device& device, const Evaluation& job, std::size_t networks) {
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) return evaluateOnCuda(device, job, networks);
#endif
  evaluateOnCpu(device, job, networks, supportedKernels().widest());
}

}  // namespace simscope::pinn
