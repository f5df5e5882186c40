#include "sims/monte_carlo_pi/hit_kernels.h"

namespace simscope::monte_carlo_pi {
const compute::KernelList<HitKernels>& supportedHitKernels() {
  static const auto list = compute::kernelList(HitKernels{nullptr, nullptr, "portable"},
                                               SIMSCOPE_ON_X86(wideHitKernels), SIMSCOPE_ON_X86(wideHitKernels));
  return list;
}

}  // namespace simscope::monte_carlo_pi
