#include "sims/nbody/tree/deal.h"

#include <gtest/gtest.h>

#include <vector>

namespace simscope::nbody::tree {
namespace {

TEST(TreeDeal, EveryBodyHasAPlaceOfItsOwnInItsRanksBlock) {
  for (const std::uint32_t ranks : {1u, 2u, 3u, 8u}) {
    for (const std::uint32_t stretch : {32u, 64u}) {
      for (const std::uint32_t bodies : {1u, 63u, 64u, 65u, 640u, 1000u, 12345u}) {
        Deal deal{bodies, stretch, ranks, 0};
        std::vector<int> taken(bodies);
        for (std::uint32_t i = 0; i < bodies; ++i) {
          const std::uint32_t place = deal.place(i), owner = i / stretch % ranks;
          ASSERT_LT(place, bodies);
          ++taken[place];
          EXPECT_GE(place, deal.begin(owner));
          EXPECT_LT(place, deal.begin(owner + 1));
        }
        EXPECT_EQ(taken, std::vector<int>(bodies, 1));
        EXPECT_EQ(deal.begin(0), 0u);
        EXPECT_EQ(deal.begin(ranks), bodies);
        std::uint32_t stretches = 0;
        for (deal.rank = 0; deal.rank < ranks; ++deal.rank) {
          stretches += deal.stretches();
          for (std::uint32_t k = 0; k < deal.stretches(); ++k) EXPECT_LT(deal.stretchOf(k) * stretch, bodies);
          // As equal as can be.
          EXPECT_LE(deal.begin(deal.rank + 1) - deal.begin(deal.rank), bodies / ranks + stretch);
        }
        EXPECT_EQ(stretches, (bodies + stretch - 1) / stretch);
      }
    }
  }
}

}  // namespace
}  // namespace simscope::nbody::tree
