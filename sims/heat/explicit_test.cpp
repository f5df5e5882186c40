#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "sims/heat/exact.h"
#include "sims/heat/explicit_cpu.h"
#include "sims/heat/row_kernels.h"
#include "sims/heat/testing.h"

namespace simscope::heat {
namespace {

using tests::cpu;
using tests::sameBits;
using tests::Session;

std::vector<float> noise(int n, Boundary boundary, unsigned seed = 7) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> draw(-1, 1);
  std::vector<float> u(static_cast<std::size_t>(n) * n);
  for (float& value : u) value = draw(generator);
  if (boundary == Boundary::Fixed) {
    for (int i = 0; i < n; ++i) {
      for (const int at : {i, (n - 1) * n + i, i * n, i * n + n - 1}) u[static_cast<std::size_t>(at)] = 0;
    }
  }
  return u;
}

// The scheme as a textbook has it.
std::vector<float> textbookStep(const std::vector<float>& u, int n, Boundary boundary, float r) {
  const auto at = [&](int x, int y) {
    const auto place = [&](int i) { return boundary == Boundary::Periodic ? (i + n) % n : std::clamp(i, 0, n - 1); };
    return u[static_cast<std::size_t>(place(y)) * n + place(x)];
  };
  std::vector<float> next(u.size());
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const bool wall = boundary == Boundary::Fixed && (x == 0 || y == 0 || x == n - 1 || y == n - 1);
      const float sum = (at(x - 1, y) + at(x + 1, y)) + (at(x, y - 1) + at(x, y + 1));
      next[static_cast<std::size_t>(y) * n + x] = wall ? 0 : at(x, y) + r * (sum - 4 * at(x, y));
    }
  }
  return next;
}

std::vector<float> advanced(std::vector<float> u, int n, Boundary boundary, float r, int steps, int pass, int threads) {
  std::vector<float> next(u.size());
  const compute::DevicePtr device = cpu(threads);
  for (int done = 0; done < steps; done += pass) {
    const ExplicitPass one{u.data(), next.data(), n, boundary, r, std::min(pass, steps - done)};
    device->run([&] { advanceOnCpu(*device, one, compute::wholeSlab(n)); });
    std::swap(u, next);
  }
  return u;
}

class EveryBoundary : public ::testing::TestWithParam<Boundary> {};
INSTANTIATE_TEST_SUITE_P(Boundaries, EveryBoundary,
                         ::testing::Values(Boundary::Fixed, Boundary::Insulated, Boundary::Periodic),
                         [](const auto& test) {
                           return std::string(test.param == Boundary::Fixed       ? "Fixed"
                                              : test.param == Boundary::Insulated ? "Insulated"
                                                                                  : "Periodic");
                         });

TEST_P(EveryBoundary, BlockedPassesAreTheTextbooksSteps) {
  // Sizes around those of strips and bands, odd ones, and one far smaller than a strip.
  for (const int n : {64, 131, 416, 417, 450}) {
    std::vector<float> expected = noise(n, GetParam());
    const std::vector<float> got = advanced(expected, n, GetParam(), 0.2f, kCpuSteps + 3, kCpuSteps, 2);
    for (int step = 0; step < kCpuSteps + 3; ++step) expected = textbookStep(expected, n, GetParam(), 0.2f);
    float worst = 0;
    for (std::size_t i = 0; i < got.size(); ++i) worst = std::max(worst, std::abs(got[i] - expected[i]));
    EXPECT_LT(worst, 2e-6f) << n;
  }
}

TEST_P(EveryBoundary, BlockingChangesNoBit) {
  for (const int n : {64, 197, 433}) {
    const std::vector<float> start = noise(n, GetParam());
    const std::vector<float> one = advanced(start, n, GetParam(), 0.25f, 37, 1, 1);
    for (const int pass : {2, 5, kCpuSteps}) {
      EXPECT_TRUE(sameBits(one, advanced(start, n, GetParam(), 0.25f, 37, pass, 1))) << n << ", " << pass;
    }
  }
}

