#include "sims/compute/fourier/detail/complex_kernels.h"

#include "sims/compute/lanes/instruction_sets.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SIMSCOPE_AVX2 [[gnu::target("avx2,fma")]]
#include <immintrin.h>
#endif

namespace simscope::compute::detail {

namespace {

template <class T>
struct Plain {
  static void product(Complex<T>* __restrict values, const Complex<T>* __restrict factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = values[i] * factor[i];
  }
  static void product(Complex<T>* __restrict values, Complex<T> scale, const Complex<T>* __restrict factor,
                      std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = values[i] * (scale * factor[i]);
  }
  static void productLess1(Complex<T>* __restrict values, T scale, const Complex<T>* __restrict less1,
                           std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Complex<T> v = scale * values[i];
      values[i] = v + v * less1[i];
    }
  }
  static void transposed(const Complex<T>* __restrict from, std::size_t from_pitch, Complex<T>* __restrict to,
                         std::size_t to_pitch, std::size_t rows, std::size_t columns) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) to[j * to_pitch + i] = from[i * from_pitch + j];
    }
  }
};

#if defined(SIMSCOPE_AVX2)

// Vectors of interleaved complex numbers.
template <class T>
struct Vector;

template <>
struct Vector<float> {
  using V = __m256;
  static constexpr std::size_t kCount = 4;
  SIMSCOPE_AVX2 static V load(const Complex<float>* from) { return _mm256_loadu_ps(&from->re); }
  SIMSCOPE_AVX2 static void store(Complex<float>* to, V v) { _mm256_storeu_ps(&to->re, v); }
  SIMSCOPE_AVX2 static V all(Complex<float> z) {
    return _mm256_setr_ps(z.re, z.im, z.re, z.im, z.re, z.im, z.re, z.im);
  }
  // (a + bi)(c + di): a·c ∓ b·d alternately, fused.
  SIMSCOPE_AVX2 static V product(V a, V b) {
    const V crossed = _mm256_mul_ps(_mm256_permute_ps(a, 0xB1), _mm256_movehdup_ps(b));
    return _mm256_fmaddsub_ps(a, _mm256_moveldup_ps(b), crossed);
  }
  SIMSCOPE_AVX2 static V times(V a, float s) { return _mm256_mul_ps(a, _mm256_set1_ps(s)); }
  SIMSCOPE_AVX2 static V sum(V a, V b) { return _mm256_add_ps(a, b); }
  // A block of kCount × kCount; a complex number is moved as one double.
  SIMSCOPE_AVX2 static void turn(const Complex<float>* from, std::size_t from_pitch, Complex<float>* to,
                                 std::size_t to_pitch) {
    const __m256d a = _mm256_castps_pd(load(from)), b = _mm256_castps_pd(load(from + from_pitch));
    const __m256d c = _mm256_castps_pd(load(from + 2 * from_pitch)), d = _mm256_castps_pd(load(from + 3 * from_pitch));
    const __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b);
    const __m256d cd_even = _mm256_unpacklo_pd(c, d), cd_odd = _mm256_unpackhi_pd(c, d);
    store(to, _mm256_castpd_ps(_mm256_permute2f128_pd(ab_even, cd_even, 0x20)));
    store(to + to_pitch, _mm256_castpd_ps(_mm256_permute2f128_pd(ab_odd, cd_odd, 0x20)));
    store(to + 2 * to_pitch, _mm256_castpd_ps(_mm256_permute2f128_pd(ab_even, cd_even, 0x31)));
    store(to + 3 * to_pitch, _mm256_castpd_ps(_mm256_permute2f128_pd(ab_odd, cd_odd, 0x31)));
  }
};

template <>
struct Vector<double> {
  using V = __m256d;
  static constexpr std::size_t kCount = 2;
  SIMSCOPE_AVX2 static V load(const Complex<double>* from) { return _mm256_loadu_pd(&from->re); }
  SIMSCOPE_AVX2 static void store(Complex<double>* to, V v) { _mm256_storeu_pd(&to->re, v); }
  SIMSCOPE_AVX2 static V all(Complex<double> z) { return _mm256_setr_pd(z.re, z.im, z.re, z.im); }
  SIMSCOPE_AVX2 static V product(V a, V b) {
    const V crossed = _mm256_mul_pd(_mm256_permute_pd(a, 0x5), _mm256_permute_pd(b, 0xF));
    return _mm256_fmaddsub_pd(a, _mm256_movedup_pd(b), crossed);
  }
  SIMSCOPE_AVX2 static V times(V a, double s) { return _mm256_mul_pd(a, _mm256_set1_pd(s)); }
  SIMSCOPE_AVX2 static V sum(V a, V b) { return _mm256_add_pd(a, b); }
  SIMSCOPE_AVX2 static void turn(const Complex<double>* from, std::size_t from_pitch, Complex<double>* to,
                                 std::size_t to_pitch) {
    const V a = load(from), b = load(from + from_pitch);
    store(to, _mm256_permute2f128_pd(a, b, 0x20));
    store(to + to_pitch, _mm256_permute2f128_pd(a, b, 0x31));
  }
};

