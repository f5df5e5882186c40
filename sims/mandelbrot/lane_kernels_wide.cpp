#include "sims/compute/lanes/wide.h"
#include "sims/mandelbrot/lane_kernels.h"
#include "sims/mandelbrot/lane_loops.h"

namespace simscope::mandelbrot {
namespace {

struct Single {
  using T = float;
  using V = compute::Floats;
};
struct Double {
  using T = double;
  using V = compute::Doubles;
};

template <class Precision>
struct Wide {
  using T = typename Precision::T;
  using V = typename Precision::V;
  static constexpr int kLanes = sizeof(V) / sizeof(T), kTogether = sizeof(V) == 64 ? 4 : 2;
  static unsigned beyond(V a, T bound) { return compute::compare<_CMP_NLE_UQ>(a, V{} + bound); }
  static unsigned less(V a, V b) { return compute::compare<_CMP_LT_OQ>(a, b); }
  static unsigned equal(V a, V b) { return compute::compare<_CMP_EQ_OQ>(a, b); }
  static V absolute(V a) { return SIMSCOPE_WIDE(andnot_pd)(SIMSCOPE_WIDE(set1_pd)(-0.0), a); }

  static __m256d two(const double* a, const double* b) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1);
  }
  // The first numbers at from[first], from[first + 2], …
  static V everySecond(const double* const* from) {
#if defined(__AVX512F__)
    return _mm512_insertf64x4(_mm512_castpd256_pd512(two(from[0], from[2])), two(from[4], from[6]), 1);
#else
    return two(from[0], from[2]);
#endif
  }
  static void pairs(const double* const* from, V& first, V& second) {
    const V even = everySecond(from), odd = everySecond(from + 1);
    first = SIMSCOPE_WIDE(unpacklo_pd)(even, odd);
    second = SIMSCOPE_WIDE(unpackhi_pd)(even, odd);
  }
};

void tile(const Iteration& t, int x0, int x1, int y0, int y1) {
  iterateTile<Wide<Single>, Wide<Double>>(t, x0, x1, y0, y1);
}

}  // namespace

LaneKernels wideLaneKernels(compute::ThisSet set) {
  return {tile, set.kName};
}

}  // namespace simscope::mandelbrot
