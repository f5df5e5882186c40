#include "sims/compute/lanes/wide.h"
#include "sims/heat/row_kernels.h"

namespace simscope::heat {
namespace {

using V = compute::Floats;
constexpr int kCells = compute::kFloats;
static_assert(kCells <= kRowMargin);

inline V load(const float* from) {
  return SIMSCOPE_WIDE(loadu_ps)(from);
}
inline V next(V own, V west, V east, V north, V south, V r) {
  const V sum = (west + east) + (north + south);
  return compute::fused(r, compute::fused(compute::all(-4.0f), own, sum), own);
}
#if defined(__AVX512F__)
inline void storeFirst(int cells, float* to, V value) {
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << cells) - 1u), value);
}
#else
inline void storeFirst(int cells, float* to, V value) {
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  _mm256_maskstore_ps(to, _mm256_cmpgt_epi32(_mm256_set1_epi32(cells), lanes), value);
}
#endif
inline void store(float* to, V value, int left) {
  if (left >= kCells) {
    SIMSCOPE_WIDE(storeu_ps)(to, value);
  } else {
    storeFirst(left, to, value);
  }
}

// Walks along a row with the cells and their neighbours in it.
#if defined(__AVX512F__)
// Neighbours beside come from shifting two neighbouring vectors: most loads of 64 bytes would straddle two cache lines
// and cost twice.
struct Walk {
  V before, own, after;
  explicit Walk(const float* row) : before(load(row - kCells)), own(load(row)) {}
  void reach(const float* cells) { after = load(cells + kCells); }
  V west() const { return shifted<15>(before, own); }
  V east() const { return shifted<1>(own, after); }
  void leave() { before = own, own = after; }

  template <int kLanes>
  static V shifted(V low, V high) {
    return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(high), _mm512_castps_si512(low), kLanes));
  }
};
#else
struct Walk {
  const float* cells = nullptr;
  V own;
  explicit Walk(const float*) {}
  void reach(const float* here) { cells = here, own = load(here); }
  V west() const { return load(cells - 1); }
  V east() const { return load(cells + 1); }
  void leave() {}
};
#endif

void pair(const float* up, const float* first, const float* second, const float* down, float* out_first,
          float* out_second, int count, float rate) {
  const V r = compute::all(rate);
  Walk one(first), two(second);
  for (int x = 0; x < count; x += kCells) {
    one.reach(first + x);
    two.reach(second + x);
    store(out_first + x, next(one.own, one.west(), one.east(), load(up + x), two.own, r), count - x);
    store(out_second + x, next(two.own, two.west(), two.east(), one.own, load(down + x), r), count - x);
    one.leave();
    two.leave();
  }
}

void row(const float* up, const float* own, const float* down, float* out, int count, float rate) {
  const V r = compute::all(rate);
  for (int x = 0; x < count; x += kCells) {
    const V west = load(own + x - 1), east = load(own + x + 1);
    store(out + x, next(load(own + x), west, east, load(up + x), load(down + x), r), count - x);
  }
}

}  // namespace

RowKernels wideRowKernels(compute::ThisSet set) {
  return {pair, row, set.kName};
}

}  // namespace simscope::heat