template <class T>
struct Avx2 {
  using Lanes = Vector<T>;
  static constexpr std::size_t kCount = Lanes::kCount;

  SIMSCOPE_AVX2 static void product(Complex<T>* __restrict values, const Complex<T>* __restrict factor,
                                    std::size_t count) {
    std::size_t i = 0;
    for (; i + kCount <= count; i += kCount) {
      Lanes::store(values + i, Lanes::product(Lanes::load(values + i), Lanes::load(factor + i)));
    }
    Plain<T>::product(values + i, factor + i, count - i);
  }
  SIMSCOPE_AVX2 static void product(Complex<T>* __restrict values, Complex<T> scale,
                                    const Complex<T>* __restrict factor, std::size_t count) {
    const typename Lanes::V scales = Lanes::all(scale);
    std::size_t i = 0;
    for (; i + kCount <= count; i += kCount) {
      const typename Lanes::V scaled = Lanes::product(Lanes::load(factor + i), scales);
      Lanes::store(values + i, Lanes::product(Lanes::load(values + i), scaled));
    }
    Plain<T>::product(values + i, scale, factor + i, count - i);
  }
  SIMSCOPE_AVX2 static void productLess1(Complex<T>* __restrict values, T scale, const Complex<T>* __restrict less1,
                                         std::size_t count) {
    std::size_t i = 0;
    for (; i + kCount <= count; i += kCount) {
      const typename Lanes::V v = Lanes::times(Lanes::load(values + i), scale);
      Lanes::store(values + i, Lanes::sum(v, Lanes::product(v, Lanes::load(less1 + i))));
    }
    Plain<T>::productLess1(values + i, scale, less1 + i, count - i);
  }
  SIMSCOPE_AVX2 static void transposed(const Complex<T>* __restrict from, std::size_t from_pitch,
                                       Complex<T>* __restrict to, std::size_t to_pitch, std::size_t rows,
                                       std::size_t columns) {
    const std::size_t whole_rows = rows / kCount * kCount, whole_columns = columns / kCount * kCount;
    if (rows >= columns) {
      for (std::size_t i = 0; i < whole_rows; i += kCount) {
        for (std::size_t j = 0; j < whole_columns; j += kCount) turn(from, from_pitch, to, to_pitch, i, j);
      }
    } else {
      for (std::size_t j = 0; j < whole_columns; j += kCount) {
        for (std::size_t i = 0; i < whole_rows; i += kCount) turn(from, from_pitch, to, to_pitch, i, j);
      }
    }
    Plain<T>::transposed(from + whole_columns, from_pitch, to + whole_columns * to_pitch, to_pitch, whole_rows,
                         columns - whole_columns);
    Plain<T>::transposed(from + whole_rows * from_pitch, from_pitch, to + whole_rows, to_pitch, rows - whole_rows,
                         columns);
  }

 private:
  SIMSCOPE_AVX2 static void turn(const Complex<T>* from, std::size_t from_pitch, Complex<T>* to, std::size_t to_pitch,
                                 std::size_t i, std::size_t j) {
    Lanes::turn(from + i * from_pitch + j, from_pitch, to + j * to_pitch + i, to_pitch);
  }
};

#else

template <class T>
using Avx2 = Plain<T>;

#endif

}  // namespace

template <class T>
void multiply(Complex<T>* values, const Complex<T>* factor, std::size_t count) {
  hasAvx2() ? Avx2<T>::product(values, factor, count) : Plain<T>::product(values, factor, count);
}

template <class T>
void multiply(Complex<T>* values, Complex<T> scale, const Complex<T>* factor, std::size_t count) {
  hasAvx2() ? Avx2<T>::product(values, scale, factor, count) : Plain<T>::product(values, scale, factor, count);
}

template <class T>
void multiplyLess1(Complex<T>* values, T scale, const Complex<T>* factor_less_1, std::size_t count) {
  (hasAvx2() ? Avx2<T>::productLess1 : Plain<T>::productLess1)(values, scale, factor_less_1, count);
}

template <class T>
void transpose(const Complex<T>* from, std::size_t from_pitch, Complex<T>* to, std::size_t to_pitch, std::size_t rows,
               std::size_t columns) {
  (hasAvx2() ? Avx2<T>::transposed : Plain<T>::transposed)(from, from_pitch, to, to_pitch, rows, columns);
}

#define SIMSCOPE_INSTANTIATE(T)                                                    \
  template void multiply(Complex<T>*, const Complex<T>*, std::size_t);             \
  template void multiply(Complex<T>*, Complex<T>, const Complex<T>*, std::size_t); \
  template void multiplyLess1(Complex<T>*, T, const Complex<T>*, std::size_t);     \
  template void transpose(const Complex<T>*, std::size_t, Complex<T>*, std::size_t, std::size_t, std::size_t);
SIMSCOPE_INSTANTIATE(float)
SIMSCOPE_INSTANTIATE(double)
#undef SIMSCOPE_INSTANTIATE

}  // namespace simscope::compute::detail
