// Sixteen bodies at a time, two vectors of them against each source.
#include <immintrin.h>

#include "sims/nbody/direct/kernels.h"

namespace simscope::nbody {
namespace {

using V = __m512;
constexpr int kVectors = 2, kBodies = 16 * kVectors;
static_assert(kBodies <= kDirectLanes);

struct Tile {
  V x[kVectors], y[kVectors], z[kVectors];
};
struct Sums {
  V x[kVectors], y[kVectors], z[kVectors], potential[kVectors];
};

Tile loadTile(const DirectBlock& block, int first, int count) {
  alignas(64) float place[3][kBodies] = {};
  for (int i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) place[axis][i] = block.sources[4 * static_cast<long>(first + i) + axis];
  }
  Tile tile;
  for (int v = 0; v < kVectors; ++v) {
    tile.x[v] = _mm512_load_ps(place[0] + 16 * v);
    tile.y[v] = _mm512_load_ps(place[1] + 16 * v);
    tile.z[v] = _mm512_load_ps(place[2] + 16 * v);
  }
  return tile;
}

// The processor's estimate u of 1/r² (to 10⁻⁴) is corrected in the sums: r⁻³ = y³ (5/2 − 3/2 r² y²) + O(10⁻⁸) with
// y² = u; the factor 3/2 waits until the end.
template <bool kPotential>
Sums sumOver(const DirectBlock& block, const Tile& tile, int first, int from, int to) {
  Sums sums;
  for (int v = 0; v < kVectors; ++v) {
    sums.x[v] = sums.y[v] = sums.z[v] = sums.potential[v] = _mm512_setzero_ps();
  }
  const V softening2 = _mm512_set1_ps(block.softening2);
  const V five_thirds = _mm512_set1_ps(5.0f / 3.0f), three = _mm512_set1_ps(3.0f);
  for (int j = from; j < to; ++j) {
    const float* const source = block.sources + 4 * static_cast<long>(j);
    const V sx = _mm512_set1_ps(source[0]), sy = _mm512_set1_ps(source[1]), sz = _mm512_set1_ps(source[2]);
    const V strength = _mm512_set1_ps(source[3]);
    for (int v = 0; v < kVectors; ++v) {
      const V dx = _mm512_sub_ps(sx, tile.x[v]), dy = _mm512_sub_ps(sy, tile.y[v]), dz = _mm512_sub_ps(sz, tile.z[v]);
      const V r2 = _mm512_fmadd_ps(dx, dx, _mm512_fmadd_ps(dy, dy, _mm512_fmadd_ps(dz, dz, softening2)));
      const V inverse = _mm512_rsqrt14_ps(r2), inverse2 = _mm512_mul_ps(inverse, inverse);
      const V share = _mm512_mul_ps(strength, inverse);
      const V correction = _mm512_fnmadd_ps(r2, inverse2, five_thirds);
      const V pull = _mm512_mul_ps(_mm512_mul_ps(share, inverse2), correction);
      sums.x[v] = _mm512_fmadd_ps(pull, dx, sums.x[v]);
      sums.y[v] = _mm512_fmadd_ps(pull, dy, sums.y[v]);
      sums.z[v] = _mm512_fmadd_ps(pull, dz, sums.z[v]);
      if (kPotential) {
        const int own = j - first - 16 * v;  // the lane that must not meet itself
        const __mmask16 others = static_cast<__mmask16>(own >= 0 && own < 16 ? ~(1u << own) : ~0u);
        sums.potential[v] =
            _mm512_mask3_fmadd_ps(share, _mm512_fnmadd_ps(r2, inverse2, three), sums.potential[v], others);
      }
    }
  }
  return sums;
}

// total += part, and what is rounded off goes on to the next one.
void addTo(V& total, V& owed, V part) {
  const V due = _mm512_sub_ps(part, owed), sum = _mm512_add_ps(total, due);
  owed = _mm512_sub_ps(_mm512_sub_ps(sum, total), due);
  total = sum;
}

template <bool kPotential>
void compute(const DirectBlock& block) {
  for (int first = block.first; first < block.first + block.count; first += kBodies) {
    const int left = block.first + block.count - first, count = left < kBodies ? left : kBodies;
    const Tile tile = loadTile(block, first, count);
    Sums total = sumOver<kPotential>(block, tile, first, 0, block.n < kDirectChunk ? block.n : kDirectChunk);
    Sums owed;
    for (int v = 0; v < kVectors; ++v) owed.x[v] = owed.y[v] = owed.z[v] = owed.potential[v] = _mm512_setzero_ps();
    for (int from = kDirectChunk; from < block.n; from += kDirectChunk) {
      const int to = from + kDirectChunk < block.n ? from + kDirectChunk : block.n;
      const Sums chunk = sumOver<kPotential>(block, tile, first, from, to);
      for (int v = 0; v < kVectors; ++v) {
        addTo(total.x[v], owed.x[v], chunk.x[v]);
        addTo(total.y[v], owed.y[v], chunk.y[v]);
        addTo(total.z[v], owed.z[v], chunk.z[v]);
        addTo(total.potential[v], owed.potential[v], chunk.potential[v]);
      }
    }
    alignas(64) float out[4][kBodies];
    const V scale = _mm512_set1_ps(1.5f), half = _mm512_set1_ps(-0.5f);
    for (int v = 0; v < kVectors; ++v) {
      _mm512_store_ps(out[0] + 16 * v, _mm512_mul_ps(scale, total.x[v]));
      _mm512_store_ps(out[1] + 16 * v, _mm512_mul_ps(scale, total.y[v]));
      _mm512_store_ps(out[2] + 16 * v, _mm512_mul_ps(scale, total.z[v]));
      _mm512_store_ps(out[3] + 16 * v, _mm512_mul_ps(half, total.potential[v]));
    }
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < 4; ++k) block.field[4 * static_cast<long>(first + i) + k] = out[k][i];
    }
  }
}

}  // namespace

DirectKernels avx512DirectKernels() {
  return {compute<false>, compute<true>, "AVX-512"};
}

}  // namespace simscope::nbody
