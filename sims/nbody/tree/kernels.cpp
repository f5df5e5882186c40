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

}  // namespace

const compute::KernelList<TreeKernels>& supportedTreeKernels() {
  static const auto list = compute::kernelList(SimdLoops<Portable>::kernels("portable"),
                                               SIMSCOPE_ON_X86(wideTreeKernels), SIMSCOPE_ON_X86(wideTreeKernels));
  return list;
}

}  // namespace simscope::nbody::tree
