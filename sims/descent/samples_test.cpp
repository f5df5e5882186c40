// Samples of the past, curves, the watched start, how starts are laid out, and both backends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sims/compute/test_devices.h"
#include "sims/descent/testing.h"

namespace simscope::descent::tests {
namespace {

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
  SIMSCOPE_SKIP_WITHOUT("cuda");
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
