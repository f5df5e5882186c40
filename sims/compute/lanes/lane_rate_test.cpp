#include "sims/compute/lanes/lane_rate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "sims/compute/lanes/detail/lane_chains.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace {

template <class T>
class LaneChains : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(LaneChains, Types);

TYPED_TEST(LaneChains, EveryRoundBringsAllChainsNearerToOne) {
  const detail::LaneChains<TypeParam> chains = detail::laneChains<TypeParam>();
  EXPECT_GT(chains.operations_per_round, 0);
  // Two lanes of each of twelve chains, which start at 0 to 11; x - 1 shrinks by 0.999 a round.
  const double start = 132, end = 24, tolerance = std::is_same_v<TypeParam, double> ? 1e-9 : 1e-3;
  for (const int rounds : {0, 1, 2, 1000}) {
    EXPECT_NEAR(chains.run(rounds), end + (start - end) * std::pow(0.999, rounds), tolerance) << rounds;
  }
  EXPECT_NEAR(chains.run(30000), end, 0.01);
}

class LaneRateTest : public OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(LaneRateTest);

TEST_P(LaneRateTest, IsAPositiveNumberWithTheNameOfItsInstructions) {
  LaneRate rate;
  device_->run([&] { rate = laneRate(*device_); });
  EXPECT_TRUE(std::isfinite(rate.per_second));
  EXPECT_GT(rate.per_second, 0);
  EXPECT_STRNE(rate.instructions, "");
  EXPECT_GE(rate.arithmetic, 1);
  LaneRate twice;
  device_->run([&] { twice = doubleLaneRate(*device_); });
  EXPECT_GT(twice.per_second, 0);
}

}  // namespace
}  // namespace simscope::compute
