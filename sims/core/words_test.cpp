#include "sims/core/words.h"

#include <gtest/gtest.h>

#include <vector>

namespace simscope {
namespace {

TEST(Words, OneIsCountedInTheSingular) {
  EXPECT_EQ(counted(1, "frame"), "1 frame");
  EXPECT_EQ(counted(0, "frame"), "0 frames");
  EXPECT_EQ(counted(141, "frame"), "141 frames");
  EXPECT_EQ(counted(1, "body", "bodies"), "1 body");
  EXPECT_EQ(counted(2, "body", "bodies"), "2 bodies");
}

TEST(Words, ANearNameIsOfferedAndNoOther) {
  const std::vector<std::string> names = {"growth", "rate"};
  EXPECT_EQ(didYouMean("grwoth", names, "."), "; did you mean 'growth'?");
  EXPECT_EQ(didYouMean("zzzz", names, "."), ".");
  EXPECT_EQ(didYouMean("zzzz", names), "");
}

}  // namespace
}  // namespace simscope
