#include "sims/nbody/few/fixed_systems.h"
#include "sims/nbody/initial.h"

#include <cmath>

#include "sims/compute/elementary.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/random/random.h"

namespace simscope::nbody {
namespace functors {

using compute::cosineOfTurns;
using compute::Normal4;
using compute::sineOfTurns;
using compute::Uniform4;

// Streams of random numbers.
constexpr std::uint32_t kPlaces = 0, kVelocities = 1, kThickness = 2, kRejection = 16;

// The two galaxies: heavy centres with discs of light bodies, on a parabolic orbit about each other.
constexpr double kFirstMass = 0.6, kSecondMass = 0.4;
constexpr double kDiscShare = 0.05;  // of a galaxy's mass
constexpr double kDiscInner = 0.2, kDiscOuter = 1.2;
constexpr double kSecondSize = 0.75;  // of the second disc relative to the first
constexpr double kStartDistance = 4, kNearest = 0.9;
constexpr double kSecondTilt = 1.05;  // of the second disc's plane [rad]

constexpr double kRingMass = 1e-3, kRingInner = 0.6, kRingOuter = 1.3;

struct Vector {
  double x, y, z;
};

SIMSCOPE_HD inline Vector onSphere(double radius, double u, double v) {
  const double z = 1 - 2 * u, across = std::sqrt(1 - z * z);
  return {radius * across * cosineOfTurns(v), radius * across * sineOfTurns(v), radius * z};
}

struct Start {
  double *x, *v, *mass, *charge;  // charge may be null
  int* group;
  int n;
  Initial initial;
  double constant, softening2;
  bool by_charge;
  std::uint64_t seed;

  struct Made {
    Vector x, v;
    double mass;
    double sign;  // of the charge
    int group;
  };

  // S. J. Aarseth, M. Hénon, R. Wielen, Astron. Astrophys. 37 (1974) 183. The outermost 1/1000 is left out.
  SIMSCOPE_HD Made plummer(std::size_t i) const {
    const Uniform4 u = compute::uniform4(seed, kPlaces, i), w = compute::uniform4(seed, kVelocities, i);
    const double root = compute::cubeRoot(0.999 * u.u[0]);
    const double radius = kPlummerRadius / std::sqrt(1 / (root * root) - 1);
    const double r2 = radius * radius / (kPlummerRadius * kPlummerRadius);
    const double escape = std::sqrt(2 * constant / kPlummerRadius) / std::sqrt(std::sqrt(1 + r2));
    double share = 0.3;  // of the escape velocity, distributed as q² (1 − q²)^{7/2}
    for (std::uint32_t attempt = 0; attempt < 128; ++attempt) {
      const Uniform4 trial = compute::uniform4(seed, kRejection + attempt / 2, i);
      const double q = trial.u[2 * (attempt % 2)], rest = 1 - q * q;
      if (0.1 * trial.u[2 * (attempt % 2) + 1] < q * q * rest * rest * rest * std::sqrt(rest)) {
        share = q;
        break;
      }
    }
    // Shells of a quarter of the mass each.
    const int shell = static_cast<int>(4 * u.u[0]);
    return {onSphere(radius, u.u[1], u.u[2]), onSphere(share * escape, w.u[0], w.u[1]), 1.0 / n, i % 2 ? -1.0 : 1.0,
            shell};
  }

  SIMSCOPE_HD Made coldSphere(std::size_t i) const {
    const Uniform4 u = compute::uniform4(seed, kPlaces, i);
    const double radius = kSphereRadius * compute::cubeRoot(u.u[0]);
    return {onSphere(radius, u.u[1], u.u[2]), {0, 0, 0}, 1.0 / n, 1.0, static_cast<int>(4 * u.u[0])};
  }

  // A body on a circular orbit about a softened centre of mass `centre`.
  SIMSCOPE_HD Made orbiting(std::size_t i, double centre, double inner, double outer) const {
    const Uniform4 u = compute::uniform4(seed, kPlaces, i);
    const Normal4 z = compute::normal4(seed, kThickness, i);
    const double r = inner + (outer - inner) * u.u[0], c = cosineOfTurns(u.u[1]), s = sineOfTurns(u.u[1]);
    const double soft = r * r + softening2;
    const double speed = std::sqrt(constant * centre * r * r / (soft * std::sqrt(soft)));
    Made made{{r * c, r * s, 0.01 * r * z.z[0]}, {-speed * s, speed * c, 0}, 0, -1.0, static_cast<int>(6 * u.u[1])};
    return made;
  }

  SIMSCOPE_HD Made ring(std::size_t i) const {
    if (i == 0) return {{0, 0, 0}, {0, 0, 0}, n > 1 ? 1 - kRingMass : 1.0, 1.0, 6};
    Made made = orbiting(i, 1, kRingInner, kRingOuter);
    made.mass = kRingMass / (n - 1);
    return made;
  }

