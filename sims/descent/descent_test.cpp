// Methods beside plain loops, minima, and the account of arrivals.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "sims/descent/testing.h"

namespace simscope::descent::tests {
namespace {

TEST(Minima, AreWhereTheGradientIsZeroAndHaveTheirValues) {
  for (const char* surface : {"bowl", "rosenbrock", "himmelblau", "rastrigin", "beale"}) {
    const Parameters p = parametersWith({{"surface", surface}, {"half_edge", "5.12"}});
    const SurfaceData data = p.surfaceData();
    const Minima minima = minimaOf(p, data);
    EXPECT_TRUE(minima.known);
    EXPECT_NEAR(minima.lowest, 0, 1e-15) << surface;
    for (const Minimum& m : minima.all) {
      withSurface(data, [&](const auto& f) {
        const Dual at = differentiate(f, m.x, m.y);
        EXPECT_NEAR(std::hypot(at.x, at.y), 0, 1e-11) << surface;
        EXPECT_NEAR(at.v, m.value, 1e-13) << surface;
      });
      const Curvature c = curvatureAt(data, m.x, m.y);
      EXPECT_GT(c.smaller, 0) << surface;
    }
  }
  const Curvature valley = curvatureAt(parametersWith({{"surface", "rosenbrock"}}).surfaceData(), 1, 1);
  EXPECT_NEAR(valley.larger, 501 + std::sqrt(501 * 501 - 400.0), 1e-4);
  EXPECT_NEAR(valley.smaller, 501 - std::sqrt(501 * 501 - 400.0), 1e-4);
}

TEST(Minima, OfAFormulaAreFoundBySearching) {
  const Changes typed{{"surface", "formula"}, {"formula", "(x^2+y-11)^2 + (x+y^2-7)^2 - 3"}};
  const Parameters p = parametersWith(typed), known = parametersWith({});
  const Minima found = minimaOf(p, p.surfaceData()), exact = minimaOf(known, known.surfaceData());
  EXPECT_FALSE(found.known);
  ASSERT_EQ(found.all.size(), 4u);
  EXPECT_NEAR(found.lowest, -3, 1e-12);
  for (const Minimum& m : exact.all) {
    double nearest = 1;
    for (const Minimum& each : found.all) nearest = std::min(nearest, std::hypot(each.x - m.x, each.y - m.y));
    EXPECT_LT(nearest, 1e-7);
  }
  const Parameters lattice = parametersWith({{"surface", "rastrigin"}, {"half_edge", "2.6"}});
  EXPECT_EQ(minimaOf(lattice, lattice.surfaceData()).all.size(), 11u * 11u);
  const Parameters slope = parametersWith({{"surface", "formula"}, {"formula", "x"}});
  EXPECT_TRUE(minimaOf(slope, slope.surfaceData()).empty());
  const Parameters cone = parametersWith({{"surface", "formula"}, {"formula", "sqrt((x-1)^2 + y^2)"}});
  const Minima tip = minimaOf(cone, cone.surfaceData());
  ASSERT_GE(tip.all.size(), 1u);
  EXPECT_NEAR(tip.all[0].x, 1, 1e-3);
}

// The methods' equations once more, in a loop of its own, with gradients by hand.
struct Plain {
  double x, y, vx = 0, vy = 0, wx = 0, wy = 0;
  void step(const Parameters& p, int n) {
    const double ahead = p.uses(Method::Nesterov) ? p.momentum : 0, ax = x + ahead * vx, ay = y + ahead * vy;
    const double a = ax * ax + ay - 11, b = ax + ay * ay - 7;
    const double gx = 4 * ax * a + 2 * b, gy = 2 * a + 4 * ay * b;
    if (p.uses(Method::Plain)) {
      x -= p.learning_rate * gx, y -= p.learning_rate * gy;
    } else if (p.uses(Method::Adam)) {
      vx = p.beta1 * vx + (1 - p.beta1) * gx, vy = p.beta1 * vy + (1 - p.beta1) * gy;
      wx = p.beta2 * wx + (1 - p.beta2) * gx * gx, wy = p.beta2 * wy + (1 - p.beta2) * gy * gy;
      const double m = 1 - std::pow(p.beta1, n), w = 1 - std::pow(p.beta2, n);
      x -= p.learning_rate * vx / m / (std::sqrt(wx / w) + 1e-8);
      y -= p.learning_rate * vy / m / (std::sqrt(wy / w) + 1e-8);
    } else {
      vx = p.momentum * vx - p.learning_rate * gx, vy = p.momentum * vy - p.learning_rate * gy;
      x += vx, y += vy;
    }
  }
};

TEST(Methods, GoAsTheirEquationsSay) {
  for (const auto& [method, rate] : {std::pair("plain", "0.004"), std::pair("momentum", "0.001"),
                                     std::pair("nesterov", "0.001"), std::pair("adam", "0.05")}) {
    const Changes changes = kSmall.with({{"method", method}, {"learning_rate", rate}, {"half_edge", "4"}});
    Session run(changes);
    const Parameters p = parametersWith(changes);
    const std::vector<double> x0 = run.values<double>("x"), y0 = run.values<double>("y");
    run.step(20);
    const std::vector<double> x = run.values<double>("x"), y = run.values<double>("y");
    for (std::size_t i = 0; i < x.size(); i += 7) {
      Plain each{x0[i], y0[i]};
      for (int n = 1; n <= 20; ++n) each.step(p, n);
      EXPECT_NEAR(x[i], each.x, 1e-8) << method;
      EXPECT_NEAR(y[i], each.y, 1e-8) << method;
    }
  }
}

TEST(Methods, BfgsNeverClimbsAndEndsRosenbrocksValley) {
  Session run({{"surface", "rosenbrock"}, {"method", "bfgs"}, {"starts", "32"}, {"half_edge", "2"}, {"center_y", "1"}});
  const auto losses = [&] {
    std::vector<double> all;
    const std::vector<double> x = run.values<double>("x"), y = run.values<double>("y");
    for (std::size_t i = 0; i < x.size(); ++i) all.push_back(Rosenbrock{}(x[i], y[i]));
    return all;
  };
  std::vector<double> before = losses();
  for (int n = 0; n < 60; ++n) {
    run.step(1);
    const std::vector<double> now = losses();
    for (std::size_t i = 0; i < now.size(); ++i) EXPECT_LE(now[i], before[i] * (1 + 1e-12) + 1e-300);
    before = now;
  }
  EXPECT_EQ(run.diagnostic(kArrived), 1);
  EXPECT_LT(run.diagnostic(kMedianLoss), -20);
}

TEST(Methods, AChangeForgetsWhatTheFormerOneHasLearnt) {
  Session run(kSmall), fresh(kSmall.with({{"method", "adam"}}));
  run.step(30);
  run.change({{"method", "adam"}});
  fresh.setValues("x", run.values<double>("x"));
  fresh.setValues("y", run.values<double>("y"));
  run.step(5);
  fresh.step(5);
  EXPECT_TRUE(sameBits(run.values<double>("x"), fresh.values<double>("x")));
  EXPECT_TRUE(std::isnan(run.diagnostic(kMeanLossExact)));
}

TEST(Arrivals, AreTheIterationsAtWhichStartsCameToStay) {
  const Changes changes = kSmall.with({{"tolerance", "0.3"}});
  Session run(changes);
  const Parameters p = parametersWith(changes);
  const Minima minima = minimaOf(p, p.surfaceData());
  std::vector<int> since(run.values<int>("since").size(), kOnItsWay);
  for (int n = 0; n <= 120; ++n) {
    if (n > 0) run.step(1);
    const std::vector<double> x = run.values<double>("x"), y = run.values<double>("y");
    for (std::size_t i = 0; i < since.size(); ++i) {
      double nearest = HUGE_VAL;
      for (const Minimum& m : minima.all) nearest = std::min(nearest, std::hypot(x[i] - m.x, y[i] - m.y));
      since[i] = nearest > 0.3 ? kOnItsWay : since[i] < 0 ? n : since[i];
    }
  }
  EXPECT_EQ(run.values<int>("since"), since);
  EXPECT_GT(run.diagnostic(kArrived), 0.5);
}

TEST(Arrivals, WhatDivergesStaysAndIsCounted) {
  Session run(kSmall.with({{"method", "plain"}, {"learning_rate", "0.02"}}));
  run.step(100);
  const double share = run.diagnostic(kDivergedShare);
  EXPECT_GT(share, 0.05);
  EXPECT_TRUE(run.finite());
  EXPECT_TRUE(run.hasFinding("starts_diverged"));
  const std::vector<double> x = run.values<double>("x");
  const std::vector<int> since = run.values<int>("since");
  run.step(10);
  const std::vector<double> later = run.values<double>("x");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (since[i] == kDiverged) {
      EXPECT_EQ(x[i], later[i]);
    }
  }
}

}  // namespace
}  // namespace simscope::descent::tests
