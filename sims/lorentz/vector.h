// Vectors of three single-precision numbers. Products and sums are fused where `fused` says so and nowhere else, so
// that every instruction set and both backends give the same bits. No inline function of a library is called here: the
// CPU's kernels are compiled for instruction sets that this processor may not have.
#pragma once

#include "sims/compute/host_device.h"

// Inlined everywhere, so that no copy compiled for another instruction set can replace it.
#if defined(__CUDACC__)
#define SIMSCOPE_LORENTZ_INLINE SIMSCOPE_HD __forceinline__
#else
#define SIMSCOPE_LORENTZ_INLINE inline __attribute__((always_inline))
#endif

namespace simscope::lorentz {

struct Vec3 {
  float x, y, z;
};

// a·b + c, rounded once.
SIMSCOPE_LORENTZ_INLINE float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
SIMSCOPE_LORENTZ_INLINE float rootOf(float a) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(a);
#else
  return __builtin_sqrtf(a);
#endif
}

SIMSCOPE_LORENTZ_INLINE Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SIMSCOPE_LORENTZ_INLINE Vec3 operator*(float s, Vec3 a) {
  return {s * a.x, s * a.y, s * a.z};
}
// s·a + b
SIMSCOPE_LORENTZ_INLINE Vec3 fused(float s, Vec3 a, Vec3 b) {
  return {fused(s, a.x, b.x), fused(s, a.y, b.y), fused(s, a.z, b.z)};
}
SIMSCOPE_LORENTZ_INLINE float dot(Vec3 a, Vec3 b) {
  return fused(a.x, b.x, fused(a.y, b.y, a.z * b.z));
}
SIMSCOPE_LORENTZ_INLINE Vec3 cross(Vec3 a, Vec3 b) {
  return {fused(a.y, b.z, -(a.z * b.y)), fused(a.z, b.x, -(a.x * b.z)), fused(a.x, b.y, -(a.y * b.x))};
}

// Kahan's sum: the rounding error of `sum` is carried to the next addend. `carry` is the excess of `sum`.
SIMSCOPE_LORENTZ_INLINE void add(float& sum, float& carry, float addend) {
  const float due = addend - carry, total = sum + due;
  carry = (total - sum) - due;
  sum = total;
}
SIMSCOPE_LORENTZ_INLINE void add(Vec3& sum, Vec3& carry, Vec3 addend) {
  add(sum.x, carry.x, addend.x);
  add(sum.y, carry.y, addend.y);
  add(sum.z, carry.z, addend.z);
}

}  // namespace simscope::lorentz
