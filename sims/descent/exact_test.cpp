// Closed forms of the quadratic bowl, beside plain iterations in double precision and beside the simulation.
#include <gtest/gtest.h>

#include <cmath>

#include "sims/descent/testing.h"

namespace simscope::descent::tests {
namespace {

Rule ruleOf(Method method, double rate, double momentum, double noise = 0) {
  return {method, rate, momentum, 0, 0, noise, 1};
}
constexpr Method kLinear[] = {Method::Plain, Method::Momentum, Method::Nesterov};

// One mode, as the method's equations have it.
double iterated(const Rule& rule, double curvature, int n) {
  double x = 1, v = 0;
  for (int i = 0; i < n; ++i) {
    const double at = rule.method == Method::Nesterov ? x + rule.momentum * v : x;
    v = (rule.method == Method::Plain ? 0 : rule.momentum) * v - rule.rate * curvature * at;
    x += v;
  }
  return x;
}

TEST(Exact, GainsAreThoseOfTheIterations) {
  for (const Method method : kLinear) {
    for (const double rate : {0.01, 0.05, 0.0330578512396694, 0.099, 0.12}) {
      for (const double momentum : {0.0, 0.3, 0.669421487603306, 0.95}) {
        for (const double curvature : {1.0, 20.0, 100.0}) {
          const Rule rule = ruleOf(method, rate, momentum);
          for (const int n : {0, 1, 2, 3, 17, 60}) {
            const double expected = iterated(rule, curvature, n);
            const double scale = std::pow(factorOf(rule, curvature), n) * (1 + n);
            EXPECT_NEAR(gainAfter(rule, curvature, n), expected, 1e-7 * (scale + std::abs(expected)))
                << static_cast<int>(method) << ' ' << rate << ' ' << momentum << ' ' << curvature << ' ' << n;
          }
        }
      }
    }
  }
  EXPECT_NEAR(gainAfter(ruleOf(Method::Plain, 0.05, 0), 20, 7), 0, 0) << "η = 1/λ ends it at once";
  EXPECT_EQ(gainAfter(ruleOf(Method::Plain, 0.05, 0), 1, 7), std::pow(0.95, 7));
}

TEST(Exact, TheLargestRateIsWhereTheFactorIsOne) {
  for (const Method method : kLinear) {
    for (const double momentum : {0.0, 0.5, 0.9}) {
      const Rule rule = ruleOf(method, 1, momentum);
      const double limit = largestRate(rule, 20);
      EXPECT_NEAR(factorOf(ruleOf(method, limit, momentum), 20), 1, 1e-12);
      EXPECT_LT(factorOf(ruleOf(method, 0.99 * limit, momentum), 20), 1);
      EXPECT_GT(factorOf(ruleOf(method, 1.01 * limit, momentum), 20), 1);
    }
  }
}

TEST(Exact, NoMomentumIsBetterThanTheBestOne) {
  const double condition = 100, root = 10, eta = std::pow(2 / (1 + root), 2), mu = std::pow((root - 1) / (root + 1), 2);
  const auto worst = [&](double rate, double momentum) {
    const Rule rule = ruleOf(Method::Momentum, rate, momentum);
    return std::max(factorOf(rule, 1), factorOf(rule, condition));
  };
  EXPECT_NEAR(worst(eta, mu), leastFactor(condition), 1e-7);
  for (const double rate : {0.7, 0.9, 0.99, 1.01, 1.1, 1.3}) {
    for (const double momentum : {0.7, 0.95, 1.0, 1.05, 1.3}) {
      EXPECT_GE(worst(rate * eta, std::min(momentum * mu, 0.999)), leastFactor(condition) - 1e-7);
    }
  }
}

TEST(Exact, CurvesAreTheValuesOneByOne) {
  const Modes modes{{1, 20}, {2, 3}};
  for (const Method method : kLinear) {
    for (const double noise : {0.0, 0.7}) {
      const Rule rule = ruleOf(method, 0.03, 0.8, noise);
      const std::vector<double> curve = meanCurve(rule, modes, 4, 40);
      for (int k = 0; k < 40; ++k) {
        const double expected = meanAfter(rule, modes, 4 * k);
        EXPECT_NEAR(curve[static_cast<std::size_t>(k)], expected, 1e-9 * expected);
      }
    }
  }
}

// x_{n+1} = (1 - ηλ) x_n - ησξ: a variance of η²σ²/(1 - (1 - ηλ)²) in the end.
TEST(Exact, NoiseLeavesTheVarianceOfItsClosedForm) {
  const double shrink = 1 - 0.05 * 10;
  EXPECT_NEAR(varianceAfter(ruleOf(Method::Plain, 0.05, 0, 3), 10, 1000), 0.0225 / (1 - shrink * shrink), 1e-12);
}

TEST(Bowl, LossesAreExactForEveryLinearMethod) {
  for (const char* method : {"plain", "momentum", "nesterov"}) {
    for (const char* rate : {"0.02", "0.07"}) {
      Session run(kBowl.with({{"method", method}, {"learning_rate", rate}, {"momentum", "0.5"}}));
      for (const int steps : {1, 1, 8, 40}) {
        run.step(steps);
        const std::vector<double> values = run.diagnostics();
        EXPECT_NEAR(values[kMeanLoss], values[kMeanLossExact], 1e-6) << method << ' ' << rate;
        EXPECT_NEAR(values[kWatchedLoss], values[kWatchedLossExact], 1e-9 * values[kWatchedLossExact] + 1e-25);
      }
    }
  }
}

// Place by place: each mode times (1 - ηλ)ⁿ.
TEST(Bowl, PlainDescentShrinksEachModeByOneLessEtaLambda) {
  Session run(kBowl.with({{"method", "plain"}, {"learning_rate", "0.03"}, {"tilt", "0"}, {"condition", "7"}}));
  const std::vector<double> x0 = run.values<double>("x"), y0 = run.values<double>("y");
  run.step(25);
  const std::vector<double> x = run.values<double>("x"), y = run.values<double>("y");
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i], x0[i] * std::pow(0.97, 25), 1e-14);
    EXPECT_NEAR(y[i], y0[i] * std::pow(0.79, 25), 1e-14);
  }
}

