// Eight cells at a time.
#include <immintrin.h>

#include "sims/heat/row_kernels.h"

namespace simscope::heat {
namespace {

using V = __m256;

inline V next(V own, V west, V east, V north, V south, V r) {
  const V sum = _mm256_add_ps(_mm256_add_ps(west, east), _mm256_add_ps(north, south));
  return _mm256_fmadd_ps(r, _mm256_fmadd_ps(_mm256_set1_ps(-4.0f), own, sum), own);
}
inline void store(float* to, V value, int left) {
  if (left >= 8) {
    _mm256_storeu_ps(to, value);
  } else {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    _mm256_maskstore_ps(to, _mm256_cmpgt_epi32(_mm256_set1_epi32(left), lanes), value);
  }
}

void pair(const float* up, const float* first, const float* second, const float* down, float* out_first,
          float* out_second, int count, float rate) {
  const V r = _mm256_set1_ps(rate);
  for (int x = 0; x < count; x += 8) {
    const V own1 = _mm256_loadu_ps(first + x), own2 = _mm256_loadu_ps(second + x);
    const V west1 = _mm256_loadu_ps(first + x - 1), east1 = _mm256_loadu_ps(first + x + 1);
    const V west2 = _mm256_loadu_ps(second + x - 1), east2 = _mm256_loadu_ps(second + x + 1);
    store(out_first + x, next(own1, west1, east1, _mm256_loadu_ps(up + x), own2, r), count - x);
    store(out_second + x, next(own2, west2, east2, own1, _mm256_loadu_ps(down + x), r), count - x);
  }
}

void row(const float* up, const float* own, const float* down, float* out, int count, float rate) {
  const V r = _mm256_set1_ps(rate);
  for (int x = 0; x < count; x += 8) {
    const V west = _mm256_loadu_ps(own + x - 1), east = _mm256_loadu_ps(own + x + 1);
    store(out + x, next(_mm256_loadu_ps(own + x), west, east, _mm256_loadu_ps(up + x), _mm256_loadu_ps(down + x), r),
          count - x);
  }
}

}  // namespace

RowKernels avx2RowKernels() {
  return {pair, row, "AVX2"};
}

}  // namespace simscope::heat
