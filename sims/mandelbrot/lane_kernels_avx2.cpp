// Eight numbers of single precision at a time, four of double.
#include <immintrin.h>

#include "sims/mandelbrot/lane_kernels.h"
#include "sims/mandelbrot/lane_loops.h"

namespace simscope::mandelbrot {
namespace {

struct Floats {
  using T = float;
  using V = __m256;
  static constexpr int kLanes = 8, kTogether = 2;
  static unsigned mask(V bits) { return static_cast<unsigned>(_mm256_movemask_ps(bits)); }
  static unsigned beyond(V a, T bound) { return mask(_mm256_cmp_ps(a, _mm256_set1_ps(bound), _CMP_NLE_UQ)); }
  static unsigned equal(V a, V b) { return mask(_mm256_cmp_ps(a, b, _CMP_EQ_OQ)); }
};

struct Doubles {
  using T = double;
  using V = __m256d;
  static constexpr int kLanes = 4, kTogether = 2;
  static unsigned mask(V bits) { return static_cast<unsigned>(_mm256_movemask_pd(bits)); }
  static unsigned beyond(V a, T bound) { return mask(_mm256_cmp_pd(a, _mm256_set1_pd(bound), _CMP_NLE_UQ)); }
  static unsigned less(V a, V b) { return mask(_mm256_cmp_pd(a, b, _CMP_LT_OQ)); }
  static unsigned equal(V a, V b) { return mask(_mm256_cmp_pd(a, b, _CMP_EQ_OQ)); }
  static V absolute(V a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
  static V two(const double* a, const double* b) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1);
  }
  static void pairs(const double* const* from, V& first, V& second) {
    const V even = two(from[0], from[2]), odd = two(from[1], from[3]);
    first = _mm256_unpacklo_pd(even, odd);
    second = _mm256_unpackhi_pd(even, odd);
  }
};

void tile(const Iteration& t, int x0, int x1, int y0, int y1) {
  iterateTile<Floats, Doubles>(t, x0, x1, y0, y1);
}

}  // namespace

LaneKernels avx2LaneKernels() {
  return {tile, "AVX2"};
}

}  // namespace simscope::mandelbrot
