// Values with their derivatives through a layer of tanh units, forwards and backwards, for any kind of number: floats
// on CUDA, lanes of them on the CPU, doubles in tests. C components: value, ∂/∂x, ∂²/∂x² (C > 2), ∂/∂t (C > 3).
//
// Sums and products are fused by madd() alone, so that all kinds give the same bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "sims/compute/host_device.h"
#include "sims/pinn/network.h"

namespace simscope::pinn {

SIMSCOPE_HD inline float madd(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
SIMSCOPE_HD inline double madd(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}
SIMSCOPE_HD inline float magnitude(float x) {
  return x < 0 ? -x : x;
}
SIMSCOPE_HD inline float atMost(float x, float most) {
  return x > most ? most : x;  // NaN stays
}
SIMSCOPE_HD inline float withSignOf(float size, float sign) {
  return sign < 0 ? -size : size;
}
inline constexpr float kRounder = 12582912.0f;  // 1.5·2^23: its sum with a small number has that number's integer in it
// 2^k of kRounder + k.
SIMSCOPE_HD inline float powerOfTwo(float rounded) {
  const std::uint32_t k = std::bit_cast<std::uint32_t>(rounded) - std::bit_cast<std::uint32_t>(kRounder);
  return std::bit_cast<float>((k + 127u) << 23);
}

// tanh |x| = E/(E + 2), E = e^(2|x|) − 1 = 2^k (e^r − 1) + 2^k − 1, 2|x| = k ln 2 + r, e^r − 1 by its Taylor series.
// Relative error below 2·10⁻⁷.
template <class V>
SIMSCOPE_HD inline V hyperbolicTangent(V x) {
  const V y = V(2.0f) * atMost(magnitude(x), V(9.02f));
  const V rounded = madd(y, V(1.44269504f), V(kRounder)), k = rounded - V(kRounder);
  V r = madd(k, V(-0.693145751953125f), y);
  r = madd(k, V(-1.42860682e-6f), r);
  V series = madd(r, V(1.0f / 5040), V(1.0f / 720));
  series = madd(series, r, V(1.0f / 120));
  series = madd(series, r, V(1.0f / 24));
  series = madd(series, r, V(1.0f / 6));
  series = madd(series, r, V(0.5f));
  const V small = madd(r * r, series, r), power = powerOfTwo(rounded);
  const V e = madd(power, small, power - V(1.0f));
  return withSignOf(e / (e + V(2.0f)), x);
}
template <>
SIMSCOPE_HD inline double hyperbolicTangent(double x) {
  return std::tanh(x);
}

// The units' output: the value tanh z[0] and its derivatives, which follow from those of z.
template <int C, class V>
SIMSCOPE_HD inline void answerOf(V value, const V (&z)[C], V (&a)[C]) {
  a[0] = value;
  const V first = madd(-value, value, V(1));
  a[1] = first * z[1];
  if constexpr (C > 2) {
    const V second = V(-2) * value * first;
    a[2] = madd(second * z[1], z[1], first * z[2]);
  }
  if constexpr (C > 3) a[3] = first * z[3];
}
// z: the units' input; a: their output.
template <int C, class V>
SIMSCOPE_HD inline void activate(const V (&z)[C], V (&a)[C]) {
  answerOf<C>(hyperbolicTangent(z[0]), z, a);
}

// From ∂L/∂a to ∂L/∂z, in place. value = a[0]; z[0] is not read.
template <int C, class V>
SIMSCOPE_HD inline void pullBack(V value, const V (&z)[C], V (&bar)[C]) {
  const V first = madd(-value, value, V(1));
  const V second = V(-2) * value * first;
  const V bend = second * z[1];
  V sum = madd(bend, bar[1], first * bar[0]);
  V slope = first * bar[1];
  if constexpr (C > 3) {
    sum = madd(second * z[3], bar[3], sum);
    bar[3] = first * bar[3];
  }
  if constexpr (C > 2) {
    const V third = first * madd(V(6) * value, value, V(-2));
    sum = madd(madd(third * z[1], z[1], second * z[2]), bar[2], sum);
    slope = madd(V(2) * bend, bar[2], slope);
    bar[2] = first * bar[2];
  }
  bar[0] = sum;
  bar[1] = slope;
}

// A place as input of the first layer: ξ and τ with their derivatives.
template <int C, class Real>
SIMSCOPE_HD inline void inputJet(const Place<Real>& at, int input, Real xi_x, Real tau_t, Real (&jet)[C]) {
  for (int c = 1; c < C; ++c) jet[c] = 0;
  jet[0] = input == 0 ? at.xi : at.tau;
  if (input == 0) jet[1] = xi_x;
  if constexpr (C > 3) {
    if (input == 1) jet[3] = tau_t;
  }
}

// The output's sum over units is made of eight partial sums, of units j mod 8.
template <class Real>
SIMSCOPE_HD inline Real sumOfEight(const Real (&s)[8]) {
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

template <int C, class Real>
SIMSCOPE_HD inline Real residualOf(const Equation<Real>& e, const Real (&u)[C]) {
  Real r = madd(e.x, u[1], e.u * u[0]);
  if constexpr (C > 2) r = madd(e.xx, u[2], r);
  if constexpr (C > 3) r = madd(e.product * u[0], u[1], madd(e.t, u[3], r));
  return r;
}

// A point's squared residual, and ∂L/∂u into bar. Points from loss.points on are conditions.
template <int C, class Real>
SIMSCOPE_HD inline Real seedAtPoint(const Loss<Real>& loss, const Real (&u)[C], Real (&bar)[C]) {
  const Equation<Real>& e = loss.equation;
  const Real r = residualOf<C>(e, u), s = Real(2) * loss.weight[0] * loss.mean[0] * r;
  bar[0] = s * e.u;
  bar[1] = s * e.x;
  if constexpr (C > 2) bar[2] = s * e.xx;
  if constexpr (C > 3) {
    bar[0] = s * madd(e.product, u[1], e.u);
    bar[1] = s * madd(e.product, u[0], e.x);
    bar[3] = s * e.t;
  }
  return r * r;
}
template <int C, class Real>
SIMSCOPE_HD inline Real seedAtCondition(const Loss<Real>& loss, const ConditionAt<Real>& condition, const Real (&u)[C],
                                        Real (&bar)[C]) {
  const Real s = Real(2) * loss.weight[condition.part] * loss.mean[condition.part];
  const Real off = u[0] - condition.target, slope = condition.slope * u[1];
  for (int c = 2; c < C; ++c) bar[c] = 0;
  bar[0] = s * off;
  bar[1] = s * condition.slope * slope;
  return madd(slope, slope, off * off);
}

// The weighted parts of the loss, from sums of squares.
template <class Real>
SIMSCOPE_HD inline Real lossOf(const Loss<Real>& loss, const Real (&sums)[kParts]) {
  Real all = 0;
  for (int part = 0; part < kParts; ++part) all = madd(loss.weight[part] * loss.mean[part], sums[part], all);
  return all;
}

// One weight's step. Adam: D. P. Kingma, J. Ba, 2015.
template <class Real>
SIMSCOPE_HD inline void adam(Real& weight, Real& mean, Real& variance, Real g, Real rate, const Iteration<Real>& n) {
  constexpr Real kFirst = Real(kBeta1), kSecond = Real(kBeta2);
  mean = madd(kFirst, mean, (Real(1) - kFirst) * g);
  variance = madd(kSecond, variance, (Real(1) - kSecond) * (g * g));
  weight = madd(-rate, (mean * n.first) / (std::sqrt(variance * n.second) + Real(kEpsilon)), weight);
}

}  // namespace simscope::pinn
