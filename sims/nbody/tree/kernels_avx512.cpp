// Sixteen sources at a time.
#include <immintrin.h>

#include "sims/nbody/tree/simd.h"

namespace simscope::nbody::tree {
namespace {

struct Avx512 {
  typedef float V __attribute__((vector_size(64)));
  static constexpr int kLanes = 16;

  static V load(const float* from) { return (V)_mm512_load_ps(from); }
  // The processor's estimate (14 bits) and one of Newton's steps. Above the largest square it would turn into no
  // number.
  static V inverseRoot(V x) {
    x = (V)_mm512_min_ps((__m512)x, _mm512_set1_ps(1e38f));
    const V y = (V)_mm512_rsqrt14_ps((__m512)x);
    return y * (1.5f - 0.5f * x * y * y);
  }
};

}  // namespace

TreeKernels avx512TreeKernels() {
  return SimdLoops<Avx512>::kernels("AVX-512");
}

}  // namespace simscope::nbody::tree
