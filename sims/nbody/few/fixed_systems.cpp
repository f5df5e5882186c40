#include "sims/nbody/few/fixed_systems.h"

#include <cmath>
#include <numbers>

#include "sims/compute/elementary.h"
#include "sims/nbody/initial.h"

namespace simscope::nbody {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

std::vector<BodyState> kepler(const Parameters& p) {
  const double e = kEccentricity, m1 = kKeplerMasses[0], m2 = kKeplerMasses[1], total = m1 + m2;
  const double distance = 1 - e, speed = std::sqrt(p.gravitational_constant * total * (1 + e) / (1 - e));
  // Charges whose attraction equals that of the masses.
  const double charge = std::sqrt(m1 * m2);
  return {{{-m2 / total * distance, 0, 0}, {0, -m2 / total * speed, 0}, m1, charge, 0},
          {{m1 / total * distance, 0, 0}, {0, m1 / total * speed, 0}, m2, -charge, 1}};
}

// A. Chenciner, R. Montgomery, Ann. of Math. 152 (2000) 881; starting values by C. Simó. Period 6.32591398 √(1/G).
std::vector<BodyState> figureEight(const Parameters& p) {
  const double x = 0.97000435669734, y = -0.24308753153583;
  const double root = std::sqrt(p.gravitational_constant);
  const double vx = -0.93240737144104 * root, vy = -0.86473146092102 * root;
  return {{{x, y, 0}, {-vx / 2, -vy / 2, 0}, 1, 1, 0},
          {{-x, -y, 0}, {-vx / 2, -vy / 2, 0}, 1, -1, 1},
          {{0, 0, 0}, {vx, vy, 0}, 1, 1, 2}};
}

// C. Burrau, Astron. Nachr. 195 (1913) 113: masses of 3, 4, and 5 at rest, each across from the side of its length.
std::vector<BodyState> pythagorean() {
  return {{{1, 3, 0}, {0, 0, 0}, 3, 3, 0}, {{-2, -1, 0}, {0, 0, 0}, 4, -4, 1}, {{1, -1, 0}, {0, 0, 0}, 5, 5, 2}};
}

// Mean elements at J2000, ecliptic: E. M. Standish, J. G. Williams, "Keplerian elements for approximate positions of
// the major planets" (JPL Solar System Dynamics), valid 1800 to 2050. Masses: Sun over planet, IAU 2009.
struct Planet {
  double axis, eccentricity, inclination, mean_longitude, perihelion, node;  // astronomical units, degrees
  double sun_to_mass;
};
constexpr Planet kPlanets[] = {
    {0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593, 6023600},      // Mercury
    {0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255, 408523.719},  // Venus
    {1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0, 328900.5596},          // Earth and Moon
    {1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891, 3098703.59},   // Mars
    {5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909, 1047.348644},  // Jupiter
    {9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448, 3497.9018},    // Saturn
    {19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503, 22902.98},   // Uranus
    {30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574, 19412.26},   // Neptune
};

std::vector<BodyState> solarSystem(const Parameters& p) {
  std::vector<BodyState> bodies = {{{0, 0, 0}, {0, 0, 0}, 1, 1, 0}};
  for (const Planet& planet : kPlanets) {
    const double mass = 1 / planet.sun_to_mass, e = planet.eccentricity;
    const double mean = std::remainder((planet.mean_longitude - planet.perihelion) * kDegree, 2 * std::numbers::pi);
    double anomaly = mean;  // eccentric, by Newton's method
    for (int i = 0; i < 20; ++i)
      anomaly -= (anomaly - e * compute::sine(anomaly) - mean) / (1 - e * compute::cosine(anomaly));
    const double motion = std::sqrt(p.gravitational_constant * (1 + mass) / (planet.axis * planet.axis * planet.axis));
    const double minor = std::sqrt(1 - e * e), rate = motion / (1 - e * compute::cosine(anomaly));
    // In the plane of the orbit, perihelion along the first axis.
    const double along = planet.axis * (compute::cosine(anomaly) - e),
                 across = planet.axis * minor * compute::sine(anomaly);
    const double along_rate = -planet.axis * compute::sine(anomaly) * rate;
    const double across_rate = planet.axis * minor * compute::cosine(anomaly) * rate;
    const double w = (planet.perihelion - planet.node) * kDegree, node = planet.node * kDegree,
                 tilt = planet.inclination * kDegree;
    const double first[3] = {
        compute::cosine(w) * compute::cosine(node) - compute::sine(w) * compute::sine(node) * compute::cosine(tilt),
        compute::cosine(w) * compute::sine(node) + compute::sine(w) * compute::cosine(node) * compute::cosine(tilt),
        compute::sine(w) * compute::sine(tilt)};
    const double second[3] = {
        -compute::sine(w) * compute::cosine(node) - compute::cosine(w) * compute::sine(node) * compute::cosine(tilt),
        -compute::sine(w) * compute::sine(node) + compute::cosine(w) * compute::cosine(node) * compute::cosine(tilt),
        compute::cosine(w) * compute::sine(tilt)};
    BodyState body{{}, {}, mass, -mass, static_cast<int>(bodies.size())};
    for (int k = 0; k < 3; ++k) {
      body.x[k] = along * first[k] + across * second[k];
      body.v[k] = along_rate * first[k] + across_rate * second[k];
    }
    bodies.push_back(body);
  }
  return bodies;
}

}  // namespace

