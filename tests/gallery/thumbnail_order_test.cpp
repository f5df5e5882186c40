#include "app/gui/gallery/thumbnail_order.h"

#include <gtest/gtest.h>

namespace simscope::gallery {
namespace {

using enum Stage;

TEST(ThumbnailOrder, WhatIsSeenComesRoughlyFirstTheChosenOneBeforeAll) {
  const std::vector<Stage> stages(6, None);
  const std::vector<ThumbnailRequest> order = thumbnailOrder(stages, {1, 4}, 2);
  const std::vector<ThumbnailRequest> expected = {{2, true}, {1, true}, {3, true}, {4, false}, {5, false}, {0, false}};
  EXPECT_EQ(order, expected);
}

TEST(ThumbnailOrder, DraftsAreMadeWellBeforeWhatIsNotSeen) {
  const std::vector<Stage> stages = {None, Draft, Done, Draft, Done, None};
  const std::vector<ThumbnailRequest> expected = {{3, false}, {1, false}, {5, false}, {0, false}};
  EXPECT_EQ(thumbnailOrder(stages, {1, 5}, 3), expected);
}

TEST(ThumbnailOrder, WhatLiesOnTheDiskIsReadWhereItIsSeenAndLeftThereElsewhere) {
  const std::vector<Stage> stages = {Stored, Stored, Stored};
  EXPECT_EQ(thumbnailOrder(stages, {1, 2}, 0), (std::vector<ThumbnailRequest>{{1, true}}));
}

TEST(ThumbnailOrder, FailuresAreNotTriedAgainAndWhatIsDoneIsLeftAlone) {
  const std::vector<Stage> stages = {Failed, Done, Failed};
  EXPECT_TRUE(thumbnailOrder(stages, {0, 3}, 0).empty());
}

TEST(ThumbnailOrder, ARangeBeyondTheCardsIsCut) {
  const std::vector<Stage> stages(2, None);
  EXPECT_EQ(thumbnailOrder(stages, {1, 9}, 7), (std::vector<ThumbnailRequest>{{1, true}, {0, false}}));
  EXPECT_TRUE(thumbnailOrder({}, {3, 9}, 0).empty());
}

}  // namespace
}  // namespace simscope::gallery
