// Elementary functions in double precision whose bits depend on their argument alone. Those of libraries differ in
// the last bit: glibc chooses among several by the kind of the processor, and its versions differ, too. What a scene
// computes must not depend on either.
//
// They are made of sums, products, quotients, roots, and roundings to whole numbers, which IEEE 754 specifies to the
// bit; nothing may be fused, so a source for processors or GPUs that have fused instructions needs -ffp-contract=off
// (-fmad=false). Errors: 1 ulp for sine, cosine, exponential, logarithm, and cubeRoot, 13 for errorFunction, and 2 to 4
// for the others. What is not defined is NaN, what overflows is infinite, as in <cmath>. Reductions and polynomials of
// sine, cosine, exp, log, and atan: those of Sun's fdlibm (1993). Any thread.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "sims/compute/host_device.h"

namespace simscope::compute {

struct SineAndCosine {
  double sine, cosine;
};

namespace detail {

inline constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
inline constexpr double kNoNumber = __builtin_nan("");

// 2ⁿ for n from -1022 to 1023.
SIMSCOPE_HD inline double powerOfTwo(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

// A finite a > 0 is m 2ⁿ with m from √½ to √2.
struct Scaled {
  double m;
  int n;
};
SIMSCOPE_HD inline Scaled scaled(double a) {
  int n = 0;
  if (a < 0x1p-1022) a *= 0x1p54, n = -54;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(a), fraction = bits & 0xfffffffffffffull;
  n += static_cast<int>(bits >> 52) - 1023;
  const double m = std::bit_cast<double>(fraction | 0x3ff0000000000000ull);
  return m > 1.4142135623730951 ? Scaled{m / 2, n + 1} : Scaled{m, n};
}

// 2 artanh(s) − 2 s, where s = (m − 1)/(m + 1).
SIMSCOPE_HD inline double logTail(double s) {
  const double z = s * s, w = z * z;
  const double odd = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double even =
      z * (6.666666666666735130e-01 +
           w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  return s * (odd + even);
}

// sin(x + low) and cos(x + low) for |x| up to π/4.
SIMSCOPE_HD inline double sineNearZero(double x, double low) {
  const double z = x * x, v = z * x;
  const double r =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 +
           z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return x - ((z * (0.5 * low - v * r) - low) - v * -1.66666666666666324348e-01);
}
SIMSCOPE_HD inline double cosineNearZero(double x, double low) {
  const double z = x * x;
  const double r = z * (4.16666666666666019037e-02 +
                        z * (-1.38888888888741095749e-03 +
                             z * (2.48015872894767294178e-05 +
                                  z * (-2.75573143513906633035e-07 +
                                       z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half = 0.5 * z, w = 1 - half;
  return w + (((1 - w) - half) + (z * r - x * low));
}

// The nearest whole number, and its lowest bits: the sum's last digit is that of 1. |x| below 2⁵¹.
struct Whole {
  double value;
  std::int64_t bits;
};
SIMSCOPE_HD inline Whole nearest(double x) {
  constexpr double kOnes = 0x1.8p52;
  const double sum = x + kOnes;
  return {sum - kOnes, std::bit_cast<std::int64_t>(sum) - std::bit_cast<std::int64_t>(kOnes)};
}

// An angle is a whole number of quarter turns and a rest of up to an eighth of a turn.
struct Quarters {
  std::int64_t quarter;
  double rest, low;
};
SIMSCOPE_HD inline double withSign(double value, bool negative) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ std::uint64_t{negative} << 63);
}
// Without branches: which quarter it is nobody can foresee.
SIMSCOPE_HD inline SineAndCosine bothOf(const Quarters& q) {
  const double s = sineNearZero(q.rest, q.low), c = cosineNearZero(q.rest, q.low);
  const bool swapped = q.quarter & 1;
  return {withSign(swapped ? c : s, q.quarter & 2), withSign(swapped ? s : c, (q.quarter + 1) & 2)};
}
SIMSCOPE_HD inline Quarters quartersOfTurns(double turns) {
  const Whole whole = nearest(4 * turns);
  constexpr double kTwoPi = 6.283185307179586, kTwoPiLow = 2.4492935982947064e-16;
  // The product's own rounding is recovered from halves of few digits.
  const double rest = turns - whole.value / 4, x = rest * kTwoPi, a = 134217729.0 * rest, b = 134217729.0 * kTwoPi;
  const double a1 = a - (a - rest), a2 = rest - a1, b1 = b - (b - kTwoPi), b2 = kTwoPi - b1;
  return {whole.bits, x, (((a1 * b1 - x) + a1 * b2 + a2 * b1) + a2 * b2) + rest * kTwoPiLow};
}
// |x| below 2⁴⁵.
SIMSCOPE_HD inline Quarters quartersOf(double x) {
  const auto [whole, bits] = nearest(x * 6.36619772367581382433e-01);
  if (std::fabs(whole) < 1e6) {
    // π/2 in parts of 33 digits, whose products with `whole` are exact.
    const double first = x - whole * 1.57079632673412561417e+00, second = whole * 6.07710050630396597660e-11;
    const double rest = first - second, lost = (first - rest) - second;
    const double third = lost - whole * 2.02226624871116645580e-21 - whole * 8.47842766036889956997e-32;
    const double sum = rest + third;
    return {bits, sum, (rest - sum) + third};
  }
  const double p = whole * 1.5707963267948966, p_low = std::fma(whole, 1.5707963267948966, -p);
  const double q = whole * 6.123233995736766e-17, q_low = std::fma(whole, 6.123233995736766e-17, -q);
  const double first = x - p, second = first - p_low, lost = (first - second) - p_low;
  const double third = second - q,
               rest_lost = ((second - third) - q) + (lost - q_low - whole * -1.4973849048591833e-33);
  const double sum = third + rest_lost;
  return {bits, sum, (third - sum) + rest_lost};
}
inline constexpr double kLargestAngle = 0x1p45;  // beyond it a library's function is called

}  // namespace detail

// Of 2πu, |u| below 2⁴⁸.
SIMSCOPE_HD inline double sineOfTurns(double u) {
  return detail::bothOf(detail::quartersOfTurns(u)).sine;
}
SIMSCOPE_HD inline double cosineOfTurns(double u) {
  return detail::bothOf(detail::quartersOfTurns(u)).cosine;
}
SIMSCOPE_HD inline SineAndCosine sineAndCosine(double x) {
  if (!(std::fabs(x) < detail::kLargestAngle)) return {std::sin(x), std::cos(x)};
  return detail::bothOf(detail::quartersOf(x));
}
SIMSCOPE_HD inline double sine(double x) {
  return sineAndCosine(x).sine;
}
SIMSCOPE_HD inline double cosine(double x) {
  return sineAndCosine(x).cosine;
}
SIMSCOPE_HD inline double tangent(double x) {
  const SineAndCosine both = sineAndCosine(x);
  return both.sine / both.cosine;
}

SIMSCOPE_HD inline double exponential(double x) {
  if (!(x < 709.782712893384)) return x > 0 ? HUGE_VAL : x;  // NaN stays
  if (x < -745.1332191019412) return 0;
  const auto [n, bits] = detail::nearest(x * 1.44269504088896338700);
  const double high = x - n * detail::kLn2High, low = n * detail::kLn2Low;
  const double r = high - low, t = r * r;
  const double c =
      r -
      t * (1.66666666666666019037e-01 +
           t * (-2.77777777770155933842e-03 +
                t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
  const double y = 1 - ((low - (r * c) / (2 - c)) - high);
  const int k = static_cast<int>(bits);
  if (k > 1023) return y * 0x1p1023 * 2;
  return k < -1022 ? y * detail::powerOfTwo(k + 64) * 0x1p-64 : y * detail::powerOfTwo(k);
}

SIMSCOPE_HD inline double logarithm(double x) {
  if (!(x > 0)) return x == 0 ? -HUGE_VAL : detail::kNoNumber;
  if (!(x < HUGE_VAL)) return x;
  const detail::Scaled a = detail::scaled(x);
  const double f = a.m - 1, s = f / (2 + f), half = 0.5 * f * f, n = a.n;
  // 2 s = f − s f, with ½ f² split off.
  return n * detail::kLn2High - ((half - (s * half + (detail::logTail(s) + n * detail::kLn2Low))) - f);
}
// ln(1 + x)
SIMSCOPE_HD inline double logarithmOfOnePlus(double x) {
  const double u = 1 + x;
  if (u == 1 || !(u > 0) || !(u < HUGE_VAL)) return u == 1 ? x : logarithm(u);
  return logarithm(u) * (x / (u - 1));
}

SIMSCOPE_HD inline double cubeRoot(double x) {
  if (x == 0 || !(std::fabs(x) < HUGE_VAL)) return x;
  const detail::Scaled a = detail::scaled(std::fabs(x));
  const int third = (a.n + 3072) / 3 - 1024, left = a.n - 3 * third;  // left: 0 to 2
  const double m = a.m * detail::powerOfTwo(left);
  double root = 0.6 + 0.4 * m - 0.0346 * m * m;
  if (m > 2) root = 0.9 + 0.2 * m - 0.005 * m * m;
  for (int i = 0; i < 5; ++i) root -= (root - m / (root * root)) / 3;
  root *= detail::powerOfTwo(third);
  return x < 0 ? -root : root;
}

// aᵇ
SIMSCOPE_HD inline double power(double a, double b) {
  if (b == 0 || a == 1) return 1;
  if (!(a == a) || !(b == b)) return detail::kNoNumber;
  double sign = 1;
  if (a < 0) {
    if (std::floor(b) != b) {
      if (a > -HUGE_VAL) return detail::kNoNumber;
    } else if (std::fabs(b) < 0x1p53 && b - 2 * std::floor(b / 2) != 0) {
      sign = -1;
    }
    a = -a;
  }
  if (a == 1) return sign;
  if (a == 0 || !(a < HUGE_VAL)) return (a == 0) == (b > 0) ? sign * 0 : sign * HUGE_VAL;
  // ln a as the sum of two numbers: 2 s of (m − 1)/(m + 1), and the rest.
  const detail::Scaled of = detail::scaled(a);
  const double f = of.m - 1, sum = of.m + 1, sum_low = (of.m - (sum - 1)), s = f / sum;
  const double s_low = (std::fma(-s, sum, f) - s * sum_low) / sum;
  const double n = of.n, whole = n * detail::kLn2High, main = whole + 2 * s;
  const double lost = std::fabs(whole) > std::fabs(2 * s) ? 2 * s - (main - whole) : whole - (main - 2 * s);
  const double low = lost + (2 * s_low + (detail::logTail(s) + n * detail::kLn2Low));
  const double high = main + low, rest = low - (high - main);
  const double y = b * high;
  if (!(std::fabs(y) < 800)) return y > 0 ? sign * HUGE_VAL : sign * 0;
  const double y_low = std::fma(b, high, -y) + b * rest, e = exponential(y);
  return sign * (e < HUGE_VAL ? e + e * y_low : e);
}

// Arcs and hyperbolic functions.
SIMSCOPE_HD inline double arcTangent(double x) {
  const double size = std::fabs(x);
  if (!(size < 1e18)) return size >= 1e18 ? (x < 0 ? -1.5707963267948966 : 1.5707963267948966) : x;
  // From the nearest of five arcs; high + low is that arc.
  double high = 0, low = 0, t = size;
  if (size >= 39.0 / 16) {
    high = 1.57079632679489655800e+00, low = 6.12323399573676603587e-17, t = -1 / size;
  } else if (size >= 19.0 / 16) {
    high = 9.82793723247329054082e-01, low = 1.39033110312309984516e-17, t = (size - 1.5) / (1 + 1.5 * size);
  } else if (size >= 11.0 / 16) {
    high = 7.85398163397448278999e-01, low = 3.06161699786838301793e-17, t = (size - 1) / (size + 1);
  } else if (size >= 7.0 / 16) {
    high = 4.63647609000806093515e-01, low = 2.26987774529616870924e-17, t = (2 * size - 1) / (2 + size);
  }
  const double z = t * t, w = z * z;
  const double even = z * (3.33333333333329318027e-01 +
                           w * (1.42857142725034663711e-01 +
                                w * (9.09088713343650656196e-02 +
                                     w * (6.66107313738753120669e-02 +
                                          w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
  const double odd =
      w *
      (-1.99999999998764832476e-01 +
       w * (-1.11111104054623557880e-01 +
            w * (-7.69187620504482999495e-02 + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
  const double arc = high - ((t * (even + odd) - low) - t);
  return x < 0 ? -arc : arc;
}
SIMSCOPE_HD inline double arcTangent2(double y, double x) {
  constexpr double kPi = 3.14159265358979323846, kPiLow = 1.2246467991473532e-16;
  if (!(x == x) || !(y == y)) return detail::kNoNumber;
  if (y == 0) return std::signbit(x) ? std::copysign(kPi, y) : y;
  const bool endless = std::fabs(x) > 0x1p1023 * 1.9999999 && std::fabs(y) > 0x1p1023 * 1.9999999;
  const double arc = arcTangent(endless ? 1.0 : std::fabs(y / x));
  return std::copysign(x < 0 ? kPi - (arc - kPiLow) : arc, y);
}
SIMSCOPE_HD inline double arcSine(double x) {
  return std::fabs(x) == 1 ? std::copysign(1.5707963267948966, x) : arcTangent(x / std::sqrt((1 - x) * (1 + x)));
}
SIMSCOPE_HD inline double hyperbolicSine(double x) {
  const double size = std::fabs(x);
  if (!(size >= 0.5)) {
    const double z = x * x;
    double sum = 0;
    for (int k = 17; k > 1; k -= 2) sum = (1 + sum) * z / (k * (k - 1));
    return x + x * sum;
  }
  const double half = size > 709 ? exponential(size / 2) : 0, e = size > 709 ? 0 : exponential(size);
  return std::copysign(size > 709 ? 0.5 * half * half : 0.5 * (e - 1 / e), x);
}
SIMSCOPE_HD inline double hyperbolicCosine(double x) {
  const double size = std::fabs(x);
  if (size > 709) {
    const double half = exponential(size / 2);
    return 0.5 * half * half;
  }
  const double e = exponential(size);
  return 0.5 * (e + 1 / e);
}
SIMSCOPE_HD inline double hyperbolicTangent(double x) {
  const double size = std::fabs(x);
  if (!(size >= 0.5)) return hyperbolicSine(x) / hyperbolicCosine(x);
  return std::copysign(1 - 2 / (exponential(2 * size) + 1), x);
}
SIMSCOPE_HD inline double areaSine(double x) {
  const double size = std::fabs(x);
  if (!(size < 1e150)) return std::copysign(logarithm(size) + 0.6931471805599453, x);
  return std::copysign(logarithmOfOnePlus(size + size * size / (1 + std::sqrt(size * size + 1))), x);
}
SIMSCOPE_HD inline double areaCosine(double x) {
  if (x > 1e150) return logarithm(x) + 0.6931471805599453;
  const double t = x - 1;
  return logarithmOfOnePlus(t + std::sqrt(t * (2 + t)));
}
SIMSCOPE_HD inline double areaTangent(double x) {
  const double size = std::fabs(x);
  return std::copysign(0.5 * logarithmOfOnePlus(2 * size / (1 - size)), x);
}

// erf x: the series x e^{-x²} Σ (2x²)ⁿ/(1·3·5…) up to 2.5, beyond it the continued fraction of erfc.
SIMSCOPE_HD inline double errorFunction(double x) {
  const double size = std::fabs(x), x2 = x * x;
  if (!(size < 6)) return size >= 6 ? std::copysign(1.0, x) : x;
  constexpr double kTwoOverRootPi = 1.1283791670955126;
  if (size < 2.5) {
    double term = 1, sum = 1;
    for (int n = 1; n < 80 && term > 1e-18; ++n) {
      term *= 2 * x2 / (2 * n + 1);
      sum += term;
    }
    return kTwoOverRootPi * x * exponential(-x2) * sum;
  }
  double fraction = size;
  for (int n = 60; n > 0; --n) fraction = size + 0.5 * n / fraction;
  return std::copysign(1 - 0.5 * kTwoOverRootPi * exponential(-x2) / fraction, x);
}

}  // namespace simscope::compute
