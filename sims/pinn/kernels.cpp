#include "sims/pinn/kernels.h"

#include "sims/pinn/kernels_of.h"
#include "sims/pinn/scalar.h"

namespace simscope::pinn {
namespace {

KernelList supported() {
  KernelList list{};
#if defined(SIMSCOPE_PINN_X86)
  if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) {
    if (__builtin_cpu_supports("avx512f")) list.sets[list.count++] = avx512Kernels();
    list.sets[list.count++] = avx2Kernels();
  }
#endif
  list.sets[list.count++] = kernelsOf<Scalar<float>>("portable");
  return list;
}

}  // namespace

const KernelList& supportedKernels() {
  static const KernelList list = supported();
  return list;
}

}  // namespace simscope::pinn