  SIMSCOPE_HD Made galaxies(std::size_t i) const {
    const int which = static_cast<int>(i % 2), members = (n + 1 - which) / 2;
    const double all = n < 2        ? 1
                       : which == 0 ? kFirstMass
                                    : kSecondMass,
                 centre = members > 1 ? all * (1 - kDiscShare) : all;
    Made made{{0, 0, 0}, {0, 0, 0}, centre, 1.0, which};
    if (i >= 2) {
      const double size = which == 0 ? 1 : kSecondSize;
      made = orbiting(i, centre, size * kDiscInner, size * kDiscOuter);
      made.mass = all * kDiscShare / (members - 1);
      made.group = which;
    }
    if (which == 1) {
      const double c = compute::cosine(kSecondTilt), s = compute::sine(kSecondTilt);
      made.x = {made.x.x, c * made.x.y - s * made.x.z, s * made.x.y + c * made.x.z};
      made.v = {made.v.x, c * made.v.y - s * made.v.z, s * made.v.y + c * made.v.z};
    }
    // The relative orbit: energy 0, nearest distance kNearest; each galaxy moves by the other's share of the mass.
    const double share = which == 0 ? -kSecondMass : kFirstMass;
    const double across = std::sqrt(2 * constant * kNearest) / kStartDistance;
    const double towards = std::sqrt(2 * constant / kStartDistance - across * across);
    made.x.x += share * kStartDistance;
    made.v.x -= share * towards;
    made.v.y += share * across;
    return made;
  }

  SIMSCOPE_HD Made random(std::size_t i) const {
    const Uniform4 u = compute::uniform4(seed, kPlaces, i);
    const Normal4 z = compute::normal4(seed, kVelocities, i);
    const double speed = 0.4 * std::sqrt(constant);
    const Vector place{2 * u.u[0] - 1, 2 * u.u[1] - 1, 2 * u.u[2] - 1};
    return {place,
            {speed * z.z[0], speed * z.z[1], speed * z.z[2]},
            1.0 / n,
            i % 2 ? -1.0 : 1.0,
            (place.x > 0 ? 1 : 0) + (place.y > 0 ? 2 : 0) + (place.z > 0 ? 4 : 0)};
  }

  SIMSCOPE_HD Made make(std::size_t i) const {
    switch (initial) {
      case Initial::TwoGalaxies:
        return galaxies(i);
      case Initial::ColdSphere:
        return coldSphere(i);
      case Initial::Ring:
        return ring(i);
      case Initial::Random:
        return random(i);
      default:
        return plummer(i);
    }
  }

  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Made made = make(i);
    x[3 * i] = made.x.x;
    x[3 * i + 1] = made.x.y;
    x[3 * i + 2] = made.x.z;
    v[3 * i] = made.v.x;
    v[3 * i + 1] = made.v.y;
    v[3 * i + 2] = made.v.z;
    mass[i] = made.mass;
    if (charge) charge[i] = made.sign * made.mass;
    group[i] = !by_charge ? made.group : made.sign > 0 ? 1 : 0;
  }
};

struct Centre {
  double mass, x[3], v[3];
};
struct CentreOf {
  const double *x, *v, *mass;
  SIMSCOPE_HD Centre operator()(std::size_t i) const {
    const double m = mass[i];
    return {m, {m * x[3 * i], m * x[3 * i + 1], m * x[3 * i + 2]}, {m * v[3 * i], m * v[3 * i + 1], m * v[3 * i + 2]}};
  }
};
struct JoinCentres {
  SIMSCOPE_HD Centre operator()(const Centre& a, const Centre& b) const {
    return {a.mass + b.mass,
            {a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]},
            {a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]}};
  }
};
struct Recentre {
  double *x, *v;
  Centre centre;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    x[i] -= centre.x[i % 3] / centre.mass;
    v[i] -= centre.v[i % 3] / centre.mass;
  }
};

}  // namespace functors

void makeInitial(compute::Device& device, const Parameters& p, std::uint64_t seed, Bodies& bodies) {
  const auto n = static_cast<std::size_t>(bodies.count());
  if (isFixedSystem(p.initial)) {
    std::vector<double> x, v, mass, charge;
    std::vector<int> group;
    for (const BodyState& body : fixedSystem(p)) {
      x.insert(x.end(), body.x, body.x + 3);
      v.insert(v.end(), body.v, body.v + 3);
      mass.push_back(body.mass);
      charge.push_back(body.charge);
      group.push_back(body.group);
    }
    bodies.x.upload(x);
    bodies.v.upload(v);
    bodies.mass.upload(mass);
    if (!bodies.charge.empty()) bodies.charge.upload(charge);
    bodies.group.upload(group);
  } else {
    constexpr std::size_t kCostly = 512;  // elements a task, because of roots and sines
    compute::parallelFor(device, n,
                         functors::Start{bodies.x.data(), bodies.v.data(), bodies.mass.data(), bodies.charge.data(),
                                         bodies.group.data(), bodies.count(), p.initial, p.gravitational_constant,
                                         p.softening * p.softening, groupedByCharge(p), seed},
                         kCostly);
  }
  const functors::Centre centre = compute::reduce(
      device, n, functors::Centre{}, functors::CentreOf{bodies.x.data(), bodies.v.data(), bodies.mass.data()},
      functors::JoinCentres{});
  compute::parallelFor(device, 3 * n, functors::Recentre{bodies.x.data(), bodies.v.data(), centre});
}

}  // namespace simscope::nbody
