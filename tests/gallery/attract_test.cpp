#include "app/gui/gallery/attract.h"

#include <gtest/gtest.h>

namespace simscope::gallery {
namespace {

std::vector<Subject> three() {
  return {{nullptr, "a", {}}, {nullptr, "b", {}}, {nullptr, "c", {}}};
}

TEST(Attract, BeginsWhenNobodyHasTouchedAnythingForAsLong) {
  Attract attract(three(), 60);
  attract.touch(10);
  EXPECT_FALSE(attract.advance(69.9, false, false));
  EXPECT_FALSE(attract.showing());
  EXPECT_TRUE(attract.advance(70, false, false));
  EXPECT_TRUE(attract.showing());
  EXPECT_EQ(attract.current().preset, "a");
}

TEST(Attract, EachTouchPutsItOff) {
  Attract attract(three(), 60);
  for (double now = 0; now < 500; now += 50) {
    attract.touch(now);
    EXPECT_FALSE(attract.advance(now + 49, false, false));
  }
}

TEST(Attract, NeverBeginsWithoutATime) {
  Attract attract(three(), 0);
  EXPECT_FALSE(attract.advance(1e9, false, false));
}

TEST(Attract, OfNothingThereIsNothingToShow) {
  Attract attract({}, 1);
  EXPECT_FALSE(attract.advance(1e9, false, false));
  EXPECT_FALSE(attract.showing());
}

TEST(Attract, ShowsEachForItsTimeAndThenTheNextAndTheFirstAfterTheLast) {
  Attract attract(three(), 1);
  ASSERT_TRUE(attract.advance(1, false, false));
  double now = 1;
  for (const char* next : {"b", "c", "a"}) {
    EXPECT_FALSE(attract.advance(now + Attract::kShown - 0.1, true, false));
    now += Attract::kShown;
    ASSERT_TRUE(attract.advance(now, true, false));
    EXPECT_EQ(attract.current().preset, next);
  }
}

TEST(Attract, PassesOverWhatFailsAtOnceAndWhatDoesNotComeAfterAWhile) {
  Attract attract(three(), 1);
  ASSERT_TRUE(attract.advance(1, false, false));
  ASSERT_TRUE(attract.advance(1.1, false, true));
  EXPECT_EQ(attract.current().preset, "b");
  EXPECT_FALSE(attract.advance(1.1 + Attract::kPatience - 0.1, false, false));
  ASSERT_TRUE(attract.advance(1.1 + Attract::kPatience, false, false));
  EXPECT_EQ(attract.current().preset, "c");
}

TEST(Attract, ATouchEndsItAndTheNextTimeItGoesOnWithTheNext) {
  Attract attract(three(), 1);
  ASSERT_TRUE(attract.advance(1, false, false));
  EXPECT_TRUE(attract.touch(3));
  EXPECT_FALSE(attract.showing());
  EXPECT_FALSE(attract.touch(3.5));
  ASSERT_TRUE(attract.advance(4.5, false, false));
  EXPECT_EQ(attract.current().preset, "b");
}

}  // namespace
}  // namespace simscope::gallery
