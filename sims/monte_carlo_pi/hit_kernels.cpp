#include "sims/monte_carlo_pi/hit_kernels.h"

namespace simscope::monte_carlo_pi {
namespace {

HitKernelList supported() {
  HitKernelList list{};
#if defined(SIMSCOPE_MONTE_CARLO_PI_X86)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
    list.sets[list.count++] = avx512HitKernels();
  }
  if (__builtin_cpu_supports("avx2")) list.sets[list.count++] = avx2HitKernels();
#endif
  list.sets[list.count++] = {nullptr, nullptr, "portable"};
  return list;
}

}  // namespace

const HitKernelList& supportedHitKernels() {
  static const HitKernelList list = supported();
  return list;
}

}  // namespace simscope::monte_carlo_pi
