#include "sims/eigenstates2d/block.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "sims/compute/test_devices.h"
#include "sims/eigenstates2d/block_lanes.h"
#include "sims/eigenstates2d/testing.h"

namespace simscope::eigenstates2d {
namespace {

using compute::Buffer;

class BlockOnBackend : public compute::OnEveryDevice {
 protected:
  // Random states, and a diagonal with a hole in the middle.
  void make(int n, int count) {
    n_ = n, count_ = count, points_ = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    std::vector<double> diagonal(points_);
    for (std::size_t i = 0; i < points_; ++i) {
      const bool hole = std::abs(static_cast<int>(i % static_cast<std::size_t>(n)) - n / 2) < 3;
      diagonal[i] = hole ? kOutside : 4 + 0.001 * static_cast<double>(i);
    }
    diagonal_ = Buffer<double>(device_, std::span<const double>(diagonal));
    h_ = {n, -2.0 / 3, 1.0 / 24, diagonal_.data()};
    f_ = states(1), g_ = states(2);
  }
  Buffer<double> states(std::uint32_t stream) {
    Buffer<double> made(device_, points_ * static_cast<std::size_t>(count_));
    fillRandom(*device_, h_, 0, count_, 7, stream, made.data());
    return made;
  }

  int n_ = 0, count_ = 0;
  std::size_t points_ = 0;
  Operator h_;
  Buffer<double> diagonal_, f_, g_;
};
SIMSCOPE_ON_EVERY_DEVICE(BlockOnBackend);

TEST_P(BlockOnBackend, LanesAndFunctorsGiveTheSameBits) {
  for (const std::pair<int, int>& shape : {std::pair(32, 4), std::pair(33, 7), std::pair(50, 13), std::pair(131, 6)}) {
    const int n = shape.first;
    make(n, shape.second);
    device_->run([&] {
      Buffer<double> one(device_, f_.size()), other(device_, f_.size());
      for (const Term& term : {Term{}, Term{0.3, 1.7, 0.9, nullptr}}) {
        applyTerm(*device_, h_, count_, term, f_.data(), g_.data(), one.data());
        applyTerm(*device_, h_, count_, term, f_.data(), g_.data(), other.data(), true);
        EXPECT_TRUE(simscope::tests::sameBits(one.toHost(), other.toHost())) << n;
      }
      const Term terms[] = {{0.3, 1.7, 0, nullptr}, {0.4, 1.7, 0.9, nullptr}, {0.2, 1.7, 0.8, nullptr}};
      Buffer<double> kept(device_, f_.size());
      for (const bool plain : {false, true}) {
        device_->copy(one.data(), f_.data(), f_.bytes());
        applyTerms(*device_, h_, count_, terms, one.data(), (plain ? other : kept).data(), plain);
      }
      EXPECT_TRUE(simscope::tests::sameBits(kept.toHost(), other.toHost())) << n;
      const std::vector<double> gram = gramOf(device_, points_, count_, f_.data(), g_.data());
      EXPECT_TRUE(simscope::tests::sameBits(gram, gramOf(device_, points_, count_, f_.data(), g_.data(), true))) << n;
      rotate(device_, points_, count_, f_.data(), gram, one.data());
      rotate(device_, points_, count_, f_.data(), gram, other.data(), true);
      EXPECT_TRUE(simscope::tests::sameBits(one.toHost(), other.toHost())) << n;
    });
  }
}

TEST_P(BlockOnBackend, ProductsAreThoseOfPlainLoops) {
  make(45, 6);
  device_->run([&] {
    Buffer<double> out(device_, f_.size());
    applyTerm(*device_, h_, count_, {0.5, 2, 3, nullptr}, f_.data(), g_.data(), out.data());
    const std::vector<double> f = f_.toHost(), g = g_.toHost(), found = out.toHost(), d = diagonal_.toHost();
    const std::vector<double> gram = gramOf(device_, points_, count_, f_.data(), f_.data());
    Buffer<double> turned(device_, f_.size());
    rotate(device_, points_, count_, f_.data(), gram, turned.data());
    const std::vector<double> rotated = turned.toHost();
    for (std::size_t k = 0; k < 6; ++k) {
      const auto value = [&](int x, int y) {
        const auto place = k * points_ + static_cast<std::size_t>(y * n_ + x);
        return x < 0 || y < 0 || x >= n_ || y >= n_ ? 0.0 : f[place];
      };
      for (int y = 0; y < n_; ++y) {
        for (int x = 0; x < n_; ++x) {
          const auto i = static_cast<std::size_t>(y * n_ + x), place = k * points_ + i;
          double sum = (d[i] - 2) * f[place];
          for (const int s : {-1, 1}) sum += -2.0 / 3 * (value(x + s, y) + value(x, y + s));
          for (const int s : {-2, 2}) sum += 1.0 / 24 * (value(x + s, y) + value(x, y + s));
          ASSERT_NEAR(found[place], d[i] < kOutside ? 0.5 * sum - 3 * g[place] : 0, 1e-12);
          double mixed = 0;
          for (std::size_t a = 0; a < 6; ++a) mixed += f[a * points_ + i] * gram[k * 6 + a];
          ASSERT_NEAR(rotated[place], mixed, 1e-9);
        }
      }
      for (std::size_t other = 0; other < 6; ++other) {
        double sum = 0;
        for (std::size_t i = 0; i < points_; ++i) sum += f[k * points_ + i] * f[other * points_ + i];
        EXPECT_NEAR(gram[k * 6 + other], sum, 1e-10);
      }
    }
  });
}

#if defined(__x86_64__)
TEST(Lanes, RegistersOfAnyWidthGiveTheSameBits) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "no AVX2 here";
  constexpr int n = 77;
  std::vector<double> values(8 * n + 4), one(n), other(n);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(1.3 * static_cast<double>(i * i));
  const double* const v = values.data();
  RowTerm row{n,     -0.7,      0.05,      1.3,       0.2,       0.4,       v,
              v + n, v + 2 * n, v + 3 * n, v + 4 * n, v + 5 * n, v + 6 * n, one.data()};
  plainLanes().row(row);
  row.out = other.data();
  avx2Lanes({}).row(row);
  EXPECT_EQ(std::memcmp(one.data(), other.data(), n * sizeof(double)), 0);
  std::vector<double> sums[2] = {std::vector<double>(512), std::vector<double>(512)};
  std::vector<double> to[2] = {std::vector<double>(3 * n), std::vector<double>(3 * n)};
  for (const int which : {0, 1}) {
    const LaneKernels kernels = which ? avx2Lanes({}) : plainLanes();
    kernels.tile({{v, v + n, v + 2 * n, v + 3 * n}, {v, v + 4 * n, v + 5 * n, v + n}, 0, n, sums[which].data(), 16});
    kernels.rotate({v, v + 5 * n, n, 3, 0, 3, 0, n, to[which].data()});
  }
  EXPECT_TRUE(simscope::tests::sameBits(sums[0], sums[1]));
  EXPECT_TRUE(simscope::tests::sameBits(to[0], to[1]));
}
#endif

}  // namespace
}  // namespace simscope::eigenstates2d
