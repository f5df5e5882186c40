#include "sims/compute/lanes/wide.h"
#include "sims/nbody/direct/kernels.h"

namespace simscope::nbody {
namespace {

using V = compute::Floats;
using compute::all, compute::fused;
constexpr int kLanes = compute::kFloats;

// The processor's estimate y of 1/r is corrected in the sums, with h = r² y²; the scales wait until the end.
#if defined(__AVX512F__)
// Error of h: 10⁻⁴. r⁻³ = y³ (5/3 − h) · 3/2 + O(10⁻⁸), 1/r = y (3 − h) / 2.
constexpr float kPullScale = 1.5f, kPotentialScale = -0.5f;
V pullFactor(V r2, V inverse2) {
  return _mm512_fnmadd_ps(r2, inverse2, all(5.0f / 3.0f));
}
V potentialFactor(V r2, V inverse2) {
  return _mm512_fnmadd_ps(r2, inverse2, all(3.0f));
}
V without(int lane, V values) {
  return _mm512_maskz_mov_ps(static_cast<__mmask16>(lane >= 0 && lane < 16 ? ~(1u << lane) : ~0u), values);
}
constexpr int kVectors = 2;  // in flight
#else
// Error of h: 10⁻³. r⁻³ = y³ (h² − 14/5 h + 7/3) · 15/8 + O(10⁻⁹), 1/r = y (h² − 10/3 h + 5) · 3/8.
constexpr float kPullScale = 15.0f / 8.0f, kPotentialScale = -3.0f / 8.0f;
V pullFactor(V r2, V inverse2) {
  const V h = r2 * inverse2;
  return fused(h, h - 2.8f, all(7.0f / 3.0f));
}
V potentialFactor(V r2, V inverse2) {
  const V h = r2 * inverse2;
  return fused(h, h - 10.0f / 3.0f, all(5.0f));
}
V without(int lane, V values) {
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_andnot_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(lanes, _mm256_set1_epi32(lane))), values);
}
constexpr int kVectors = 1;  // sixteen registers hold no more
#endif

constexpr int kBodies = kLanes * kVectors;
static_assert(kBodies <= kDirectLanes);

struct Tile {
  V x[kVectors], y[kVectors], z[kVectors];
};
struct Sums {
  V of[4][kVectors];  // x, y, z; the potential
};

Tile loadTile(const DirectBlock& block, int first, int count) {
  alignas(64) float place[3][kBodies] = {};
  for (int i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) place[axis][i] = block.sources[4 * static_cast<long>(first + i) + axis];
  }
  Tile tile;
  __builtin_memcpy(&tile, place, sizeof tile);
  return tile;
}

template <bool kPotential>
Sums sumOver(const DirectBlock& block, const Tile& tile, int first, int from, int to) {
  Sums sums;  // GCC would make of `{}` a slow call
  for (int v = 0; v < kVectors; ++v) sums.of[0][v] = sums.of[1][v] = sums.of[2][v] = sums.of[3][v] = V{};
  const V softening2 = all(block.softening2);
  for (int j = from; j < to; ++j) {
    const float* const source = block.sources + 4 * static_cast<long>(j);
    const V sx = all(source[0]), sy = all(source[1]), sz = all(source[2]), strength = all(source[3]);
    for (int v = 0; v < kVectors; ++v) {
      const V dx = sx - tile.x[v], dy = sy - tile.y[v], dz = sz - tile.z[v];
      const V r2 = fused(dx, dx, fused(dy, dy, fused(dz, dz, softening2)));
      const V inverse = compute::inverseRootEstimate(r2), inverse2 = inverse * inverse;
      const V share = strength * inverse;
      const V pull = share * inverse2 * pullFactor(r2, inverse2);
      sums.of[0][v] = fused(pull, dx, sums.of[0][v]);
      sums.of[1][v] = fused(pull, dy, sums.of[1][v]);
      sums.of[2][v] = fused(pull, dz, sums.of[2][v]);
      if (kPotential) {  // a body must not meet itself
        const V others = without(j - first - kLanes * v, share);
        sums.of[3][v] = fused(others, potentialFactor(r2, inverse2), sums.of[3][v]);
      }
    }
  }
  return sums;
}

template <bool kPotential>
void compute(const DirectBlock& block) {
  for (int first = block.first; first < block.first + block.count; first += kBodies) {
    const int left = block.first + block.count - first, count = left < kBodies ? left : kBodies;
    const Tile tile = loadTile(block, first, count);
    Sums total = sumOver<kPotential>(block, tile, first, 0, block.n < kDirectChunk ? block.n : kDirectChunk), owed{};
    for (int from = kDirectChunk; from < block.n; from += kDirectChunk) {
      const int to = from + kDirectChunk < block.n ? from + kDirectChunk : block.n;
      const Sums chunk = sumOver<kPotential>(block, tile, first, from, to);
      for (int k = 0; k < 4; ++k) {
        for (int v = 0; v < kVectors; ++v) {  // what is rounded off goes on to the next chunk
          const V due = chunk.of[k][v] - owed.of[k][v], sum = total.of[k][v] + due;
          owed.of[k][v] = (sum - total.of[k][v]) - due;
          total.of[k][v] = sum;
        }
      }
    }
    alignas(64) float out[4][kBodies];
    __builtin_memcpy(out, &total, sizeof out);
    for (int i = 0; i < count; ++i) {
      float* const field = block.field + 4 * static_cast<long>(first + i);
      for (int k = 0; k < 3; ++k) field[k] = kPullScale * out[k][i];
      field[3] = kPotentialScale * out[3][i];
    }
  }
}

}  // namespace

DirectKernels wideDirectKernels(compute::ThisSet set) {
  return {compute<false>, compute<true>, set.kName};
}

}  // namespace simscope::nbody
