// Elementary functions of one precision made of sums, products, quotients, square roots, and whole numbers alone.
// Compiled without fusing (-ffp-contract=off, -fmad=false) they give the same bits on both backends, so that an event
// falls into the same bin on either. Polynomials: S. L. Moshier's Cephes library (single precision). Any thread.
//
// Errors stay below 3·10⁻⁷, relative or absolute, whichever is larger, within the ranges that are stated.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "sims/compute/host_device.h"

namespace simscope::histograms {

inline constexpr float kPi = 3.14159265358979f;

SIMSCOPE_HD inline std::int32_t bitsOf(float value) {
  std::int32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
SIMSCOPE_HD inline float ofBits(std::int32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// A random word as a number in (0, 1), exact: its first 23 bits plus a half.
SIMSCOPE_HD inline float unitOf(std::uint32_t word) {
  return (static_cast<float>(static_cast<std::int32_t>(word >> 9)) + 0.5f) * (1.0f / 8388608.0f);
}

// Natural logarithm; x > 0 and normal.
SIMSCOPE_HD inline float logOf(float x) {
  const std::int32_t bits = bitsOf(x);
  const std::int32_t exponent = (bits - 0x3f3504f3) >> 23;  // the rest is between √½ and √2
  const auto e = static_cast<float>(exponent);
  const float m = ofBits(bits - exponent * 8388608) - 1.0f, z = m * m;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  const float y = (p * m * z - e * 2.12194440e-4f) - 0.5f * z;
  return (m + y) + e * 0.693359375f;
}

// eˣ = scale · (1 + rest), scale a power of two and |rest| below 0.42; x is kept between -80 and 80.
struct Power {
  float scale, rest;
};
SIMSCOPE_HD inline Power powerOf(float x) {
  x = x < -80.0f ? -80.0f : x > 80.0f ? 80.0f : x;
  const float turns = x * 1.44269504088896f;
  const auto n = static_cast<std::int32_t>(turns + (turns < 0 ? -0.5f : 0.5f));
  const auto f = static_cast<float>(n);
  const float r = (x - f * 0.693359375f) + f * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  return {ofBits((n + 127) * 8388608), p * (r * r) + r};
}
SIMSCOPE_HD inline float expOf(float x) {
  const Power power = powerOf(x);
  return power.scale * (power.rest + 1.0f);
}

// Sine of an angle between -π/4 and π/4.
SIMSCOPE_HD inline float smallSin(float a) {
  const float z = a * a;
  return ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * a + a;
}
SIMSCOPE_HD inline float smallCos(float a) {
  const float z = a * a;
  return (((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * (z * z) - 0.5f * z) +
         1.0f;
}

struct Turn {
  float cos, sin;
};
// Cosine and sine of 2π · word / 2³².
SIMSCOPE_HD inline Turn turnOf(std::uint32_t word) {
  const std::uint32_t quadrant = (word + 0x20000000u) >> 30;
  const auto rest = static_cast<std::int32_t>(word - (quadrant << 30));
  const float angle = static_cast<float>(rest) * 1.46291807926716e-9f;  // 2π/2³²
  const float c = smallCos(angle), s = smallSin(angle);
  const bool odd = (quadrant & 1u) != 0;
  const float x = odd ? s : c, y = odd ? c : s;
  return {((quadrant + 1u) & 2u) != 0 ? -x : x, (quadrant & 2u) != 0 ? -y : y};
}

// tan a for |a| < π/2.
SIMSCOPE_HD inline float tanOf(float a) {
  const float size = a < 0 ? -a : a;
  const bool steep = size > kPi / 4;
  const float b = steep ? 1.57079632679490f - size : size;
  const float s = smallSin(b), c = smallCos(b);
  const float t = steep ? c / (s > 1e-7f ? s : 1e-7f) : s / c;
  return a < 0 ? -t : t;
}

// sin² a for |a| < 100.
SIMSCOPE_HD inline float sinSquaredOf(float a) {
  const float halves = a * 0.318309886183791f;
  const auto n = static_cast<float>(static_cast<std::int32_t>(halves + (halves < 0 ? -0.5f : 0.5f)));
  const float rest = (a - n * 3.140625f) - n * 9.67653589793e-4f;  // between -π/2 and π/2
  const float size = rest < 0 ? -rest : rest;
  const float s = size > kPi / 4 ? smallCos(1.57079632679490f - size) : smallSin(size);
  return s * s;
}

// sinh² a for |a| < 40, by eᵃ - 1, which keeps its digits near 0.
SIMSCOPE_HD inline float sinhSquaredOf(float a) {
  const float size = a < 0 ? -a : a;
  const Power power = powerOf(size);
  const float more = power.scale * power.rest + (power.scale - 1.0f);
  const float s = 0.5f * (more + more / (more + 1.0f));
  return s * s;
}

// asinh a.
SIMSCOPE_HD inline float asinhOf(float a) {
  const float size = a < 0 ? -a : a;
  const float value = logOf(size + std::sqrt(size * size + 1.0f));
  return a < 0 ? -value : value;
}

// The angle of (x, y), from -π to π.
SIMSCOPE_HD inline float angleOf(float x, float y) {
  const float u = x < 0 ? -x : x, v = y < 0 ? -y : y;
  const float large = u > v ? u : v, small = u > v ? v : u;
  float a = small / (large > 1e-30f ? large : 1e-30f);
  const bool far = a > 0.414213562f;
  a = far ? (a - 1.0f) / (a + 1.0f) : a;
  const float z = a * a;
  float r = (((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z - 3.33329491539e-1f) * z * a + a;
  r = far ? r + 0.785398163397448f : r;
  r = v > u ? 1.57079632679490f - r : r;
  r = x < 0 ? kPi - r : r;
  return y < 0 ? -r : r;
}

// An angle between -3π and 3π, wrapped to between -π and π.
SIMSCOPE_HD inline float wrapped(float angle) {
  const float once = angle > kPi ? angle - 2 * kPi : angle;
  return once < -kPi ? once + 2 * kPi : once;
}

// Two independent normal numbers (Box and Muller); |z| ≤ 5.77.
SIMSCOPE_HD inline Turn normalsOf(std::uint32_t first, std::uint32_t second) {
  const float radius = std::sqrt(-2.0f * logOf(unitOf(first)));
  const Turn turn = turnOf(second);
  return {radius * turn.cos, radius * turn.sin};
}

}  // namespace simscope::histograms