TEST_P(EveryBoundary, TheNumberOfThreadsChangesNoBit) {
  const int n = 500;
  const std::vector<float> start = noise(n, GetParam());
  const std::vector<float> one = advanced(start, n, GetParam(), 0.1f, 40, kCpuSteps, 1);
  EXPECT_TRUE(sameBits(one, advanced(start, n, GetParam(), 0.1f, 40, kCpuSteps, 3)));
  EXPECT_TRUE(sameBits(one, advanced(start, n, GetParam(), 0.1f, 40, kCpuSteps, 7)));
}

TEST_P(EveryBoundary, RandomFieldsObeyTheMaximumPrinciple) {
  const char* const name = GetParam() == Boundary::Fixed       ? "fixed"
                           : GetParam() == Boundary::Insulated ? "insulated"
                                                               : "periodic";
  for (const char* const fraction : {"0.3", "1"}) {
    Session run({{"grid_points", "200"},
                 {"initial", "random"},
                 {"spot_size", "1"},
                 {"boundary", name},
                 {"time_step_fraction", fraction}});
    double high = run.diagnostic(kMaximum), low = run.diagnostic(kMinimum);
    for (int i = 0; i < 12; ++i) {
      run.step(7);
      const double now_high = run.diagnostic(kMaximum), now_low = run.diagnostic(kMinimum);
      EXPECT_LE(now_high, high * (1 + 1e-6));
      EXPECT_GE(now_low, low - 1e-6);
      high = now_high;
      low = now_low;
    }
    EXPECT_LT(high - low, 0.9);
  }
}

TEST(Explicit, InstructionSetsRoundAlike) {
  const compute::KernelList<RowKernels>& list = supportedRowKernels();
  const RowKernels& portable = list.portable();
  std::mt19937 generator(3);
  std::uniform_real_distribution<float> draw(-1, 1);
  constexpr int kLength = 200, kRowLength = kLength + 2 * kRowMargin;
  std::vector<float> rows(4 * kRowLength);
  for (float& value : rows) value = draw(generator);
  const auto row = [&](int i) { return rows.data() + i * kRowLength + kRowMargin; };
  for (const int count : {1, 7, 8, 16, 33, kLength}) {
    const auto made = [&](const RowKernels& set, bool as_pair) {
      std::vector<float> out(2 * kLength, 9);
      if (as_pair) {
        set.pair(row(0), row(1), row(2), row(3), out.data(), out.data() + kLength, count, 0.17f);
      } else {
        set.row(row(0), row(1), row(2), out.data(), count, 0.17f);
        set.row(row(1), row(2), row(3), out.data() + kLength, count, 0.17f);
      }
      return out;
    };
    const std::vector<float> expected = made(portable, false);
    const std::vector<float> widest = made(list.sets[0], true);
    for (int i = 0; i < list.count; ++i) {
      const RowKernels& set = list.sets[i];
      const std::vector<float> pair = made(set, true);
      EXPECT_TRUE(sameBits(pair, made(set, false))) << set.name << ", " << count;
      // Without fused instructions a sum may round twice: a unit in the last place, rarely.
      if (i + 1 < list.count) {
        EXPECT_TRUE(sameBits(pair, widest)) << set.name << ", " << count;
      }
      for (std::size_t k = 0; k < pair.size(); ++k) ASSERT_FLOAT_EQ(pair[k], expected[k]) << set.name << ", " << count;
    }
  }
}

// A discrete mode decays by an exactly known factor a step, whatever the grid.
TEST(Explicit, StripesDecayByTheSchemesOwnFactor) {
  for (const char* const boundary : {"periodic", "insulated"}) {
    Session run({{"grid_points", "96"},
                 {"initial", "stripes"},
                 {"spot_size", "12"},
                 {"boundary", boundary},
                 {"time_step_fraction", "0.6"}});
    run.step(150);
    const double k = exactLine(binding().read(run.heat().parameters()), 0).wave_number;
    const double factor = std::pow(1 - 4 * 0.15 * std::pow(std::sin(k / 2), 2), 150);
    const std::vector<float> u = run.field();
    for (int x = 0; x < 96; ++x) {
      const double expected = 0.5 * (1 + factor * std::cos(k * (x - 47.5)));
      ASSERT_NEAR(u[static_cast<std::size_t>(40 * 96 + x)], expected, 2e-6) << boundary << ", " << x;
    }
  }
}