TEST(Bowl, MeasuredFactorsAreTheExactOnes) {
  for (const char* method : {"plain", "momentum", "nesterov"}) {
    Session run(kBowl.with({{"method", method}, {"learning_rate", "0.02"}, {"momentum", "0.4"}}));
    run.step(300);
    const std::vector<double> values = run.diagnostics();
    EXPECT_NEAR(values[kFactor], values[kFactorExact], 2e-4) << method;
  }
  EXPECT_NEAR(leastFactor(100), 9.0 / 11, 1e-15);
}

TEST(Bowl, ABfgsThatGoesOnUntilItUnderflowsStaysAtTheMinimum) {
  for (const char* const condition : {"2", "5", "300"}) {
    Session run(kBowl.with({{"method", "bfgs"}, {"condition", condition}, {"tolerance", "1e-4"}}));
    run.step(60);
    EXPECT_EQ(run.diagnostic(kArrived), 1) << condition;
    EXPECT_EQ(run.diagnostic(kDivergedShare), 0) << condition;
    EXPECT_EQ(run.diagnostic(kLastArrival), 2) << condition;
  }
}

TEST(Bowl, BfgsEndsInTwoIterationsWhateverTheCondition) {
  for (const char* condition : {"1", "20", "1000", "100000"}) {
    Session run(kBowl.with({{"method", "bfgs"}, {"condition", condition}, {"tolerance", "1e-4"}}));
    run.step(2);
    const std::vector<double> values = run.diagnostics();
    EXPECT_EQ(values[kArrived], 1) << condition;
    EXPECT_LT(values[kMeanLoss], -14) << condition;
    EXPECT_LE(values[kLastArrival], 2) << condition;
  }
}

TEST(Bowl, RatesBeyondTwoOverLambdaDivergeAreToldAndCured) {
  const Changes beyond = kBowl.with({{"method", "plain"}, {"learning_rate", "0.1001"}});
  Session run(beyond);
  run.step(400);
  EXPECT_GT(run.diagnostic(kFactor), 1);
  EXPECT_TRUE(run.hasFinding("diverges"));
  const Finding finding = run.findings().at(0);
  Session cured(beyond.with({{finding.key, finding.value}}));
  cured.step(400);
  EXPECT_FALSE(cured.hasFinding("diverges"));
  EXPECT_LT(cured.diagnostic(kMeanLoss), -12);
  Session within(kBowl.with({{"method", "plain"}, {"learning_rate", "0.0999"}}));
  EXPECT_FALSE(within.hasFinding("diverges"));
  within.step(400);
  EXPECT_LT(within.diagnostic(kFactor), 1);
}

TEST(Bowl, NoiseLeavesTheExactMeanLoss) {
  Session run(kBowl.with({{"method", "plain"}, {"learning_rate", "0.03"}, {"noise", "2"}, {"starts", "256"}}));
  for (const int steps : {2, 20, 200}) {
    run.step(steps);
    const std::vector<double> values = run.diagnostics();
    // 65536 starts: 0.006 of it, 0.0026 decades; five times that.
    EXPECT_NEAR(values[kMeanLoss], values[kMeanLossExact], 0.013) << steps;
  }
}

}  // namespace
}  // namespace simscope::descent::tests
