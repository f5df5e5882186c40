// The fields, each a functor that is compiled into the loop over steps. Places and B are in the units of parameters.h.
// All are exactly free of divergence; gradient and tokamak have the required current, the others are vacuum fields.
//   kConstant   B is the same everywhere       kAlongZ   B has a z-component only
//   kElectric   there is a field E along x     kWalls    a particle for which inside() is false is lost and stops
#pragma once

#include "sims/lorentz/setup.h"
#include "sims/lorentz/vector.h"

namespace simscope::lorentz {

// B along z, E along x.
struct UniformField {
  static constexpr bool kConstant = true, kAlongZ = true, kElectric = true, kWalls = false;
  float b, e;
  SIMSCOPE_LORENTZ_INLINE explicit UniformField(const Setup& s) : b(s.field), e(s.electric) {}
  SIMSCOPE_LORENTZ_INLINE Vec3 at(Vec3) const { return {0, 0, b}; }
  SIMSCOPE_LORENTZ_INLINE bool inside(Vec3) const { return true; }
};

// B = B₀ (1 + x/L) ẑ
struct GradientField {
  static constexpr bool kConstant = false, kAlongZ = true, kElectric = false, kWalls = false;
  static constexpr float e = 0;
  float b, slope;
  SIMSCOPE_LORENTZ_INLINE explicit GradientField(const Setup& s) : b(s.field), slope(s.field / s.length) {}
  SIMSCOPE_LORENTZ_INLINE Vec3 at(Vec3 x) const { return {0, 0, fused(slope, x.x, b)}; }
  SIMSCOPE_LORENTZ_INLINE bool inside(Vec3) const { return true; }
};

// A mirror of quadratic field: B_z = B₀ (1 + (z² − ρ²/2)/L²), B_ρ = −B₀ ρ z/L², with throats at |z| = wall.
struct BottleField {
  static constexpr bool kConstant = false, kAlongZ = false, kElectric = false, kWalls = true;
  static constexpr float e = 0;
  float b, curvature, wall;
  SIMSCOPE_LORENTZ_INLINE explicit BottleField(const Setup& s)
      : b(s.field), curvature(s.field / (s.length * s.length)), wall(s.wall) {}
  SIMSCOPE_LORENTZ_INLINE Vec3 at(Vec3 p) const {
    const float c = curvature * p.z, across = fused(p.x, p.x, p.y * p.y);
    return {-(c * p.x), -(c * p.y), fused(curvature, fused(p.z, p.z, -0.5f * across), b)};
  }
  SIMSCOPE_LORENTZ_INLINE bool inside(Vec3 p) const { return p.z <= wall && p.z >= -wall; }
};

// A planet of radius 1 whose moment points to −z: B₀ on its equator, northwards. Particles that hit its surface are
// lost.
struct DipoleField {
  static constexpr bool kConstant = false, kAlongZ = false, kElectric = false, kWalls = true;
  static constexpr float e = 0;
  float b;
  SIMSCOPE_LORENTZ_INLINE explicit DipoleField(const Setup& s) : b(s.field) {}
  SIMSCOPE_LORENTZ_INLINE Vec3 at(Vec3 p) const {
    const float inverse2 = 1.0f / dot(p, p), inverse = rootOf(inverse2);
    const float equator = b * (inverse2 * inverse), radial = -3.0f * (equator * (p.z * inverse2));
    return {radial * p.x, radial * p.y, fused(radial, p.z, equator)};
  }
  SIMSCOPE_LORENTZ_INLINE bool inside(Vec3 p) const { return dot(p, p) >= 1.0f; }
};

// A torus about the z-axis: B_φ = B₀ R₀/R and, from the flux ψ(r) with ψ' = (B₀/q₀) r (1 − r²/2a²), the poloidal field
// ∇ψ × ∇φ of a current whose density falls as 1 − r²/a²; r: the distance from the circle R = R₀, z = 0.
struct TokamakField {
  static constexpr bool kConstant = false, kAlongZ = false, kElectric = false, kWalls = true;
  static constexpr float e = 0;
  float toroidal, poloidal, major, fall, minor2;
  SIMSCOPE_LORENTZ_INLINE explicit TokamakField(const Setup& s)
      : toroidal(s.field * s.major_radius),
        poloidal(s.field / s.safety_factor),
        major(s.major_radius),
        fall(-0.5f / (s.minor_radius * s.minor_radius)),
        minor2(s.minor_radius * s.minor_radius) {}
  SIMSCOPE_LORENTZ_INLINE Vec3 at(Vec3 p) const {
    const float axis2 = fused(p.x, p.x, p.y * p.y), inverse2 = 1.0f / axis2, inverse = rootOf(inverse2);
    const float outwards = fused(axis2, inverse, -major), r2 = fused(outwards, outwards, p.z * p.z);
    const float g = poloidal * fused(fall, r2, 1.0f), round = toroidal * inverse2, inwards = -(g * (p.z * inverse2));
    return {fused(inwards, p.x, -(round * p.y)), fused(inwards, p.y, round * p.x), g * (outwards * inverse)};
  }
  SIMSCOPE_LORENTZ_INLINE bool inside(Vec3 p) const {
    const float axis = rootOf(fused(p.x, p.x, p.y * p.y)), outwards = axis - major;
    return fused(outwards, outwards, p.z * p.z) <= minor2;
  }
};

// Calls run(field) with the requested field.
template <class Run>
void withField(const Setup& setup, const Run& run) {
  switch (setup.configuration) {
    case Configuration::Uniform:
      return run(UniformField(setup));
    case Configuration::Gradient:
      return run(GradientField(setup));
    case Configuration::Bottle:
      return run(BottleField(setup));
    case Configuration::Dipole:
      return run(DipoleField(setup));
    case Configuration::Tokamak:
      return run(TokamakField(setup));
  }
}

}  // namespace simscope::lorentz
