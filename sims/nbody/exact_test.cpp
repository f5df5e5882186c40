// The references themselves: starts and exact solutions.
#include <gtest/gtest.h>

#include <numbers>

#include "sims/nbody/exact.h"
#include "sims/nbody/few/fixed_systems.h"
#include "sims/nbody/initial.h"
#include "sims/nbody/testing.h"

namespace simscope::nbody {
namespace {

using namespace tests;

constexpr double kPi = std::numbers::pi;

TEST(Kepler, PlacesObeyTheirEquationOfMotion) {
  const double constant = 3.7, h = 1e-4;
  for (const double t : {0.02, 0.4, 1.1, 5.0}) {
    const auto before = keplerPlaces(constant, t - h), now = keplerPlaces(constant, t),
               after = keplerPlaces(constant, t + h);
    for (std::size_t k = 0; k < 3; ++k) {
      const double acceleration = (before[0][k] - 2 * now[0][k] + after[0][k]) / (h * h);
      const double dx = now[1][0] - now[0][0], dy = now[1][1] - now[0][1], r3 = std::pow(dx * dx + dy * dy, 1.5);
      const double expected = constant * kKeplerMasses[1] * (now[1][k] - now[0][k]) / r3;
      EXPECT_NEAR(acceleration, expected, 2e-4 * constant / r3) << t;
    }
  }
}

TEST(Kepler, OrbitCloses) {
  const auto start = keplerPlaces(2, 0), later = keplerPlaces(2, 40 * keplerPeriod(2));
  EXPECT_NEAR(start[1][0], kKeplerMasses[0] * (1 - kEccentricity), 1e-15);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(start[i][k], later[i][k], 1e-12);
  }
}

TEST(FigureEight, IsAChoreography) {
  // A third of a period later each body is where another one was; after the whole of it, where it was itself.
  const double period = figureEightPeriod(1);
  EXPECT_NEAR(period, 6.3259, 5e-5);
  for (const double t : {0.0, 0.7, 2.9}) {
    const auto now = figureEightPlaces(1, t), later = figureEightPlaces(1, t + period / 3);
    double nearest = 1;
    for (const Place& other : now) {
      nearest = std::min(nearest, std::hypot(other[0] - later[0][0], other[1] - later[0][1]));
    }
    EXPECT_LT(nearest, 1e-8) << t;
  }
  const auto start = figureEightPlaces(1, 0), end = figureEightPlaces(1, period * (1 - 1e-13));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(start[i][0], end[i][0], 1e-9);
    EXPECT_NEAR(start[i][1], end[i][1], 1e-9);
  }
}

TEST(ExactProfile, ColdSphereFallsFreely) {
  // R'' = −GM/R² from rest, by finite differences.
  const Parameters p = parametersWith({{"initial", "cold_sphere"}, {"gravitational_constant", "2"}});
  const auto radius = [&](double t) { return exactProfile(p, t)->scale; };
  const double h = 1e-4;
  for (const double t : {0.1, 0.4, 0.6}) {
    const double acceleration = (radius(t - h) - 2 * radius(t) + radius(t + h)) / (h * h);
    EXPECT_NEAR(acceleration, -2 / (radius(t) * radius(t)), 1e-4) << t;
  }
  const double collapse = kPi / 2 / std::sqrt(2 * 2.0);
  EXPECT_FALSE(exactProfile(p, collapse));
  EXPECT_TRUE(exactProfile(p, 0.85 * collapse));
}

TEST(ExactProfile, EqualChargesFlyApart) {
  const Parameters p = parametersWith({{"initial", "cold_sphere"}, {"force", "coulomb"}});
  const auto radius = [&](double t) { return exactProfile(p, t)->scale; };
  const double h = 1e-3;
  for (const double t : {0.1, 1.0, 4.0}) {
    const double acceleration = (radius(t - h) - 2 * radius(t) + radius(t + h)) / (h * h);
    EXPECT_NEAR(acceleration, 1 / (radius(t) * radius(t)), 1e-5) << t;
  }
}

TEST(Initial, PlummerSphereIsInEquilibrium) {
  Session run({{"bodies", "20000"}, {"softening", "0"}});
  const std::vector<double> values = run.diagnostics();
  EXPECT_NEAR(values[kPotentialEnergy], -3 * kPi / 32, 0.01);
  EXPECT_NEAR(values[kTotalEnergy], -3 * kPi / 64, 0.01);
  EXPECT_NEAR(values[kVirialRatio], 1, 0.02);
  EXPECT_NEAR(values[kHalfMassRadius], values[kHalfMassRadiusExact], 0.03);
  EXPECT_NEAR(values[kHalfMassRadiusExact], 1.3048, 1e-4);
}

TEST(Initial, CentreOfMassRestsAtTheOrigin) {
  for (const char* const initial :
       {"plummer", "two_galaxies", "cold_sphere", "ring", "kepler", "figure_eight", "solar_system", "random"}) {
    for (const char* const bodies : {"1", "2", "7", "100"}) {
      Session run({{"initial", initial}, {"bodies", bodies}});
      const std::vector<double> x = run.array("position"), mass = run.array("mass");
      double centre[3] = {}, total = 0;
      for (std::size_t i = 0; i < mass.size(); ++i) {
        total += mass[i];
        for (std::size_t k = 0; k < 3; ++k) centre[k] += mass[i] * x[3 * i + k];
      }
      for (const double each : centre) EXPECT_NEAR(each, 0, 1e-12) << initial << ", " << bodies;
      EXPECT_LT(run.diagnostic(kMomentum), 1e-12) << initial << ", " << bodies;
      if (std::string(initial) != "figure_eight") {
        EXPECT_NEAR(total, 1, 2e-3) << initial << ", " << bodies;
      }
    }
  }
}

TEST(Initial, TwoGalaxiesMeetOnAParabola) {
  Session run({{"initial", "two_galaxies"}, {"bodies", "2"}, {"softening", "0"}});
  EXPECT_NEAR(run.diagnostic(kTotalEnergy), 0, 1e-12);
}

TEST(Initial, PlanetsHaveTheirYears) {
  // Kepler's third law from places and speeds: a⁻¹ = 2/r − v²/GM.
  Session run({{"initial", "solar_system"}, {"gravitational_constant", "39.47841760435743"}, {"softening", "0"}});
  const std::vector<double> x = run.array("position"), v = run.array("velocity");
  const double years[] = {0.2408, 0.6152, 1.0000, 1.8808, 11.862, 29.447, 84.02, 164.79};
  for (std::size_t planet = 1; planet <= 8; ++planet) {
    double r2 = 0, v2 = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      r2 += std::pow(x[3 * planet + k] - x[k], 2);
      v2 += std::pow(v[3 * planet + k] - v[k], 2);
    }
    const double mass = 1 + run.array("mass")[planet], axis = 1 / (2 / std::sqrt(r2) - v2 / (4 * kPi * kPi * mass));
    EXPECT_NEAR(std::pow(axis, 1.5) / std::sqrt(mass), years[planet - 1], 2e-3 * years[planet - 1]) << planet;
  }
}

TEST(Initial, SeedDecides) {
  const Changes changes{{"bodies", "200"}};
  EXPECT_EQ(Session(changes, 5).array("position"), Session(changes, 5).array("position"));
  EXPECT_NE(Session(changes, 5).array("position"), Session(changes, 6).array("position"));
}

}  // namespace
}  // namespace simscope::nbody
