// Methods beside plain loops, minima, the account of arrivals, samples, and what the mouse places.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

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

TEST(Samples, AreThoseOfEveryStrideThIterationHoweverTheRunIsCut) {
  Session whole(kSmall), parts(kSmall), single(kSmall);
  whole.step(1300);
  for (const int steps : {1, 510, 1, 1, 511, 1, 275}) parts.step(steps);
  const State one = whole.save(), other = parts.save();
  EXPECT_TRUE(simscope::tests::sameBits(one, other));
  // 1300 iterations: every fourth; tracer 3 by hand.
  const std::vector<float> places = whole.values<float>("places"), losses = whole.values<float>("losses");
  const std::size_t first = parametersWith(kSmall).count() + 3;
  for (int n = 0; n <= 1300; n += 4) {
    const auto k = static_cast<std::size_t>(n / 4);
    const double x = single.values<double>("x")[first], y = single.values<double>("y")[first];
    ASSERT_EQ(places[2 * (3 * kSamples + k)], static_cast<float>(x)) << n;
    ASSERT_EQ(losses[k * kWitnesses + 3], static_cast<float>(Himmelblau{}(x, y))) << n;
    single.step(4);
  }
}

TEST(Samples, CurvesAreLeastMedianAndMeanOfTheWitnesses) {
  Session run(kSmall);
  run.step(90);
  Frame frame;
  run.present(frame);
  const std::vector<float> losses = run.values<float>("losses");
  const std::vector<float> median = simscope::tests::channelOf(frame, "loss_median").data.toHost();
  const std::vector<float> best = simscope::tests::channelOf(frame, "loss_best").data.toHost();
  const std::vector<float> mean = simscope::tests::channelOf(frame, "loss_mean").data.toHost();
  for (const std::size_t k : {std::size_t{0}, std::size_t{13}, std::size_t{90}}) {
    std::vector<float> row(losses.begin() + static_cast<long>(k * kWitnesses),
                           losses.begin() + static_cast<long>((k + 1) * kWitnesses));
    std::sort(row.begin(), row.end());
    double sum = 0;
    for (const float each : row) sum += each;
    EXPECT_NEAR(median[k], std::log10(row[kWitnesses / 2]), 1e-5);
    EXPECT_NEAR(best[k], std::log10(row[0]), 1e-5);
    EXPECT_NEAR(mean[k], std::log10(sum / kWitnesses), 1e-5);
  }
  EXPECT_TRUE(std::isnan(median[91])) << "not there yet";
}

TEST(Watched, ThePlacedStartShowsItsWayAndTheRunIsUntouched) {
  Session run(kSmall), alone(kSmall);
  run.step(7);
  alone.step(7);
  Brush brush;
  brush.tool = "start";
  brush.x = 2.5, brush.y = -3;
  EXPECT_TRUE(run.poke(brush));
  run.step(5);
  alone.step(5);
  EXPECT_TRUE(sameBits(run.values<double>("x"), alone.values<double>("x")));
  Frame frame;
  run.present(frame);
  const std::vector<float> way = simscope::tests::channelOf(frame, "watched").data.toHost();
  EXPECT_EQ(way[0], 2.5f);
  EXPECT_EQ(way[1], -3.0f);
  // A start of a run that begins there goes the same way.
  const Parameters p = parametersWith(kSmall);
  const Watched by_hand = watch(p.surfaceData(), p.rule(1), 2.5, -3, 12);
  for (std::size_t i = 0; i <= 12; ++i) EXPECT_EQ(way[2 * i], static_cast<float>(by_hand.x[i]));
  EXPECT_EQ(way[2 * 13], way[2 * 12]) << "no further than the run";
  Session begun(kSmall);
  std::vector<double> x = begun.values<double>("x"), y = begun.values<double>("y");
  x[0] = 2.5, y[0] = -3;
  begun.setValues("x", x);
  begun.setValues("y", y);
  begun.step(12);
  EXPECT_EQ(begun.values<double>("x")[0], by_hand.x[12]) << "the same bits";
}

TEST(Starts, JitteredOnesLieWithinTheirCells) {
  Session grid(kSmall), jittered(kSmall.with({{"layout", "jittered"}}));
  const std::vector<double> x = grid.values<double>("x"), moved = jittered.values<double>("x");
  const std::size_t n = parametersWith(kSmall).count();
  const double cell = 12.0 / 32;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double off = (moved[i] - x[i]) / cell;
    EXPECT_LE(std::abs(off), 0.5);
    sum += off, squares += off * off;
  }
  EXPECT_NEAR(sum / static_cast<double>(n), 0, 5 / std::sqrt(12.0 * 1024));
  EXPECT_NEAR(squares / static_cast<double>(n), 1 / 12.0, 0.012);
}

TEST(Starts, NoiseHasMeanZeroAndVarianceOneAndIsIndependent) {
  double sum[2] = {}, squares[3] = {};
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const Noise each = noiseOf(3, i % 1000, static_cast<std::uint64_t>(i / 1000));
    sum[0] += each.x, sum[1] += each.y;
    squares[0] += each.x * each.x, squares[1] += each.y * each.y, squares[2] += each.x * each.y;
  }
  // Five standard deviations: of the mean 1/√N, of the variance √(1.4/N), of the product 1/√N.
  for (const double each : sum) EXPECT_NEAR(each / kDraws, 0, 0.016);
  EXPECT_NEAR(squares[0] / kDraws, 1, 0.019);
  EXPECT_NEAR(squares[1] / kDraws, 1, 0.019);
  EXPECT_NEAR(squares[2] / kDraws, 0, 0.016);
}

TEST(Starts, APictureOfPlacesAloneIsAStateWithoutAPast) {
  Session run(kSmall);
  run.step(20);
  State state = run.save();
  std::erase_if(state.arrays, [](const StateArray& each) { return each.name != "x" && each.name != "y"; });
  Session loaded(kSmall);
  loaded.load(state);
  EXPECT_TRUE(sameBits(loaded.values<double>("x"), run.values<double>("x")));
  for (const double each : loaded.values<double>("memory")) EXPECT_EQ(each, 0);
  loaded.step(3);
  EXPECT_TRUE(loaded.finite());
}

TEST(Backends, CudaGivesTheBitsOfTheCpuWhereThereIsNoTranscendentalFunction) {
  const std::string why = compute::Device::whyNoCuda();
  if (!why.empty()) GTEST_SKIP() << "no CUDA device to compare with: " << why;
  for (const char* surface : {"bowl", "rosenbrock", "himmelblau", "beale", "formula"}) {
    for (const char* method : kMethods) {
      const Changes changes = kSmall.with({{"surface", surface},
                                           {"method", method},
                                           {"formula", "(x^2 - 1)^2 + abs(x*y) + (y > 0 ? y^2 : y^4) + sqrt(1 + y^2)"},
                                           {"learning_rate", "0.001"},
                                           {"noise", "0.5"}});
      Session host(changes), device(changes, compute::Device::open("cuda"));
      for (const int steps : {1, 7, 600}) {
        host.step(steps);
        device.step(steps);
      }
      for (const char* array : {"x", "y", "memory"}) {
        EXPECT_TRUE(sameBits(host.values<double>(array), device.values<double>(array)))
            << array << ", " << surface << ", " << method;
      }
      EXPECT_EQ(host.values<int>("since"), device.values<int>("since")) << surface << ", " << method;
      EXPECT_TRUE(sameBits(host.values<float>("losses"), device.values<float>("losses"))) << surface << ", " << method;
    }
  }
}

}  // namespace
}  // namespace simscope::descent::tests
