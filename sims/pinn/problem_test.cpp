// The exact solutions solve their equations.
#include "sims/pinn/problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace simscope::pinn {
namespace {

constexpr double kPi = std::numbers::pi;

// Its residual by difference quotients of fourth order.
double residual(const Physics& p, double x, double t) {
  constexpr double kStep = 2e-3;
  const auto u = [&](double dx, double dt) { return exactAt(p, x + dx * kStep, t + dt * kStep); };
  const double ux = (8 * (u(1, 0) - u(-1, 0)) - (u(2, 0) - u(-2, 0))) / (12 * kStep);
  const double ut = (8 * (u(0, 1) - u(0, -1)) - (u(0, 2) - u(0, -2))) / (12 * kStep);
  const double uxx = (16 * (u(1, 0) + u(-1, 0)) - (u(2, 0) + u(-2, 0)) - 30 * u(0, 0)) / (12 * kStep * kStep);
  const Loss<double> loss = lossFor<double>(p, 1, 10);
  const Equation<double>& e = loss.equation;
  return e.u * u(0, 0) + e.x * ux + e.xx * uxx + e.t * ut + e.product * u(0, 0) * ux;
}

TEST(Exact, SolutionsSatisfyTheirEquations) {
  for (const double x : {0.1, 0.5, 1.3}) {
    EXPECT_NEAR(residual({.problem = Problem::Decay, .rate = 2}, x, 0), 0, 1e-9);
    EXPECT_NEAR(residual({.problem = Problem::Oscillator, .frequency = 4}, x, 0), 0, 1e-8);
  }
  for (const double x : {0.1, 0.4, 0.9}) {
    for (const double t : {0.1, 0.5, 0.9}) {
      EXPECT_NEAR(residual({.problem = Problem::Heat, .diffusivity = 0.2}, x, t), 0, 1e-8);
    }
  }
}

TEST(ColeHopf, SatisfiesBurgersEquation) {
  for (const double viscosity : {0.5, 0.05, 0.03}) {
    for (const double x : {-0.8, -0.3, -0.1, 0.05, 0.6}) {
      for (const double t : {0.1, 0.4, 0.9}) {
        EXPECT_NEAR(residual({.problem = Problem::Burgers, .viscosity = viscosity}, x, t), 0, 2e-4)
            << viscosity << ", " << x << ", " << t;
      }
    }
  }
}

TEST(ColeHopf, BeginsAsASineAndKeepsItsBoundaryValues) {
  for (const double viscosity : {0.003, 0.05, 0.5}) {
    const Physics p{.problem = Problem::Burgers, .viscosity = viscosity};
    for (double x = -1; x <= 1; x += 0.125) {
      EXPECT_NEAR(exactAt(p, x, 1e-7), -std::sin(kPi * x), 1e-5);
      EXPECT_NEAR(exactAt(p, x, 0.6), -exactAt(p, -x, 0.6), 1e-12);
    }
    for (const double t : {0.0, 0.3, 1.0}) {
      EXPECT_NEAR(exactAt(p, -1, t), 0, 1e-12);
      EXPECT_NEAR(exactAt(p, 1, t), 0, 1e-12);
      EXPECT_NEAR(exactAt(p, 0, t), 0, 1e-12);
    }
  }
}

// Basdevant et al., 1986: ν = 0.01/π has its steepest slope of −152.00516 at t = 1.6037/π.
TEST(ColeHopf, HasTheSteepestSlopeThatTheLiteratureStates) {
  const Physics p{.problem = Problem::Burgers, .viscosity = 0.01 / kPi};
  constexpr double kStep = 1e-5, kTime = 1.6037 / kPi;
  const double slope = (exactAt(p, kStep, kTime) - exactAt(p, -kStep, kTime)) / (2 * kStep);
  EXPECT_NEAR(slope, -152.00516, 0.01);
}

}  // namespace
}  // namespace simscope::pinn
