// Eight bodies at a time.
#include <immintrin.h>

#include "sims/nbody/direct/kernels.h"

namespace simscope::nbody {
namespace {

using V = __m256;
constexpr int kBodies = 8;
static_assert(kBodies <= kDirectLanes);

struct Bodies {
  V x, y, z;
};
struct Sums {
  V x, y, z, potential;
};

Bodies loadBodies(const DirectBlock& block, int first, int count) {
  alignas(32) float place[3][kBodies] = {};
  for (int i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) place[axis][i] = block.sources[4 * static_cast<long>(first + i) + axis];
  }
  return {_mm256_load_ps(place[0]), _mm256_load_ps(place[1]), _mm256_load_ps(place[2])};
}

// The processor's estimate u of 1/r² (to 10⁻³) is corrected in the sums: with h = r² u,
// r⁻³ = y³ (h² − 14/5 h + 7/3) · 15/8 + O(10⁻⁹); the factor waits until the end. For the potential,
// 1/r = y (h² − 10/3 h + 5) · 3/8.
template <bool kPotential>
Sums sumOver(const DirectBlock& block, const Bodies& own, int first, int from, int to) {
  const V zero = _mm256_setzero_ps();
  Sums sums{zero, zero, zero, zero};
  const V softening2 = _mm256_set1_ps(block.softening2);
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (int j = from; j < to; ++j) {
    const float* const source = block.sources + 4 * static_cast<long>(j);
    const V dx = _mm256_sub_ps(_mm256_set1_ps(source[0]), own.x);
    const V dy = _mm256_sub_ps(_mm256_set1_ps(source[1]), own.y);
    const V dz = _mm256_sub_ps(_mm256_set1_ps(source[2]), own.z);
    const V r2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_fmadd_ps(dz, dz, softening2)));
    const V inverse = _mm256_rsqrt_ps(r2), inverse2 = _mm256_mul_ps(inverse, inverse);
    const V h = _mm256_mul_ps(r2, inverse2);
    const V share = _mm256_mul_ps(_mm256_set1_ps(source[3]), inverse);
    const V correction = _mm256_fmadd_ps(h, _mm256_sub_ps(h, _mm256_set1_ps(2.8f)), _mm256_set1_ps(7.0f / 3.0f));
    const V pull = _mm256_mul_ps(_mm256_mul_ps(share, inverse2), correction);
    sums.x = _mm256_fmadd_ps(pull, dx, sums.x);
    sums.y = _mm256_fmadd_ps(pull, dy, sums.y);
    sums.z = _mm256_fmadd_ps(pull, dz, sums.z);
    if (kPotential) {
      const V root = _mm256_fmadd_ps(h, _mm256_sub_ps(h, _mm256_set1_ps(10.0f / 3.0f)), _mm256_set1_ps(5.0f));
      const V self = _mm256_castsi256_ps(_mm256_cmpeq_epi32(lanes, _mm256_set1_epi32(j - first)));
      sums.potential = _mm256_fmadd_ps(_mm256_andnot_ps(self, share), root, sums.potential);
    }
  }
  return sums;
}

// total += part, and what is rounded off goes on to the next one.
void addTo(V& total, V& owed, V part) {
  const V due = _mm256_sub_ps(part, owed), sum = _mm256_add_ps(total, due);
  owed = _mm256_sub_ps(_mm256_sub_ps(sum, total), due);
  total = sum;
}

template <bool kPotential>
void compute(const DirectBlock& block) {
  for (int first = block.first; first < block.first + block.count; first += kBodies) {
    const int left = block.first + block.count - first, count = left < kBodies ? left : kBodies;
    const Bodies own = loadBodies(block, first, count);
    Sums total = sumOver<kPotential>(block, own, first, 0, block.n < kDirectChunk ? block.n : kDirectChunk);
    const V zero = _mm256_setzero_ps();
    Sums owed{zero, zero, zero, zero};
    for (int from = kDirectChunk; from < block.n; from += kDirectChunk) {
      const int to = from + kDirectChunk < block.n ? from + kDirectChunk : block.n;
      const Sums chunk = sumOver<kPotential>(block, own, first, from, to);
      addTo(total.x, owed.x, chunk.x);
      addTo(total.y, owed.y, chunk.y);
      addTo(total.z, owed.z, chunk.z);
      addTo(total.potential, owed.potential, chunk.potential);
    }
    alignas(32) float out[4][kBodies];
    const V scale = _mm256_set1_ps(15.0f / 8.0f), potential_scale = _mm256_set1_ps(-3.0f / 8.0f);
    _mm256_store_ps(out[0], _mm256_mul_ps(scale, total.x));
    _mm256_store_ps(out[1], _mm256_mul_ps(scale, total.y));
    _mm256_store_ps(out[2], _mm256_mul_ps(scale, total.z));
    _mm256_store_ps(out[3], _mm256_mul_ps(potential_scale, total.potential));
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < 4; ++k) block.field[4 * static_cast<long>(first + i) + k] = out[k][i];
    }
  }
}

}  // namespace

DirectKernels avx2DirectKernels() {
  return {compute<false>, compute<true>, "AVX2"};
}

}  // namespace simscope::nbody