std::vector<BodyState> fixedSystem(const Parameters& p) {
  switch (p.initial) {
    case Initial::Kepler:
      return kepler(p);
    case Initial::FigureEight:
      return figureEight(p);
    case Initial::Pythagorean:
      return pythagorean();
    case Initial::SolarSystem:
      return solarSystem(p);
    default:
      return {};
  }
}

int bodyCount(const Parameters& p) {
  switch (p.initial) {
    case Initial::Kepler:
      return 2;
    case Initial::FigureEight:
    case Initial::Pythagorean:
      return 3;
    case Initial::SolarSystem:
      return 1 + static_cast<int>(std::size(kPlanets));
    default:
      return p.bodies;
  }
}

double halfEdge(const Parameters& p) {
  switch (p.initial) {
    case Initial::Plummer:
      return 4;
    case Initial::TwoGalaxies:
      return 4;
    case Initial::ColdSphere:
      return p.force == Force::Coulomb ? 4 : 1.2;
    case Initial::Ring:
      return 1.5;
    case Initial::Kepler:
      return 1.25;
    case Initial::FigureEight:
      return 1.2;
    case Initial::Pythagorean:
      return 5;
    case Initial::SolarSystem:
      return 32;
    case Initial::Random:
      return 1.6;
  }
  return 1;
}

double usualSize(const Parameters& p) {
  return p.initial == Initial::SolarSystem ? 0.25 : 1;
}

bool groupedByCharge(const Parameters& p) {
  return p.force == Force::Coulomb && (p.initial == Initial::Plummer || p.initial == Initial::Random);
}

int groupCount(const Parameters& p) {
  if (groupedByCharge(p)) return 2;
  switch (p.initial) {
    case Initial::TwoGalaxies:
      return 2;
    case Initial::Plummer:
    case Initial::ColdSphere:
      return 4;
    case Initial::Ring:
      return 7;
    case Initial::Random:
      return 8;
    default:
      return bodyCount(p);
  }
}

std::vector<std::string> groupNames(const Parameters& p) {
  if (groupedByCharge(p)) return {"negative", "positive"};
  switch (p.initial) {
    case Initial::TwoGalaxies:
      return {"first galaxy", "second galaxy"};
    case Initial::Plummer:
    case Initial::ColdSphere:
      return {"innermost", "inner", "outer", "outermost"};  // a quarter of the mass each
    case Initial::Ring:
      return {"0° to 60°", "60° to 120°", "120° to 180°", "180° to 240°", "240° to 300°", "300° to 360°", "centre"};
    case Initial::Kepler:
      return {"heavier", "lighter"};
    case Initial::FigureEight:
      return {"first", "second", "third"};
    case Initial::Pythagorean:
      return {"mass 3", "mass 4", "mass 5"};
    case Initial::SolarSystem:
      return {"Sun", "Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"};
    case Initial::Random:
      break;
  }
  std::vector<std::string> octants;  // by the signs of x, y, and z
  for (int i = 0; i < 8; ++i) {
    std::string name = "xyz";
    for (int axis = 2; axis >= 0; --axis) {
      name.insert(static_cast<std::size_t>(axis) + 1, i >> axis & 1 ? "+" : "−");
    }
    octants.push_back(std::move(name));
  }
  return octants;
}

double trailDuration(const Parameters& p) {
  // A year of the solar system is 2π in the time unit in which G = 1.
  const double unit = 1 / std::sqrt(p.gravitational_constant);
  switch (p.initial) {
    case Initial::Kepler:
      return 5.9 * unit;
    case Initial::FigureEight:
      return 1.9 * unit;
    case Initial::Pythagorean:
      return 3 * unit;
    case Initial::SolarSystem:
      return 12 * 2 * std::numbers::pi * unit;
    default:
      return 2 * unit;
  }
}

}  // namespace simscope::nbody
