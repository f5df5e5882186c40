#include "sims/pinn/kernels.h"

#include "sims/pinn/kernels_of.h"
#include "sims/pinn/scalar.h"

namespace simscope::pinn {
const compute::KernelList<Kernels>& supportedKernels() {
  static const auto list = compute::kernelList(kernelsOf<Scalar<float>>("portable"), SIMSCOPE_ON_X86(wideKernels),
                                               SIMSCOPE_ON_X86(wideKernels));
  return list;
}

}  // namespace simscope::pinn
