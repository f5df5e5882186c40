// Eight sources at a time.
#include <immintrin.h>

#include "sims/nbody/tree/simd.h"

namespace simscope::nbody::tree {
namespace {

struct Avx2 {
  typedef float V __attribute__((vector_size(32)));
  static constexpr int kLanes = 8;

  static V load(const float* from) { return (V)_mm256_load_ps(from); }
  // The processor's estimate (12 bits) and one of Newton's steps. Above the largest square it would turn into no
  // number.
  static V inverseRoot(V x) {
    x = (V)_mm256_min_ps((__m256)x, _mm256_set1_ps(1e38f));
    const V y = (V)_mm256_rsqrt_ps((__m256)x);
    return y * (1.5f - 0.5f * x * y * y);
  }
};

}  // namespace

TreeKernels avx2TreeKernels() {
  return SimdLoops<Avx2>::kernels("AVX2");
}

}  // namespace simscope::nbody::tree
