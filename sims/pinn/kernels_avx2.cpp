#include <immintrin.h>

#include "sims/pinn/kernels_of.h"

namespace simscope::pinn {
namespace {

struct Eight {
  using Real = float;
  static constexpr int kLanes = 8;
  __m256 v;

  Eight() = default;
  explicit Eight(__m256 all) : v(all) {}
  explicit Eight(float each) : v(_mm256_set1_ps(each)) {}
  explicit Eight(int each) : Eight(static_cast<float>(each)) {}
  static Eight load(const float* from) { return Eight(_mm256_load_ps(from)); }
  void store(float* to) const { _mm256_store_ps(to, v); }

  friend Eight operator+(Eight a, Eight b) { return Eight(_mm256_add_ps(a.v, b.v)); }
  friend Eight operator-(Eight a, Eight b) { return Eight(_mm256_sub_ps(a.v, b.v)); }
  friend Eight operator*(Eight a, Eight b) { return Eight(_mm256_mul_ps(a.v, b.v)); }
  friend Eight operator/(Eight a, Eight b) { return Eight(_mm256_div_ps(a.v, b.v)); }
  friend Eight operator-(Eight a) { return Eight(_mm256_xor_ps(a.v, _mm256_set1_ps(-0.0f))); }
  friend Eight madd(Eight a, Eight b, Eight c) { return Eight(_mm256_fmadd_ps(a.v, b.v, c.v)); }
  friend Eight magnitude(Eight x) { return Eight(_mm256_andnot_ps(_mm256_set1_ps(-0.0f), x.v)); }
  friend Eight atMost(Eight x, Eight most) {
    return Eight(_mm256_blendv_ps(x.v, most.v, _mm256_cmp_ps(x.v, most.v, _CMP_GT_OQ)));
  }
  friend Eight withSignOf(Eight size, Eight sign) {
    return Eight(_mm256_blendv_ps(size.v, (-size).v, _mm256_cmp_ps(sign.v, _mm256_setzero_ps(), _CMP_LT_OQ)));
  }
  friend Eight powerOfTwo(Eight rounded) {
    const __m256i k = _mm256_sub_epi32(_mm256_castps_si256(rounded.v), _mm256_castps_si256(_mm256_set1_ps(kRounder)));
    return Eight(_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(k, _mm256_set1_epi32(127)), 23)));
  }
};

}  // namespace

Kernels avx2Kernels() {
  return kernelsOf<Eight>("AVX2");
}

}  // namespace simscope::pinn