TEST(Explicit, SineBetweenFixedWallsDecaysByTheSchemesOwnFactor) {
  const int n = 81;
  Session run({{"grid_points", "81"}, {"initial", "blank"}, {"time_step_fraction", "0.8"}});
  std::vector<float> u(static_cast<std::size_t>(n) * n);
  const auto wave = [&](int i, int k) { return std::sin(std::numbers::pi * k * i / (n - 1)); };
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) u[static_cast<std::size_t>(y * n + x)] = static_cast<float>(wave(x, 2) * wave(y, 3));
  }
  run.setField(u);
  run.step(100);
  const auto lambda = [&](int k) { return 4 * std::pow(std::sin(std::numbers::pi * k / (2.0 * (n - 1))), 2); };
  const double factor = std::pow(1 - 0.2 * (lambda(2) + lambda(3)), 100);
  const std::vector<float> got = run.field();
  for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(got[i], factor * static_cast<double>(u[i]), 2e-6);
}

TEST(Explicit, DefaultAfter2000StepsHasTheKnownMaximumAndItsHeat) {
  Session run(tests::kSlow ? tests::Changes{{"grid_points", "512"}} : tests::Changes{});
  run.step(2000);
  const std::vector<double> values = run.diagnostics();
  EXPECT_NEAR(run.heat().time(), 50, 1e-9);
  EXPECT_NEAR(values[kMaximum], 0.9106, 0.0002);
  EXPECT_NEAR(values[kTotalHeat], 1600, 0.1);
  EXPECT_NEAR(values[kCenter], values[kCenterExact], 1e-4);
  EXPECT_NEAR(values[kCenterExact], 0.9111, 5e-5);
  EXPECT_LT(values[kErrorL2], 1e-3);
}

TEST(Explicit, ErrorFallsAsSpacingSquared) {
  const auto error = [](const char* points, const char* spacing, int steps) {
    Session run({{"grid_points", points}, {"spacing", spacing}, {"initial", "gaussian"}, {"spot_size", "8"}});
    run.step(steps);
    return run.diagnostic(kErrorL2);
  };
  // The same time on each grid: dt falls with dx².
  const double coarse = error("64", "1", 200), middle = error("128", "0.5", 800), fine = error("256", "0.25", 3200);
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.15);
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.15);
}

TEST(Explicit, BeyondItsLimitIsRefusedWithTheLimitNamed) {
  const tests::Changes beyond{{"grid_points", "64"}, {"time_step_fraction", "1.01"}, {"diffusivity", "2"}};
  try {
    description().requireValid(tests::with(beyond));
    FAIL() << "accepted";
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.key(), "time_step_fraction");
    const std::string message = error.what();
    EXPECT_NE(message.find("time_step_fraction"), std::string::npos);
    EXPECT_NE(message.find("dx²/(4α) = 0.125"), std::string::npos) << message;
  }
  Session run({{"grid_points", "64"}});
  run.step(3);
  ParameterSet changed = run.heat().parameters();
  changed.set("time_step_fraction", 1.5);
  EXPECT_THROW(run.heat().apply(changed), UsageError);
  EXPECT_EQ(run.heat().parameters().real("time_step_fraction"), 0.1);
  EXPECT_NO_THROW(Session({{"grid_points", "64"}, {"time_step_fraction", "1"}}));
  EXPECT_NO_THROW(Session({{"grid_points", "64"}, {"time_step_fraction", "50"}, {"scheme", "adi"}}));
}

TEST(Explicit, ClosedFieldsKeepTheirHeat) {
  for (const char* const boundary : {"periodic", "insulated"}) {
    Session run({{"grid_points", "128"},
                 {"initial", "random"},
                 {"spot_size", "4"},
                 {"boundary", boundary},
                 {"time_step_fraction", "0.9"}});
    run.step(1000);
    EXPECT_LT(std::abs(run.diagnostic(kHeatDrift)), 2e-6) << boundary;
  }
}

}  // namespace
}  // namespace simscope::heat
