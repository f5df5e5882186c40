// The flight with drag: a step of Runge and Kutta's classical scheme, the landing within a step, and the closed form of
// linear drag. On host and device; SI units.
#pragma once

#include <cmath>

#include "sims/compute/host_device.h"

namespace simscope::projectiles {

template <class Real>
struct Motion {
  Real x, y, vx, vy;
};

// a = -(linear + quadratic |v|) v - g ŷ
template <class Real>
struct DragLaw {
  Real gravity, linear, quadratic;

  template <bool squared>
  SIMSCOPE_HD void accelerate(Real vx, Real vy, Real& ax, Real& ay) const {
    Real rate = linear;
    if constexpr (squared) rate += quadratic * std::sqrt(vx * vx + vy * vy);
    ax = -(rate * vx);
    ay = -(gravity + rate * vy);
  }

  SIMSCOPE_HD Motion<Real> step(const Motion<Real>& from, Real dt) const {
    return quadratic > 0 ? stepAs<true>(from, dt) : stepAs<false>(from, dt);
  }
  // Fourth order. The velocity does not depend on the place, so that the four slopes of the place are velocities.
  // squared: whether drag grows with v², too.
  template <bool squared>
  SIMSCOPE_HD Motion<Real> stepAs(const Motion<Real>& from, Real dt) const {
    const Real half = Real(0.5) * dt, sixth = dt * (Real(1) / 6);
    Real ax1, ay1, ax2, ay2, ax3, ay3, ax4, ay4;
    accelerate<squared>(from.vx, from.vy, ax1, ay1);
    const Real ux2 = from.vx + half * ax1, uy2 = from.vy + half * ay1;
    accelerate<squared>(ux2, uy2, ax2, ay2);
    const Real ux3 = from.vx + half * ax2, uy3 = from.vy + half * ay2;
    accelerate<squared>(ux3, uy3, ax3, ay3);
    const Real ux4 = from.vx + dt * ax3, uy4 = from.vy + dt * ay3;
    accelerate<squared>(ux4, uy4, ax4, ay4);
    return {from.x + sixth * ((from.vx + ux4) + Real(2) * (ux2 + ux3)),
            from.y + sixth * ((from.vy + uy4) + Real(2) * (uy2 + uy3)),
            from.vx + sixth * ((ax1 + ax4) + Real(2) * (ax2 + ax3)),
            from.vy + sixth * ((ay1 + ay4) + Real(2) * (ay2 + ay3))};
  }

  // The share of a step after which y is 0 again, where the whole step ends below: Newton's method on the length of the
  // step, each trial a step of the scheme. y is concave (or, above terminal speed, nearly straight), so that the
  // iteration approaches the later root from beyond it.
  SIMSCOPE_HD Real landing(const Motion<Real>& from, Real dt, Motion<Real>& landed) const {
    constexpr int kTrials = 48;  // far beyond the root a trial only halves the distance
    Real time = from.y <= 0 && from.vy <= 0 ? 0 : dt;
    landed = step(from, time);
    for (int trial = 0; trial < kTrials && time > 0; ++trial) {
      const Real next = time - landed.y / landed.vy;
      if (!(landed.vy < 0) || !(next < time) || !(next >= 0)) break;
      time = next;
      landed = step(from, time);
    }
    landed.y = 0;
    return time;
  }

  // The largest height within a step that begins upwards and ends downwards: a secant gives the vertical speed's zero
  // to second order, and the height is stationary there.
  SIMSCOPE_HD Real apex(const Motion<Real>& from, const Motion<Real>& to, Real dt) const {
    const Motion<Real> top = step(from, dt * (from.vy / (from.vy - to.vy)));
    return top.y + top.vy * top.vy / (2 * gravity);
  }
};

// W₀(x) for -1/e ≤ x ≤ 0, the upper branch of w exp(w) = x: from -1 to 0. Halley's method (Corless et al. 1996).
SIMSCOPE_HD inline double lambertW(double x) {
  const double left = 1 + 2.718281828459045235 * x;
  if (!(left > 0)) return -1;
  // Near the branch point a series in p, which is a good start value everywhere below 0.
  const double p = std::sqrt(2 * left);
  double w = -1 + p * (1 + p * (-1.0 / 3 + p * (11.0 / 72)));
  if (w > 0) w = x;
  for (int i = 0; i < 3; ++i) {
    const double power = std::exp(w), off = w * power - x, up = w + 1;
    if (!(up > 1e-8)) break;
    w -= off / (power * up - (w + 2) * off / (2 * up));
  }
  return w;
}

// Linear drag of rate k > 0, in closed form, double precision.
struct LinearFlight {
  double height, gravity, k;

  // (1 - exp(-kt))/k, which is t without drag.
  SIMSCOPE_HD double reach(double time) const { return -std::expm1(-k * time) / k; }
  SIMSCOPE_HD Motion<double> at(double vx, double vy, double time) const {
    const double far = reach(time), fall = gravity / k, decay = std::exp(-k * time);
    return {vx * far, height + vy * far - fall * (time - far), vx * decay, (vy + fall) * decay - fall};
  }
  // z = kT solves z = A (1 - exp(-z)) + B with A = 1 + k v_y/g, B = k² h/g: z = A + B + W₀(-A exp(-A - B)), polished by
  // Newton's method where that cancels.
  SIMSCOPE_HD double duration(double vy) const {
    const double a = 1 + k * vy / gravity, b = k * k * height / gravity;
    double z = a + b + lambertW(-a * std::exp(-a - b));
    const double ballistic = k * (vy + std::sqrt(vy * vy + 2 * gravity * height)) / gravity;
    if (!(z > 0.01)) z = ballistic;  // a little more than the root, so that Newton's method descends to it
    for (int i = 0; i < 4; ++i) {
      const double slope = 1 - a * std::exp(-z);
      if (!(slope > 0)) break;
      z -= (z + a * std::expm1(-z) - b) / slope;
    }
    return z > 0 ? z / k : 0;
  }
  // The speed at an angle for the range r: the trajectory through (r, 0) has h + r tan θ = -(g/k²)(z + ln(1 - z)), z =
  // kr/v_x, so that z = 1 + W₀(-exp(-1 - c)), c = (h + r tan θ) k²/g.
  SIMSCOPE_HD double speedFor(double range, double cosine, double sine) const {
    const double c = (height + range * sine / cosine) * k * k / gravity;
    // For small c: z²/2 + z³/3 + z⁴/4 = c.
    const double s = std::sqrt(2 * c);
    const double z = c < 1e-6 ? s * (1 - s / 3) : 1 + lambertW(-std::exp(-1 - c));
    return k * range / (z * cosine);
  }
};

}  // namespace simscope::projectiles
