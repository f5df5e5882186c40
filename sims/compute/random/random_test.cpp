#include "sims/compute/random/random.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace simscope::compute {
namespace {

using Words = std::array<std::uint32_t, 4>;

Words philox(Words counter, std::array<std::uint32_t, 2> key) {
  r123::Philox4x32 generator;
  r123::Philox4x32::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  r123::Philox4x32::key_type k = {{key[0], key[1]}};
  const r123::Philox4x32::ctr_type r = generator(c, k);
  return {r.v[0], r.v[1], r.v[2], r.v[3]};
}

double toUniform(std::uint32_t word) {
  return (static_cast<double>(word) + 0.5) / 4294967296.0;
}

// Known answers of philox4x32 with 10 rounds, from Random123's own kat_vectors.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Uniform, IsPhiloxOfIndexStreamAndSeed) {
  const Uniform4 zero = uniform4(0, 0, 0);
  EXPECT_EQ(zero.u[0], toUniform(0x6627e8d5));
  EXPECT_EQ(zero.u[3], toUniform(0x9b00dbd8));
  const Uniform4 u = uniform4(0x1122334455667788u, 9u, 0xaabbccdd00112233u);
  const Words words = philox({0x00112233, 0xaabbccdd, 9, 0}, {0x55667788, 0x11223344});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(u.u[i], toUniform(words[i]));
}

TEST(Uniform, LiesInsideZeroAndOneAndFillsItEvenly) {
  constexpr int kDraws = 100000;
  std::array<int, 16> bins{};
  double sum = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    for (const double u : uniform4(1, 2, static_cast<std::uint64_t>(i)).u) {
      ASSERT_GT(u, 0.0);
      ASSERT_LT(u, 1.0);
      sum += u;
      ++bins[static_cast<std::size_t>(u * 16.0)];
    }
  }
  const double n = 4.0 * kDraws;
  EXPECT_NEAR(sum / n, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / n));
  double chi_squared = 0.0;
  for (const int count : bins) chi_squared += (count - n / 16.0) * (count - n / 16.0) / (n / 16.0);
  EXPECT_LT(chi_squared, 37.7) << "15 degrees of freedom: 0.1 % of fair generators exceed it";
}

TEST(Uniform, InSinglePrecisionIsTheSameDrawToItsFirst23Bits) {
  for (const std::uint64_t index : {0ull, 1ull, 77ull, 0xaabbccdd00112233ull}) {
    const Uniform4 wide = uniform4(0x1122334455667788u, 9u, index);
    const Uniform4f narrow = uniform4f(0x1122334455667788u, 9u, index);
    for (std::size_t i = 0; i < 4; ++i) {
      const double cell = std::floor(wide.u[i] * 8388608.0);
      EXPECT_EQ(static_cast<double>(narrow.u[i]), (cell + 0.5) / 8388608.0);
    }
  }
  // The words whose bits are all 0 or all 1 would be the ends.
  EXPECT_EQ(std::bit_cast<float>(0x3f800000u) - 0x1.fffffep-1f, 0x1p-24f);
  EXPECT_EQ(std::bit_cast<float>(0x3fffffffu) - 0x1.fffffep-1f, 0x1.fffffep-1f);
}

TEST(Normal, HasTheMomentsOfTheStandardNormalDistribution) {
  constexpr int kDraws = 200000;
  std::array<double, 5> moment{};
  double cross = 0.0;  // the two of one Box-Muller pair
  for (int i = 0; i < kDraws; ++i) {
    const Normal4 normal = normal4(7, 3, static_cast<std::uint64_t>(i));
    for (const double z : normal.z) {
      for (std::size_t k = 1; k < moment.size(); ++k) moment[k] += std::pow(z, static_cast<int>(k));
    }
    cross += normal.z[0] * normal.z[1];
  }
  const double n = 4.0 * kDraws;
  // E[z^k] = 0, 1, 0, 3; the variance of z^k is E[z^2k] - E[z^k]². Five standard deviations each.
  EXPECT_NEAR(moment[1] / n, 0.0, 5.0 * std::sqrt(1.0 / n));
  EXPECT_NEAR(moment[2] / n, 1.0, 5.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(moment[3] / n, 0.0, 5.0 * std::sqrt(15.0 / n));
  EXPECT_NEAR(moment[4] / n, 3.0, 5.0 * std::sqrt(96.0 / n));
  EXPECT_NEAR(cross / kDraws, 0.0, 5.0 * std::sqrt(1.0 / kDraws));
}

TEST(Normal, StreamsAndSeedsAreIndependent) {
  constexpr int kDraws = 100000;
  double streams = 0.0;
  double seeds = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const double z = normal4(7, 0, index).z[0];
    streams += z * normal4(7, 1, index).z[0];
    seeds += z * normal4(8, 0, index).z[0];
  }
  EXPECT_NEAR(streams / kDraws, 0.0, 5.0 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(seeds / kDraws, 0.0, 5.0 * std::sqrt(1.0 / kDraws));
}

}  // namespace
}  // namespace simscope::compute
