#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sims/heat/adi/adi_testing.h"
#include "sims/heat/exact.h"
#include "sims/heat/testing.h"

namespace simscope::heat {
namespace {

using tests::sameBits;
using tests::Session;

TEST(Adi, FactorsSolveTheTridiagonalSystem) {
  const int n = 70;
  for (const Boundary boundary : {Boundary::Fixed, Boundary::Insulated, Boundary::Periodic}) {
    for (const double r : {0.025, 0.25, 12.5}) {
      const AdiFactors f = adiFactors(n, boundary, r);
      std::vector<double> d(n);
      for (int i = 0; i < n; ++i) d[static_cast<std::size_t>(i)] = std::sin(1.0 + i * i);
      const std::vector<double> x = tests::solvedByThomas(f, d);
      for (int i = 0; i < n; ++i) {
        const bool end = i == 0 || i == n - 1;
        if (end && boundary == Boundary::Fixed) {
          EXPECT_EQ(x[static_cast<std::size_t>(i)], 0);
          continue;
        }
        const auto at = [&](int j) {
          if (boundary == Boundary::Periodic) return x[static_cast<std::size_t>((j + n) % n)];
          return x[static_cast<std::size_t>(std::clamp(j, 0, n - 1))];
        };
        EXPECT_NEAR(at(i) - f.h * (at(i - 1) - 2 * at(i) + at(i + 1)), d[static_cast<std::size_t>(i)], 1e-12);
      }
    }
  }
}

// The factor by which a step multiplies a mode of eigenvalues λx, λy of -δ².
double factorOf(double r, double lambda_x, double lambda_y) {
  const double h = r / 2;
  return (1 - h * lambda_x) * (1 - h * lambda_y) / ((1 + h * lambda_x) * (1 + h * lambda_y));
}

TEST(Adi, StripesDecayByTheSchemesOwnFactor) {
  for (const char* const boundary : {"periodic", "insulated"}) {
    Session run({{"grid_points", "100"},
                 {"initial", "stripes"},
                 {"spot_size", "10"},
                 {"boundary", boundary},
                 {"scheme", "adi"},
                 {"time_step_fraction", "20"}});
    const double k = exactLine(binding().read(run.heat().parameters()), 0).wave_number;
    run.step(3);
    const double factor = std::pow(factorOf(5, 4 * std::pow(std::sin(k / 2), 2), 0), 3);
    const std::vector<float> u = run.field();
    for (int x = 0; x < 100; ++x) {
      ASSERT_NEAR(u[static_cast<std::size_t>(33 * 100 + x)], 0.5 * (1 + factor * std::cos(k * (x - 49.5))), 2e-6)
          << boundary;
    }
  }
}

TEST(Adi, ModesBetweenFixedWallsDecayByTheSchemesOwnFactor) {
  const int n = 75;
  Session run({{"grid_points", "75"}, {"initial", "blank"}, {"scheme", "adi"}, {"time_step_fraction", "12"}});
  std::vector<float> u(static_cast<std::size_t>(n) * n);
  const auto wave = [&](int i, int k) { return std::sin(std::numbers::pi * k * i / (n - 1)); };
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) u[static_cast<std::size_t>(y * n + x)] = static_cast<float>(wave(x, 5) * wave(y, 2));
  }
  run.setField(u);
  run.step(4);
  const auto lambda = [&](int k) { return 4 * std::pow(std::sin(std::numbers::pi * k / (2.0 * (n - 1))), 2); };
  const double factor = std::pow(factorOf(3, lambda(5), lambda(2)), 4);
  const std::vector<float> got = run.field();
  for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(got[i], factor * static_cast<double>(u[i]), 2e-6);
}

TEST(Adi, ErrorFallsAsTheTimeStepSquared) {
  // Against the same grid with steps so small that what remains is the error in time.
  const auto field = [](const char* fraction, int steps) {
    Session run({{"grid_points", "96"},
                 {"initial", "gaussian"},
                 {"spot_size", "12"},
                 {"scheme", "adi"},
                 {"time_step_fraction", fraction}});
    run.step(steps);
    return run.field();
  };
  const std::vector<float> reference = field("1", 256);
  const auto error = [&](const char* fraction, int steps) {
    const std::vector<float> u = field(fraction, steps);
    double sum = 0;
    for (std::size_t i = 0; i < u.size(); ++i) sum += std::pow(static_cast<double>(u[i] - reference[i]), 2);
    return std::sqrt(sum);
  };
  const double coarse = error("32", 8), middle = error("16", 16), fine = error("8", 32);
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.2);
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.2);
}

TEST(Adi, AgreesWithTheExplicitSchemeForSmallSteps) {
  Session implicit({{"grid_points", "128"}, {"scheme", "adi"}}), direct({{"grid_points", "128"}});
  implicit.step(400);
  direct.step(400);
  const std::vector<float> a = implicit.field(), b = direct.field();
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-3);
}

TEST(Adi, StaysBoundedAndKeepsHeatWithTheLargestSteps) {
  for (const char* const boundary : {"periodic", "insulated"}) {
    Session run({{"grid_points", "90"},
                 {"initial", "random"},
                 {"spot_size", "1"},
                 {"boundary", boundary},
                 {"scheme", "adi"},
                 {"time_step_fraction", "50"}});
    run.step(300);
    EXPECT_LT(run.diagnostic(kMaximum), 1.0) << boundary;
    EXPECT_GT(run.diagnostic(kMinimum), 0.0) << boundary;
    EXPECT_LT(std::abs(run.diagnostic(kHeatDrift)), 2e-6) << boundary;
  }
}

TEST(Adi, TheNumberOfThreadsChangesNoBit) {
  for (const char* const boundary : {"fixed", "insulated", "periodic"}) {
    const tests::Changes changes{{"grid_points", "150"}, {"initial", "random"}, {"spot_size", "3"},
                                 {"boundary", boundary}, {"scheme", "adi"},     {"time_step_fraction", "7"}};
    Session one(changes, 5, tests::cpu(1)), several(changes, 5, tests::cpu(3));
    one.step(5);
    several.step(5);
    EXPECT_TRUE(sameBits(one.field(), several.field())) << boundary;
  }
}

TEST(Adi, TurningTheFieldChangesLittle) {
  // Rows and columns are treated one after the other; a symmetric field must stay symmetric but for that.
  Session run({{"grid_points", "97"},
               {"initial", "gaussian"},
               {"spot_size", "16"},
               {"scheme", "adi"},
               {"time_step_fraction", "8"}});
  run.step(20);
  const std::vector<float> u = run.field();
  for (int y = 0; y < 97; ++y) {
    for (int x = 0; x < y; ++x) {
      ASSERT_NEAR(u[static_cast<std::size_t>(y * 97 + x)], u[static_cast<std::size_t>(x * 97 + y)], 1e-6);
    }
  }
}

}  // namespace
}  // namespace simscope::heat
