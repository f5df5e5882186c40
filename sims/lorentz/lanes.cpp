#include "sims/lorentz/lanes.h"

#include "sims/lorentz/lanes_loop.h"

namespace simscope::lorentz {
namespace {

struct Portable {};

LaneKernelList supported() {
  LaneKernelList list{};
#if defined(SIMSCOPE_LORENTZ_X86)
  if (__builtin_cpu_supports("fma")) {
    if (__builtin_cpu_supports("avx512f")) list.kernels[list.count++] = avx512Lanes();
    if (__builtin_cpu_supports("avx2")) list.kernels[list.count++] = avx2Lanes();
  }
#endif
  list.kernels[list.count++] = {runLanesOf<Portable>, "portable"};
  return list;
}

}  // namespace

const LaneKernelList& supportedLanes() {
  static const LaneKernelList list = supported();
  return list;
}

}  // namespace simscope::lorentz
