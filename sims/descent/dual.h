// Forward-mode differentiation: a value with its two partial derivatives, and the functions that surfaces are made of,
// for plain numbers and for these alike. Nothing is fused; values have the bits of the plain ones, and depend on the
// arguments alone (elementary.h).
//
// Where a function has no derivative (|x| and √x at 0, ties of min and max) one of its slopes, or 0, is used instead of
// NaN. Any thread, host and device.
#pragma once

#include <cmath>

#include "sims/compute/elementary.h"
#include "sims/compute/host_device.h"

namespace simscope::descent {

struct Dual {
  double v, x, y;  // f, ∂f/∂x, ∂f/∂y
  SIMSCOPE_HD Dual() : v(0), x(0), y(0) {}
  SIMSCOPE_HD Dual(double value) : v(value), x(0), y(0) {}  // a constant
  SIMSCOPE_HD Dual(double value, double by_x, double by_y) : v(value), x(by_x), y(by_y) {}
};

SIMSCOPE_HD inline double valueOf(double a) {
  return a;
}
SIMSCOPE_HD inline double valueOf(const Dual& a) {
  return a.v;
}

SIMSCOPE_HD inline Dual operator-(const Dual& a) {
  return {-a.v, -a.x, -a.y};
}
SIMSCOPE_HD inline Dual operator+(const Dual& a, const Dual& b) {
  return {a.v + b.v, a.x + b.x, a.y + b.y};
}
SIMSCOPE_HD inline Dual operator-(const Dual& a, const Dual& b) {
  return {a.v - b.v, a.x - b.x, a.y - b.y};
}
SIMSCOPE_HD inline Dual operator*(const Dual& a, const Dual& b) {
  return {a.v * b.v, a.x * b.v + a.v * b.x, a.y * b.v + a.v * b.y};
}
SIMSCOPE_HD inline Dual operator/(const Dual& a, const Dual& b) {
  const double q = a.v / b.v;
  return {q, (a.x - q * b.x) / b.v, (a.y - q * b.y) / b.v};
}

// With constants: the terms of their zero derivatives are omitted.
SIMSCOPE_HD inline Dual operator+(const Dual& a, double c) {
  return {a.v + c, a.x, a.y};
}
SIMSCOPE_HD inline Dual operator+(double c, const Dual& a) {
  return {c + a.v, a.x, a.y};
}
SIMSCOPE_HD inline Dual operator-(const Dual& a, double c) {
  return {a.v - c, a.x, a.y};
}
SIMSCOPE_HD inline Dual operator-(double c, const Dual& a) {
  return {c - a.v, -a.x, -a.y};
}
SIMSCOPE_HD inline Dual operator*(double c, const Dual& a) {
  return {c * a.v, c * a.x, c * a.y};
}

// f(a) of a known value and slope; where `a` is constant, so is the result, for any slope.
SIMSCOPE_HD inline Dual chain(const Dual& a, double value, double slope) {
  return {value, a.x == 0 ? 0 : slope * a.x, a.y == 0 ? 0 : slope * a.y};
}

SIMSCOPE_HD inline double squareOf(double a) {
  return a * a;
}
SIMSCOPE_HD inline Dual squareOf(const Dual& a) {
  const double slope = 2 * a.v;
  return {a.v * a.v, slope * a.x, slope * a.y};
}
SIMSCOPE_HD inline double sinOf(double a) {
  return compute::sine(a);
}
SIMSCOPE_HD inline Dual sinOf(const Dual& a) {
  const auto [value, slope] = compute::sineAndCosine(a.v);
  return {value, slope * a.x, slope * a.y};
}
SIMSCOPE_HD inline double cosOf(double a) {
  return compute::cosine(a);
}
SIMSCOPE_HD inline Dual cosOf(const Dual& a) {
  const auto [sine, cosine] = compute::sineAndCosine(a.v);
  return {cosine, -sine * a.x, -sine * a.y};
}
SIMSCOPE_HD inline double tanOf(double a) {
  return compute::tangent(a);
}
SIMSCOPE_HD inline Dual tanOf(const Dual& a) {
  const double t = compute::tangent(a.v);
  return chain(a, t, 1 + t * t);
}
SIMSCOPE_HD inline double expOf(double a) {
  return compute::exponential(a);
}
SIMSCOPE_HD inline Dual expOf(const Dual& a) {
  const double e = compute::exponential(a.v);
  return chain(a, e, e);
}
SIMSCOPE_HD inline double logOf(double a) {
  return compute::logarithm(a);
}
SIMSCOPE_HD inline Dual logOf(const Dual& a) {
  return chain(a, compute::logarithm(a.v), 1 / a.v);
}
SIMSCOPE_HD inline double rootOf(double a) {
  return std::sqrt(a);
}
SIMSCOPE_HD inline Dual rootOf(const Dual& a) {
  const double r = std::sqrt(a.v);
  return chain(a, r, r > 0 ? 0.5 / r : 0);
}
SIMSCOPE_HD inline double absOf(double a) {
  return std::fabs(a);
}
SIMSCOPE_HD inline Dual absOf(const Dual& a) {
  return chain(a, std::fabs(a.v), a.v > 0 ? 1 : a.v < 0 ? -1 : 0);
}
SIMSCOPE_HD inline double tanhOf(double a) {
  return compute::hyperbolicTangent(a);
}
SIMSCOPE_HD inline Dual tanhOf(const Dual& a) {
  const double t = compute::hyperbolicTangent(a.v);
  return chain(a, t, 1 - t * t);
}
SIMSCOPE_HD inline double asinOf(double a) {
  return compute::arcSine(a);
}
SIMSCOPE_HD inline Dual asinOf(const Dual& a) {
  return chain(a, compute::arcSine(a.v), 1 / std::sqrt(1 - a.v * a.v));
}
SIMSCOPE_HD inline double atanOf(double a) {
  return compute::arcTangent(a);
}
SIMSCOPE_HD inline Dual atanOf(const Dual& a) {
  return chain(a, compute::arcTangent(a.v), 1 / (1 + a.v * a.v));
}
SIMSCOPE_HD inline double sinhOf(double a) {
  return compute::hyperbolicSine(a);
}
SIMSCOPE_HD inline Dual sinhOf(const Dual& a) {
  return chain(a, compute::hyperbolicSine(a.v), compute::hyperbolicCosine(a.v));
}
SIMSCOPE_HD inline double coshOf(double a) {
  return compute::hyperbolicCosine(a);
}
SIMSCOPE_HD inline Dual coshOf(const Dual& a) {
  return chain(a, compute::hyperbolicCosine(a.v), compute::hyperbolicSine(a.v));
}
SIMSCOPE_HD inline double asinhOf(double a) {
  return compute::areaSine(a);
}
SIMSCOPE_HD inline Dual asinhOf(const Dual& a) {
  return chain(a, compute::areaSine(a.v), 1 / std::sqrt(a.v * a.v + 1));
}
SIMSCOPE_HD inline double acoshOf(double a) {
  return compute::areaCosine(a);
}
SIMSCOPE_HD inline Dual acoshOf(const Dual& a) {
  return chain(a, compute::areaCosine(a.v), 1 / std::sqrt(a.v * a.v - 1));
}
SIMSCOPE_HD inline double atanhOf(double a) {
  return compute::areaTangent(a);
}
SIMSCOPE_HD inline Dual atanhOf(const Dual& a) {
  return chain(a, compute::areaTangent(a.v), 1 / (1 - a.v * a.v));
}
SIMSCOPE_HD inline double erfOf(double a) {
  return compute::errorFunction(a);
}
SIMSCOPE_HD inline Dual erfOf(const Dual& a) {
  return chain(a, compute::errorFunction(a.v), 1.128379167095512574 * compute::exponential(-a.v * a.v));  // 2/√π
}
SIMSCOPE_HD inline double atan2Of(double a, double b) {
  return compute::arcTangent2(a, b);
}
SIMSCOPE_HD inline Dual atan2Of(const Dual& a, const Dual& b) {
  const double r2 = a.v * a.v + b.v * b.v;
  if (r2 == 0) return {compute::arcTangent2(a.v, b.v), 0, 0};
  return {compute::arcTangent2(a.v, b.v), (b.v * a.x - a.v * b.x) / r2, (b.v * a.y - a.v * b.y) / r2};
}
template <class T>
SIMSCOPE_HD T lesserOf(const T& a, const T& b) {
  return valueOf(b) < valueOf(a) ? b : a;
}
template <class T>
SIMSCOPE_HD T greaterOf(const T& a, const T& b) {
  return valueOf(b) > valueOf(a) ? b : a;
}
// aⁿ for whole n ≥ 0, by squaring: the same bits everywhere.
template <class T>
SIMSCOPE_HD T wholePower(T a, long long n) {
  T result(1.0);
  for (; n > 0; n >>= 1) {
    if (n & 1) result = result * a;
    if (n > 1) a = squareOf(a);
  }
  return result;
}
SIMSCOPE_HD inline double powerOf(double a, double b) {
  return compute::power(a, b);
}
SIMSCOPE_HD inline Dual powerOf(const Dual& a, const Dual& b) {
  const double p = compute::power(a.v, b.v);
  const double by_a = b.v == 0 ? 0 : b.v * compute::power(a.v, b.v - 1);
  const Dual base = chain(a, p, by_a);
  if (b.x == 0 && b.y == 0) return base;
  const double by_b = a.v > 0 ? p * compute::logarithm(a.v) : 0;
  return {p, base.x + by_b * b.x, base.y + by_b * b.y};
}

}  // namespace simscope::descent
