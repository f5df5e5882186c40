// One step of one particle: Boris's scheme, explicit Euler, or Runge and Kutta's of fourth order, in any of the fields.
//
// The state is the place x and u = γv (v where nothing is relativistic), both at the same time, each with the carry of
// a compensated sum. With h = dt/2 and q/m = ±1:
//   Boris  x½ = x + h v,  u⁻ = u + h E,  u⁺ = u⁻ rotated about B(x½),  u' = u⁺ + h E,  x' = x + h (v + v')
// The rotation is u⁺ = u⁻ + 2/(1+t²) (u⁻ + u⁻×t)×t with t = h B/γ, an angle of 2 atan |t|. 2/(1+t²) is taken as
// 2 − 2t²/(1+t²) up to |t| = 1, whose rounding error is smaller by t²: with a rounded s = 2t/(1+t²), energy would drift
// steadily.
// Where B is the same for all steps and particles, a product with a constant t (0.05) rounds with a bias; there the
// change is −(1 − cos) u + sin (u×b), with constants that are sums of two numbers.
// Sources: J. P. Boris, Proc. 4th Conf. Num. Sim. Plasmas (1970); Birdsall and Langdon, Plasma Physics via Computer
// Simulation, chapters 4 and 15.
#pragma once

#include <type_traits>

#include "sims/lorentz/fields.h"

namespace simscope::lorentz {

struct Particle {
  Vec3 x, x_carry, u, u_carry;
};

template <class Field, Pusher kPusher, bool kRelativistic>
struct Push {
  Field field;
  float dt, h, inverse_c2;
  // For a uniform field: sin and 1 − cos of the angle, each as a sum of two numbers.
  float sine = 0, sine_rest = 0, versine = 0, versine_rest = 0;

  SIMSCOPE_LORENTZ_INLINE explicit Push(const Setup& s)
      : field(s), dt(s.time_step), h(0.5f * s.time_step), inverse_c2(s.inverse_c2) {
    if constexpr (kTable) {
      const double t = static_cast<double>(h) * static_cast<double>(field.b), share = 2 * t / (1 + t * t);
      sine = static_cast<float>(share);
      sine_rest = static_cast<float>(share - static_cast<double>(sine));
      versine = static_cast<float>(share * t);
      versine_rest = static_cast<float>(share * t - static_cast<double>(versine));
    }
  }

  // charge: +1 or −1, over a mass of 1.
  SIMSCOPE_LORENTZ_INLINE void step(Particle& p, float charge) const {
#if defined(__CUDA_ARCH__)
    if (Field::kWalls && !field.inside(p.x)) return;
    advance(p, charge);
#else
    // Selected afterwards, so that the loop over particles vectorises.
    Particle next = p;
    advance(next, charge);
    const bool goes = !Field::kWalls || field.inside(p.x);
    choose(goes, next.x, p.x);
    choose(goes, next.x_carry, p.x_carry);
    choose(goes, next.u, p.u);
    choose(goes, next.u_carry, p.u_carry);
#endif
  }

 private:
  static constexpr bool kTable = Field::kConstant && !kRelativistic && kPusher == Pusher::Boris;

  SIMSCOPE_LORENTZ_INLINE static void choose(bool goes, Vec3 from, Vec3& to) {
    to.x = goes ? from.x : to.x;
    to.y = goes ? from.y : to.y;
    to.z = goes ? from.z : to.z;
  }
  SIMSCOPE_LORENTZ_INLINE float inverseGamma(Vec3 u) const {
    return kRelativistic ? 1.0f / rootOf(fused(dot(u, u), inverse_c2, 1.0f)) : 1.0f;
  }
  SIMSCOPE_LORENTZ_INLINE Vec3 velocity(Vec3 u) const {
    return kRelativistic ? inverseGamma(u) * u : u;
  }

  SIMSCOPE_LORENTZ_INLINE void advance(Particle& p, float charge) const {
    if constexpr (kPusher == Pusher::Boris) {
      boris(p, charge);
    } else if constexpr (kPusher == Pusher::Euler) {
      const Vec3 v = velocity(p.u), change = dt * force(p.x, v, charge);
      add(p.x, p.x_carry, dt * v);
      add(p.u, p.u_carry, change);
    } else {
      rungeKutta(p, charge);
    }
  }

