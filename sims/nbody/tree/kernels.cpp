#include "sims/nbody/tree/kernels.h"

#include <cmath>

#include "sims/nbody/tree/simd.h"

namespace simscope::nbody::tree {
namespace {

// Vectors of the compiler's own, for any processor.
struct Portable {
  typedef float V __attribute__((vector_size(16)));
  static constexpr int kLanes = 4;

  static V load(const float* from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  static V inverseRoot(V x) {
    float lane[kLanes];
    __builtin_memcpy(lane, &x, sizeof lane);
    for (float& value : lane) value = std::sqrt(value);
    return 1.0f / load(lane);
  }
};

TreeKernelList supported() {
  TreeKernelList list{};
#if defined(SIMSCOPE_NBODY_X86)
  if (__builtin_cpu_supports("fma")) {
    if (__builtin_cpu_supports("avx512f")) list.sets[list.count++] = avx512TreeKernels();
    if (__builtin_cpu_supports("avx2")) list.sets[list.count++] = avx2TreeKernels();
  }
#endif
  list.sets[list.count++] = SimdLoops<Portable>::kernels("portable");
  return list;
}

}  // namespace

const TreeKernelList& supportedTreeKernels() {
  static const TreeKernelList list = supported();
  return list;
}

}  // namespace simscope::nbody::tree
