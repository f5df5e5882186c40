// The flight with drag: closed forms, the order of the scheme, and the landing within a step.
#include "sims/projectiles/drag.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sims/projectiles/exact.h"

namespace simscope::projectiles {
namespace {

constexpr double kGravity = 9.81;

struct Flown {
  Motion<double> landed;
  double duration = 0, highest = 0;
};
template <class Real>
Flown fly(const DragLaw<Real>& law, double height, double vx, double vy, double dt) {
  Motion<Real> now{0, static_cast<Real>(height), static_cast<Real>(vx), static_cast<Real>(vy)};
  const Real step = static_cast<Real>(dt);
  double highest = height;
  for (int i = 0;; ++i) {
    const Motion<Real> next = law.step(now, step);
    if (now.vy > 0 && next.vy <= 0) highest = law.apex(now, next, step);
    if (next.y <= 0) {
      Motion<Real> landed;
      const double within = law.landing(now, step, landed);
      return {{landed.x, landed.y, landed.vx, landed.vy}, i * dt + within, highest};
    }
    now = next;
  }
}

TEST(LambertW, SolvesItsEquation) {
  for (const double w : {-0.9999, -0.99, -0.7, -0.5, -0.2, -0.01, -1e-6, -1e-30}) {
    EXPECT_NEAR(lambertW(w * std::exp(w)) / w, 1, w < -0.999 ? 1e-8 : 1e-12) << w;
  }
  EXPECT_EQ(lambertW(0), 0);
  EXPECT_NEAR(lambertW(-std::exp(-1)), -1, 1e-7);
}

TEST(LinearFlight, LandsWhereBisectionFindsIt) {
  for (const double k : {1e-4, 0.01, 0.3, 5.0}) {
    for (const double height : {0.0, 1.0, 500.0}) {
      for (const double vy : {0.001, 1.0, 30.0, 300.0}) {
        const LinearFlight flight{height, kGravity, k};
        double low = 0, high = 1;
        if (height == 0) low = 0.2 * vy / (kGravity + k * vy);  // still above the ground
        while (flight.at(0, vy, high).y > 0) high *= 2;
        for (int i = 0; i < 200; ++i) {
          const double middle = (low + high) / 2;
          (flight.at(0, vy, middle).y > 0 ? low : high) = middle;
        }
        EXPECT_NEAR(flight.duration(vy) / low, 1, 1e-6) << k << ", " << height << ", " << vy;
      }
    }
  }
  EXPECT_EQ((LinearFlight{0, kGravity, 0.1}.duration(0)), 0);
}

TEST(LinearFlight, SpeedForARangeFliesThatFar) {
  for (const double k : {1e-4, 0.05, 2.0}) {
    for (const double height : {0.0, 200.0}) {
      for (const double angle : {0.1, 0.8, 1.4}) {
        const LinearFlight flight{height, kGravity, k};
        const double range = 3 / k < 400 ? 1 / k : 400;
        const double speed = flight.speedFor(range, std::cos(angle), std::sin(angle));
        const double duration = flight.duration(speed * std::sin(angle));
        EXPECT_NEAR(flight.at(speed * std::cos(angle), 0, duration).x / range, 1, 1e-7) << k << ", " << angle;
      }
    }
  }
}

TEST(LinearFlight, BecomesTheParabolaWithoutDrag) {
  const Motion<double> at = LinearFlight{10, kGravity, 1e-6}.at(30, 40, 5);
  EXPECT_NEAR(at.x, 150, 1e-3);
  EXPECT_NEAR(at.y, 10 + 200 - kGravity * 12.5, 1e-3);
}

// Place and time of the landing, in a step of any phase, and the apex: all of fourth order.
TEST(RungeKutta, LandsAndTurnsToFourthOrderBesideTheClosedForm) {
  const double k = 0.4, vx = 60, vy = 70;
  const LinearFlight exact{20, kGravity, k};
  const double duration = exact.duration(vy), range = exact.at(vx, vy, duration).x;
  const double highest = exact.at(vx, vy, std::log1p(k * vy / kGravity) / k).y;
  const auto errors = [&](double dt) {
    const Flown flown = fly<double>({kGravity, k, 0}, 20, vx, vy, dt);
    return std::array{std::abs(flown.landed.x - range), std::abs(flown.duration - duration),
                      std::abs(flown.highest - highest)};
  };
  const auto coarse = errors(0.5), fine = errors(0.125);
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    EXPECT_GT(coarse[i], 1e-8) << "there is something to compare";
    EXPECT_NEAR(std::log2(coarse[i] / fine[i]) / 2, 4, 0.7) << i;
  }
}

TEST(RungeKutta, QuadraticDragConvergesToFourthOrder) {
  const DragLaw<double> law{kGravity, 0, 0.004};
  const Flown exact = fly(law, 0, 80, 80, 1.0 / 512);
  const auto error = [&](double dt) { return std::abs(fly(law, 0, 80, 80, dt).landed.x - exact.landed.x); };
  EXPECT_NEAR(std::log2(error(0.5) / error(0.125)) / 2, 4, 0.7);
}

// Thrown upright, quadratic drag has closed forms: the apex, both ways' times, and the speed at the end.
TEST(RungeKutta, UprightThrowsAreTheClosedFormsOfQuadraticDrag) {
  const double k = 0.004, speed = 90, terminal = std::sqrt(kGravity / k);
  const double apex = std::log1p(speed * speed / (terminal * terminal)) / (2 * k);
  const double up = terminal / kGravity * std::atan(speed / terminal),
               down = terminal / kGravity * std::acosh(std::exp(k * apex));
  const Flown flown = fly<double>({kGravity, 0, k}, 0, 0, speed, 0.02);
  EXPECT_NEAR(flown.highest, apex, 1e-5);
  EXPECT_NEAR(flown.duration, up + down, 1e-5);
  EXPECT_NEAR(flown.landed.vy, -speed / std::hypot(1, speed / terminal), 1e-5);
  const Flown single = fly<float>({9.81f, 0, 0.004f}, 0, 0, speed, 0.02);
  EXPECT_NEAR(single.duration, up + down, 1e-3);
}

TEST(RungeKutta, LongFallsEndAtTerminalSpeed) {
  const Flown quadratic = fly<double>({kGravity, 0, 0.01}, 3000, 100, 0, 0.05);
  EXPECT_NEAR(quadratic.landed.vy, -std::sqrt(kGravity / 0.01), 1e-6);
  EXPECT_NEAR(quadratic.landed.vx, 0, 1e-3);
  const Flown linear = fly<double>({kGravity, 0.4, 0}, 3000, 100, 0, 0.05);
  EXPECT_NEAR(linear.landed.vy, -kGravity / 0.4, 1e-6);
}

TEST(RungeKutta, WithoutDragAnyStepIsExact) {
  const Flown flown = fly<double>({kGravity, 0, 0}, 15, 40, 30, 0.7);
  const double duration = (30 + std::sqrt(900 + 2 * kGravity * 15)) / kGravity;
  EXPECT_NEAR(flown.duration, duration, 1e-12);
  EXPECT_NEAR(flown.landed.x, 40 * duration, 1e-10);
  EXPECT_NEAR(flown.highest, 15 + 900 / (2 * kGravity), 1e-10);
}

// A launch that is down again within its first step: the second root, not the start.
TEST(RungeKutta, ShortHopsLandBehindTheirStart) {
  for (const double vy : {1e-4, 0.01, 0.3}) {
    Motion<double> landed;
    const double time = DragLaw<double>{kGravity, 0.05, 0}.landing({0, 0, 100, vy}, 0.1, landed);
    EXPECT_NEAR(time / (LinearFlight{0, kGravity, 0.05}.duration(vy)), 1, 1e-6);
  }
  Motion<double> landed;
  EXPECT_EQ((DragLaw<double>{kGravity, 0, 0}.landing({0, 0, 100, 0}, 0.1, landed)), 0);
}

}  // namespace
}  // namespace simscope::projectiles
