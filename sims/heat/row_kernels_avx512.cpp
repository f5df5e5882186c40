// Sixteen cells at a time. Neighbours beside come from shifting two neighbouring vectors: loads that straddle two cache
// lines would cost twice.
#include <immintrin.h>

#include "sims/heat/row_kernels.h"

namespace simscope::heat {
namespace {

using V = __m512;

inline V westOf(V before, V own) {
  return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(own), _mm512_castps_si512(before), 15));
}
inline V eastOf(V own, V after) {
  return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(after), _mm512_castps_si512(own), 1));
}
inline V next(V own, V west, V east, V north, V south, V r) {
  const V sum = _mm512_add_ps(_mm512_add_ps(west, east), _mm512_add_ps(north, south));
  return _mm512_fmadd_ps(r, _mm512_fmadd_ps(_mm512_set1_ps(-4.0f), own, sum), own);
}
inline __mmask16 maskFor(int left) {
  return left >= 16 ? static_cast<__mmask16>(0xffff) : static_cast<__mmask16>((1u << left) - 1u);
}

void pair(const float* up, const float* first, const float* second, const float* down, float* out_first,
          float* out_second, int count, float rate) {
  const V r = _mm512_set1_ps(rate);
  V before1 = _mm512_loadu_ps(first - 16), before2 = _mm512_loadu_ps(second - 16);
  V own1 = _mm512_loadu_ps(first), own2 = _mm512_loadu_ps(second);
  for (int x = 0; x < count; x += 16) {
    const V after1 = _mm512_loadu_ps(first + x + 16), after2 = _mm512_loadu_ps(second + x + 16);
    const V north = _mm512_loadu_ps(up + x), south = _mm512_loadu_ps(down + x);
    const V new1 = next(own1, westOf(before1, own1), eastOf(own1, after1), north, own2, r);
    const V new2 = next(own2, westOf(before2, own2), eastOf(own2, after2), own1, south, r);
    if (count - x >= 16) {
      _mm512_storeu_ps(out_first + x, new1);
      _mm512_storeu_ps(out_second + x, new2);
    } else {
      _mm512_mask_storeu_ps(out_first + x, maskFor(count - x), new1);
      _mm512_mask_storeu_ps(out_second + x, maskFor(count - x), new2);
    }
    before1 = own1;
    before2 = own2;
    own1 = after1;
    own2 = after2;
  }
}

void row(const float* up, const float* own, const float* down, float* out, int count, float rate) {
  const V r = _mm512_set1_ps(rate);
  for (int x = 0; x < count; x += 16) {
    const V here = _mm512_loadu_ps(own + x);
    const V west = _mm512_loadu_ps(own + x - 1), east = _mm512_loadu_ps(own + x + 1);
    const V made = next(here, west, east, _mm512_loadu_ps(up + x), _mm512_loadu_ps(down + x), r);
    _mm512_mask_storeu_ps(out + x, maskFor(count - x), made);
  }
}

}  // namespace

RowKernels avx512RowKernels() {
  return {pair, row, "AVX-512"};
}

}  // namespace simscope::heat
