// Arrays of which each rank makes a block: the cuts, and how everybody gets all of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "sims/compute/ranks/blocks.h"
#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test {
namespace {

using compute::Cuts;

TEST(EqualCuts, AreMadeOfWholeUnitsAndDifferByOneAtMost) {
  for (const std::uint64_t unit : {1u, 32u}) {
    for (const std::uint64_t count : {0u, 1u, 31u, 65u, 1000u}) {
      for (const int ranks : {1, 2, 3, 7}) {
        const Cuts cuts = compute::equalCuts(count, ranks, unit);
        ASSERT_EQ(cuts.size(), static_cast<std::size_t>(ranks) + 1);
        EXPECT_EQ(cuts.front(), 0u);
        EXPECT_EQ(cuts.back(), count);
        std::uint64_t fewest = count, most = 0;
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
          ASSERT_LE(cuts[i], cuts[i + 1]);
          EXPECT_TRUE(cuts[i] % unit == 0 || cuts[i] == count);
          fewest = std::min(fewest, cuts[i + 1] - cuts[i]), most = std::max(most, cuts[i + 1] - cuts[i]);
        }
        EXPECT_LT(most - fewest, 2 * unit) << count << " by " << ranks;
      }
    }
  }
}

TEST(CutsByCost, GiveNoRankMoreThanItsPartAndOneElement) {
  std::mt19937 random(3);
  for (const int ranks : {1, 2, 3, 8, 50}) {
    for (const std::size_t count : {1u, 2u, 10u, 1000u}) {
      std::vector<std::uint32_t> costs(count);
      // Most are cheap, some a thousand times as dear.
      for (std::uint32_t& each : costs) each = random() % 10 ? random() % 100 : random() % 100'000;
      costs[0] += 1;
      const Cuts cuts = compute::cutsByCost(costs, ranks);
      ASSERT_EQ(cuts.size(), static_cast<std::size_t>(ranks) + 1);
      EXPECT_EQ(cuts.front(), 0u);
      EXPECT_EQ(cuts.back(), count);
      const auto sum = [&](std::uint64_t from, std::uint64_t to) {
        return std::accumulate(costs.begin() + static_cast<std::ptrdiff_t>(from),
                               costs.begin() + static_cast<std::ptrdiff_t>(to), std::uint64_t{0});
      };
      const std::uint64_t part = sum(0, count) / static_cast<std::uint64_t>(ranks);
      const std::uint64_t dearest = *std::max_element(costs.begin(), costs.end());
      for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        ASSERT_LE(cuts[i], cuts[i + 1]);
        EXPECT_LE(sum(cuts[i], cuts[i + 1]), part + dearest + 2) << count << " by " << ranks;
      }
    }
  }
}

TEST(CutsByCost, AreEqualWhereCostsAreAndWhereNothingIsKnown) {
  for (const std::uint32_t cost : {0u, 1u, 1000u, 4'000'000'000u}) {
    EXPECT_EQ(compute::cutsByCost(std::vector<std::uint32_t>(12, cost), 4), (Cuts{0, 3, 6, 9, 12})) << cost;
  }
  EXPECT_EQ(compute::cutsByCost(std::vector<std::uint32_t>{6, 1, 1, 1, 1, 1, 1}, 2), (Cuts{0, 1, 7}));
  EXPECT_EQ(compute::cutsByCost({}, 3), (Cuts{0, 0, 0, 0}));
}

TEST(RanksProbe, BlocksOfAnySizesReachAllRanks) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  for (const int ranks : {2, 3, 4, 5}) {
    const Outcome outcome = mpirun(folder, ranks, {"blocks"}, SIMSCOPE_PROBE);
    EXPECT_EQ(outcome.status, 0) << cli_test::told(outcome);
    EXPECT_EQ(outcome.out, std::to_string(ranks) + " ranks: fine\n");
  }
}

}  // namespace
}  // namespace simscope::ranks_test
