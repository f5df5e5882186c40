#include <immintrin.h>

#include "sims/pinn/kernels_of.h"

namespace simscope::pinn {
namespace {

struct Sixteen {
  using Real = float;
  static constexpr int kLanes = 16;
  __m512 v;

  Sixteen() = default;
  explicit Sixteen(__m512 all) : v(all) {}
  explicit Sixteen(float each) : v(_mm512_set1_ps(each)) {}
  explicit Sixteen(int each) : Sixteen(static_cast<float>(each)) {}
  static Sixteen load(const float* from) { return Sixteen(_mm512_load_ps(from)); }
  void store(float* to) const { _mm512_store_ps(to, v); }

  friend Sixteen operator+(Sixteen a, Sixteen b) { return Sixteen(_mm512_add_ps(a.v, b.v)); }
  friend Sixteen operator-(Sixteen a, Sixteen b) { return Sixteen(_mm512_sub_ps(a.v, b.v)); }
  friend Sixteen operator*(Sixteen a, Sixteen b) { return Sixteen(_mm512_mul_ps(a.v, b.v)); }
  friend Sixteen operator/(Sixteen a, Sixteen b) { return Sixteen(_mm512_div_ps(a.v, b.v)); }
  friend Sixteen operator-(Sixteen a) {
    return Sixteen(_mm512_castsi512_ps(
        _mm512_xor_si512(_mm512_castps_si512(a.v), _mm512_set1_epi32(static_cast<int>(0x80000000u)))));
  }
  friend Sixteen madd(Sixteen a, Sixteen b, Sixteen c) { return Sixteen(_mm512_fmadd_ps(a.v, b.v, c.v)); }
  friend Sixteen magnitude(Sixteen x) { return Sixteen(_mm512_abs_ps(x.v)); }
  friend Sixteen atMost(Sixteen x, Sixteen most) {
    return Sixteen(_mm512_mask_blend_ps(_mm512_cmp_ps_mask(x.v, most.v, _CMP_GT_OQ), x.v, most.v));
  }
  friend Sixteen withSignOf(Sixteen size, Sixteen sign) {
    const __mmask16 below = _mm512_cmp_ps_mask(sign.v, _mm512_setzero_ps(), _CMP_LT_OQ);
    return Sixteen(_mm512_mask_blend_ps(below, size.v, (-size).v));
  }
  friend Sixteen powerOfTwo(Sixteen rounded) {
    const __m512i k = _mm512_sub_epi32(_mm512_castps_si512(rounded.v), _mm512_castps_si512(_mm512_set1_ps(kRounder)));
    return Sixteen(_mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(k, _mm512_set1_epi32(127)), 23)));
  }
};

}  // namespace

Kernels avx512Kernels() {
  return kernelsOf<Sixteen>("AVX-512");
}

}  // namespace simscope::pinn
