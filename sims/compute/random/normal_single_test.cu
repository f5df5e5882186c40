#include "sims/compute/random/normal_single.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/random/random.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct Draw {
  float* z;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const NormalSingle4 drawn = normalSingle4(0x123456789abcdefu, 5, i << 20);
    for (int k = 0; k < 4; ++k) z[4 * i + static_cast<std::size_t>(k)] = drawn.z[k];
  }
};

class NormalSingle : public OnEveryDevice {
 protected:
  std::vector<float> drawn(std::size_t draws) {
    Buffer<float> z(device_, 4 * draws);
    device_->run([&] { parallelFor(device_, draws, Draw{z.data()}); });
    return z.toHost();
  }
};
SIMSCOPE_ON_EVERY_DEVICE(NormalSingle);

TEST_P(NormalSingle, HasTheSameBitsOnEveryBackend) {
  constexpr std::size_t kDraws = 100000;
  const std::vector<float> here = drawn(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) {
    const NormalSingle4 expected = normalSingle4(0x123456789abcdefu, 5, i << 20);
    for (std::size_t k = 0; k < 4; ++k) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(here[4 * i + k]), std::bit_cast<std::uint32_t>(expected.z[k])) << i;
    }
  }
}

// The largest distance between the drawn and Gauss's distribution, times the root of their number: above 2.3 for one of
// 20000 fair generators.
TEST_P(NormalSingle, IsNormallyDistributed) {
  std::vector<float> z = drawn(250000);
  const double n = static_cast<double>(z.size());
  double pair = 0, square = 0;
  for (std::size_t i = 0; i < z.size(); i += 2) {
    pair += static_cast<double>(z[i]) * z[i + 1];
    square += (std::pow(z[i], 2) - 1) * (std::pow(z[i + 1], 2) - 1);
  }
  EXPECT_LT(std::abs(pair) / std::sqrt(n / 2), 4.5) << "the two of a pair";
  EXPECT_LT(std::abs(square) / std::sqrt(2 * n), 4.5) << "their squares";
  std::sort(z.begin(), z.end());
  double worst = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double below = 0.5 * std::erfc(-static_cast<double>(z[i]) / std::sqrt(2.0));
    worst = std::max({worst, std::abs(below - static_cast<double>(i) / n), std::abs(below - (i + 1.0) / n)});
  }
  EXPECT_LT(worst * std::sqrt(n), 2.3);
}

TEST(NormalSingleFunctions, AreWithinAFewUlpsOfTheExactOnes) {
  double logarithm = 0, trigonometric = 0;
  for (std::uint32_t i = 0; i < 400000; ++i) {
    const std::uint32_t word = i < 1000 ? i : i < 2000 ? ~(i - 1000u) : i * 2654435761u;
    const auto k = static_cast<std::int32_t>((word >> 1) | 1u);
    // The argument, rounded to single precision.
    const double exact = -2 * std::log(static_cast<double>(static_cast<float>(k)) / 2147483648.0);
    logarithm =
        std::max(logarithm, std::abs(static_cast<double>(detail::minusTwoLog(k)) - exact) / std::max(exact, 0.1));
    const detail::SineCosine found = detail::sineCosine(word);
    const double angle = 2 * kPi * word / 4294967296.0;
    trigonometric = std::max({trigonometric, std::abs(static_cast<double>(found.sine) - std::sin(angle)),
                              std::abs(static_cast<double>(found.cosine) - std::cos(angle))});
  }
  EXPECT_LT(logarithm, 1e-6);
  EXPECT_LT(trigonometric, 2e-7);
}

TEST(NormalSingleFunctions, AreDefinedForEveryWord) {
  EXPECT_EQ(detail::minusTwoLog(0x7fffffff), 0.0f);
  EXPECT_NEAR(detail::minusTwoLog(1), 2 * 31 * std::log(2.0), 1e-5);
  for (std::int32_t k = 0x7fffffff; k > 0x7fffffff - 4096; k -= 2) ASSERT_GE(detail::minusTwoLog(k), 0.0f);
}

TEST(NormalSingleFunctions, NumbersAreThoseOfExactBoxAndMuller) {
  double usual = 0, near_zero = 0;
  for (std::uint64_t i = 0; i < 200000; ++i) {
    const Uniform4 drawn = uniform4(3, 1, i);
    const NormalSingle4 found = normalSingle4(3, 1, i);
    for (int pair = 0; pair < 2; ++pair) {
      // The words themselves; the radius' last bit counts as 1.
      const auto word = [&](int k) { return static_cast<std::uint32_t>(drawn.u[2 * pair + k] * 4294967296.0); };
      const double radius = std::sqrt(-2 * std::log(static_cast<double>(word(0) >> 1 | 1) / 2147483648.0));
      const double angle = 2 * kPi * word(1) / 4294967296.0;
      double& worst = radius > 0.03 ? usual : near_zero;
      worst = std::max({worst, std::abs(static_cast<double>(found.z[2 * pair]) - radius * std::cos(angle)),
                        std::abs(static_cast<double>(found.z[2 * pair + 1]) - radius * std::sin(angle))});
    }
  }
  EXPECT_LT(usual, 2e-6);
  EXPECT_LT(near_zero, 2e-4);
}

}  // namespace
}  // namespace simscope::compute
