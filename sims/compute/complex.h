// A complex number for host and device code, laid out as std::complex<T>, fftw_complex, and cufftComplex are.
#pragma once

#include <cmath>

#include "sims/compute/host_device.h"

namespace simscope::compute {

template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re;
  T im;
};

template <class T>
SIMSCOPE_HD constexpr Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
SIMSCOPE_HD constexpr Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
SIMSCOPE_HD constexpr Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
SIMSCOPE_HD constexpr Complex<T> operator*(T s, Complex<T> a) {
  return {s * a.re, s * a.im};
}
template <class T>
SIMSCOPE_HD constexpr Complex<T> conj(Complex<T> a) {
  return {a.re, -a.im};
}
// |a|²
template <class T>
SIMSCOPE_HD constexpr T norm2(Complex<T> a) {
  return a.re * a.re + a.im * a.im;
}

}  // namespace simscope::compute