  SIMSCOPE_LORENTZ_INLINE void boris(Particle& p, float charge) const {
    const Vec3 before = p.u;
    const float slow = inverseGamma(before);
    const Vec3 middle = Field::kConstant ? p.x : fused(h * slow, before, p.x);
    const Vec3 b = field.at(middle);
    const float kick = charge * (h * field.e);
    Vec3 u = before;
    if (Field::kElectric) u.x += kick;
    const float turn = charge * (Field::kElectric && kRelativistic ? h * inverseGamma(u) : h * slow);
    Vec3 change;
    if constexpr (kTable) {
      const float s = charge * sine, rest = charge * sine_rest;
      const float x = fused(rest, u.y, -(versine_rest * u.x)), y = fused(-rest, u.x, -(versine_rest * u.y));
      add(p.u.x, p.u_carry.x, fused(s, u.y, fused(-versine, u.x, x)) + (kick + kick));
      add(p.u.y, p.u_carry.y, fused(-s, u.x, fused(-versine, u.y, y)));
    } else if constexpr (Field::kAlongZ) {
      const float t = turn * b.z, t2 = t * t;
      change = finish({t * fused(-u.x, t, u.y), -(t * fused(u.y, t, u.x)), 0}, t2);
      add(p.u.y, p.u_carry.y, change.y);
      add(p.u.x, p.u_carry.x, Field::kElectric ? change.x + (kick + kick) : change.x);
    } else {
      const Vec3 t = turn * b;
      change = finish(cross(u + cross(u, t), t), dot(t, t));
      add(p.u, p.u_carry, change);
    }
    if constexpr (kRelativistic) {
      const float then = Field::kElectric ? inverseGamma(p.u) : slow;
      add(p.x, p.x_carry, h * fused(then, p.u, slow * before));
    } else {
      add(p.x, p.x_carry, h * (before + p.u));
    }
  }
  // 2/(1+t²) · turned. Beyond t² = 1 the difference would cancel, and for t² > 10⁷ nothing right would be left of it.
  SIMSCOPE_LORENTZ_INLINE static Vec3 finish(Vec3 turned, float t2) {
    const bool small = t2 <= 1.0f;
    const float share = (small ? -(t2 + t2) : 2.0f) * (1.0f / (1.0f + t2));
    const Vec3 twice{small ? turned.x + turned.x : 0.0f, small ? turned.y + turned.y : 0.0f,
                     small ? turned.z + turned.z : 0.0f};
    return fused(share, turned, twice);
  }

  // q/m (E + v×B)
  SIMSCOPE_LORENTZ_INLINE Vec3 force(Vec3 x, Vec3 v, float charge) const {
    const Vec3 b = field.at(x);
    Vec3 f = cross(v, b);
    if (Field::kElectric) f.x += field.e;
    return charge * f;
  }
  SIMSCOPE_LORENTZ_INLINE void rungeKutta(Particle& p, float charge) const {
    const Vec3 v1 = velocity(p.u), f1 = force(p.x, v1, charge);
    const Vec3 v2 = velocity(fused(h, f1, p.u)), f2 = force(fused(h, v1, p.x), v2, charge);
    const Vec3 v3 = velocity(fused(h, f2, p.u)), f3 = force(fused(h, v2, p.x), v3, charge);
    const Vec3 v4 = velocity(fused(dt, f3, p.u)), f4 = force(fused(dt, v3, p.x), v4, charge);
    const float sixth = dt * (1.0f / 6.0f);
    add(p.x, p.x_carry, sixth * ((v1 + v4) + 2.0f * (v2 + v3)));
    add(p.u, p.u_carry, sixth * ((f1 + f4) + 2.0f * (f2 + f3)));
  }
};

// Calls run(push) with the requested push.
template <class Field, bool kRelativistic, class Run>
void withPusher(const Setup& setup, const Run& run) {
  switch (setup.pusher) {
    case Pusher::Boris:
      return run(Push<Field, Pusher::Boris, kRelativistic>(setup));
    case Pusher::Euler:
      return run(Push<Field, Pusher::Euler, kRelativistic>(setup));
    case Pusher::RungeKutta:
      return run(Push<Field, Pusher::RungeKutta, kRelativistic>(setup));
  }
}
template <class Run>
void withPush(const Setup& setup, const Run& run) {
  withField(setup, [&](const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if (setup.relativistic) {
      withPusher<Field, true>(setup, run);
    } else {
      withPusher<Field, false>(setup, run);
    }
  });
}

}  // namespace simscope::lorentz
