#include "sims/compute/lanes/wide.h"
#include "sims/nbody/tree/simd.h"

namespace simscope::nbody::tree {
namespace {

struct Wide {
  using V = compute::Floats;
  static constexpr int kLanes = compute::kFloats;

  static V load(const float* from) { return SIMSCOPE_WIDE(load_ps)(from); }
  // The processor's estimate and one of Newton's steps. Above the largest square it would turn into no number.
  static V inverseRoot(V x) {
    x = SIMSCOPE_WIDE(min_ps)(x, compute::all(1e38f));
    const V y = compute::inverseRootEstimate(x);
    return y * (1.5f - 0.5f * x * y * y);
  }
};

}  // namespace

TreeKernels wideTreeKernels(compute::ThisSet set) {
  return SimdLoops<Wide>::kernels(set.kName);
}

}  // namespace simscope::nbody::tree
