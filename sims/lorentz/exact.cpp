#include "sims/lorentz/exact.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/lorentz/fields.h"

namespace simscope::lorentz {
namespace {

constexpr double kPi = std::numbers::pi;

double square(double x) {
  return x * x;
}

// Where f changes its sign between a and b; NaN where it does not.
template <class F>
double rootBetween(double a, double b, const F& f) {
  const bool rises = f(b) > 0;
  if (!((f(a) > 0) != rises)) return kNaN;
  for (int i = 0; i < 60; ++i) {
    const double middle = (a + b) / 2;
    (((f(middle) > 0) == rises) ? b : a) = middle;
  }
  return (a + b) / 2;
}

// Along a dipole's line of force, at the latitude: B over that on the equator, and the length of the line for a radian
// over the shell.
double dipoleStrength(double latitude) {
  return std::sqrt(1 + 3 * square(std::sin(latitude))) / std::pow(std::cos(latitude), 6);
}
double dipoleLength(double latitude) {
  return std::cos(latitude) * std::sqrt(1 + 3 * square(std::sin(latitude)));
}

// A quarter of a bounce: S = ∫ ds/√(1 − y²b) and D = ∫ (1 + y²b/2)/√(1 − y²b) ds, y the sine of the pitch angle on the
// equator, b = B over that there. The bounce takes 4 (shell/v) S, and D/S tells how the drift is averaged.
struct Quarter {
  double s = kNaN, d = kNaN;
};
Quarter quarterOfBounce(const Parameters& p) {
  const double y2 = square(std::sin(p.pitch * kPi / 180)), surface = std::acos(std::sqrt(1 / p.shell));
  const double turn = rootBetween(0, surface, [&](double latitude) { return y2 * dipoleStrength(latitude) - 1; });
  if (!(turn > 1e-3)) return {};
  constexpr int kPoints = 4000;  // latitude = turn · sin θ, so that the root's singularity goes
  Quarter q{0, 0};
  for (int i = 0; i < kPoints; ++i) {
    const double theta = (i + 0.5) * kPi / 2 / kPoints, latitude = turn * std::sin(theta);
    const double b = y2 * dipoleStrength(latitude), root = std::sqrt(std::max(1e-15, 1 - b));
    const double way = dipoleLength(latitude) * turn * std::cos(theta) * kPi / 2 / kPoints;
    q.s += way / root;
    q.d += way * (1 + b / 2) / root;
  }
  return q;
}

// Of the tokamak: at r from the axis in the direction θ (0: outwards), in the plane of R and z.
struct Torus {
  const Parameters& p;
  FirstParticle first;
  double psi(double r) const {
    return p.field / p.safety_factor * (r * r / 2 - square(r * r) / (8 * square(p.minorRadius())));
  }
  double major(double r, double theta) const { return p.major_radius + r * std::cos(theta); }
  // R u_φ + ψ of a guiding centre that runs along B (way 1) or against it; NaN where it is turned back before.
  double momentum(double r, double theta, double way) const {
    const double at = major(r, theta), toroidal = p.field * p.major_radius / at;
    const double poloidal = p.field / p.safety_factor * r * (1 - r * r / (2 * square(p.minorRadius()))) / at;
    const double b = std::hypot(toroidal, poloidal), along2 = square(first.u) - 2 * first.moment * b;
    return at * way * std::sqrt(along2) * toroidal / b + psi(r);
  }
  double start() const { return first.place - p.major_radius; }
  double way() const { return first.along < 0 ? -1 : 1; }
  bool trapped() const { return std::isnan(momentum(start(), kPi, 1)); }
  double radius(double theta, double along) const {
    const double kept = momentum(start(), 0, way());
    const auto off = [&](double r) { return momentum(r, theta, along) - kept; };
    // It is turned back beyond some r; there the root is looked for up to that only.
    double most = p.minorRadius(), least = 1e-6;
    if (std::isnan(off(most)) && std::isnan(off(least))) return kNaN;
    const auto runs = [&](double r) { return std::isnan(off(r)) ? -1.0 : 1.0; };
    if (std::isnan(off(most))) most = rootBetween(least, most, runs) - 1e-9;
    if (std::isnan(off(least))) least = rootBetween(least, most, runs) + 1e-9;
    return rootBetween(least, most, off);
  }
};

}  // namespace

double strengthAt(const Setup& setup, const double (&x)[3]) {
  double strength = kNaN;
  withField(setup, [&](const auto& field) {
    const Vec3 b = field.at({static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])});
    strength = std::sqrt(double{b.x} * b.x + double{b.y} * b.y + double{b.z} * b.z);
  });
  return strength;
}

FirstParticle firstParticle(const Parameters& p) {
  const double pitch = p.pitch * kPi / 180, along = p.speed * std::cos(pitch), across = p.speed * std::sin(pitch);
  const double gamma = p.relativistic ? std::sqrt(1 + square(p.speed) / p.c2()) : 1;
  double place = 0;
  if (p.in(Configuration::Dipole)) place = p.shell;
  if (p.in(Configuration::Tokamak)) place = p.major_radius + 0.5 * p.minorRadius();
  const double at[] = {place, 0, 0};
  return {p.speed, along, across, gamma, place, square(across) / (2 * strengthAt(p.setup(), at))};
}

