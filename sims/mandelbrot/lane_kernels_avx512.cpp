// Sixteen numbers of single precision at a time, eight of double.
#include <immintrin.h>

#include "sims/mandelbrot/lane_kernels.h"
#include "sims/mandelbrot/lane_loops.h"

namespace simscope::mandelbrot {
namespace {

struct Floats {
  using T = float;
  using V = __m512;
  static constexpr int kLanes = 16, kTogether = 4;
  static unsigned beyond(V a, T bound) { return _mm512_cmp_ps_mask(a, _mm512_set1_ps(bound), _CMP_NLE_UQ); }
  static unsigned equal(V a, V b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
};

struct Doubles {
  using T = double;
  using V = __m512d;
  static constexpr int kLanes = 8, kTogether = 4;
  static unsigned beyond(V a, T bound) { return _mm512_cmp_pd_mask(a, _mm512_set1_pd(bound), _CMP_NLE_UQ); }
  static unsigned less(V a, V b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
  static unsigned equal(V a, V b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
  static V absolute(V a) { return _mm512_andnot_pd(_mm512_set1_pd(-0.0), a); }
  static __m256d two(const double* a, const double* b) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1);
  }
  static void pairs(const double* const* from, V& first, V& second) {
    const V even = _mm512_insertf64x4(_mm512_castpd256_pd512(two(from[0], from[2])), two(from[4], from[6]), 1);
    const V odd = _mm512_insertf64x4(_mm512_castpd256_pd512(two(from[1], from[3])), two(from[5], from[7]), 1);
    first = _mm512_unpacklo_pd(even, odd);
    second = _mm512_unpackhi_pd(even, odd);
  }
};

void tile(const Iteration& t, int x0, int x1, int y0, int y1) {
  iterateTile<Floats, Doubles>(t, x0, x1, y0, y1);
}

}  // namespace

LaneKernels avx512LaneKernels() {
  return {tile, "AVX-512"};
}

}  // namespace simscope::mandelbrot