double canonicalMomentum(const Setup& s, const double (&x)[3], const double (&u)[3], double charge) {
  const double b = s.field, across2 = x[0] * x[0] + x[1] * x[1], across = std::sqrt(across2), z2 = x[2] * x[2];
  const double momentum = x[0] * u[1] - x[1] * u[0];  // R u_φ
  switch (s.configuration) {
    case Configuration::Uniform:
      return u[1] + charge * b * x[0];
    case Configuration::Gradient:
      return u[1] + charge * b * (x[0] + x[0] * x[0] / (2 * s.length));
    case Configuration::Bottle:
      return momentum + charge * b * across2 / 2 * (1 + (z2 - across2 / 4) / (double{s.length} * s.length));
    case Configuration::Dipole:
      return momentum - charge * b * across2 / std::pow(across2 + z2, 1.5);
    case Configuration::Tokamak: {
      const double r2 = square(across - s.major_radius) + z2;
      return momentum + charge * b / s.safety_factor * (r2 / 2 - r2 * r2 / (8 * square(s.minor_radius)));
    }
  }
  return kNaN;
}

bool electricWins(const Parameters& p) {
  return p.relativistic && p.in(Configuration::Uniform) && std::abs(p.electric_field) >= p.light_speed * p.field;
}

double cyclotronFrequency(const Parameters& p) {
  return p.in(Configuration::Uniform) ? p.field / firstParticle(p).gamma : kNaN;
}

double phaseErrorOf(const Parameters& p) {
  const double angle = cyclotronFrequency(p) * p.time_step;
  switch (p.pusher) {
    case Pusher::Boris:
      return 2 * std::atan(angle / 2) / angle - 1;
    case Pusher::Euler:
      return std::atan(angle) / angle - 1;
    case Pusher::RungeKutta: {
      const double a2 = angle * angle;
      return std::atan2(angle * (1 - a2 / 6), 1 - a2 / 2 + a2 * a2 / 24) / angle - 1;
    }
  }
  return kNaN;
}

double growthOfStep(const Parameters& p) {
  if (!p.in(Configuration::Uniform) || (p.relativistic && p.pusher != Pusher::Boris)) return kNaN;
  if (p.relativistic && p.electric_field != 0) return kNaN;
  const double a2 = square(p.field * p.time_step);
  switch (p.pusher) {
    case Pusher::Boris:
      return 0;
    case Pusher::Euler:
      return a2;
    case Pusher::RungeKutta:
      return a2 * a2 * a2 * (-1.0 / 72 + a2 / 576);
  }
  return kNaN;
}

double bouncePeriod(const Parameters& p) {
  const FirstParticle first = firstParticle(p);
  if (p.in(Configuration::Bottle) && square(first.u) < square(first.across) * p.mirror_ratio) {
    return 2 * kPi * p.length * first.gamma / first.across;
  }
  if (p.in(Configuration::Dipole)) return 4 * p.shell * first.gamma / first.u * quarterOfBounce(p).s;
  return kNaN;
}

double longitudeRate(const Parameters& p) {
  if (!p.in(Configuration::Dipole)) return kNaN;
  const FirstParticle first = firstParticle(p);
  const Quarter q = quarterOfBounce(p);
  return -square(first.u) / first.gamma * p.shell / p.field * q.d / q.s;
}

double coneRatio(const Parameters& p) {
  if (p.in(Configuration::Bottle)) return p.mirror_ratio;
  if (p.in(Configuration::Dipole)) return dipoleStrength(std::acos(std::sqrt(1 / p.shell)));
  if (!p.in(Configuration::Tokamak)) return kNaN;
  // Here nothing is lost: beyond it, particles run round and round.
  const double inner[] = {0.5 * p.minorRadius() - p.major_radius, 0, 0}, outer[] = {firstParticle(p).place, 0, 0};
  return strengthAt(p.setup(), inner) / strengthAt(p.setup(), outer);
}

double lostShare(const Parameters& p) {
  if (p.beam() || !(p.in(Configuration::Bottle) || p.in(Configuration::Dipole))) return kNaN;
  return 1 - std::sqrt(1 - 1 / coneRatio(p));
}

double bananaWidth(const Parameters& p) {
  if (!p.in(Configuration::Tokamak)) return kNaN;
  const Torus torus{p, firstParticle(p)};
  return torus.trapped() ? std::abs(torus.radius(0, -torus.way()) - torus.start()) : kNaN;
}

std::vector<std::pair<float, float>> bananaOrbit(const Parameters& p, int points) {
  std::vector<std::pair<float, float>> orbit(2 * static_cast<std::size_t>(points), {NAN, NAN});
  if (!p.in(Configuration::Tokamak)) return orbit;
  const Torus torus{p, firstParticle(p)};
  for (int i = 0; i < 2 * points; ++i) {
    const double theta = (i % points + 0.5) * 2 * kPi / points - kPi;
    const double r = torus.radius(theta, i < points ? torus.way() : -torus.way());
    if (!torus.trapped() && i >= points) continue;
    orbit[static_cast<std::size_t>(i)] = {static_cast<float>(torus.major(r, theta)),
                                          static_cast<float>(r * std::sin(theta))};
  }
  return orbit;
}

}  // namespace simscope::lorentz
