#include "sims/core/words.h"

#include <gtest/gtest.h>

namespace simscope {
namespace {

TEST(Words, OneIsCountedInTheSingular) {
  EXPECT_EQ(counted(1, "frame"), "1 frame");
  EXPECT_EQ(counted(0, "frame"), "0 frames");
  EXPECT_EQ(counted(141, "frame"), "141 frames");
  EXPECT_EQ(counted(1, "body", "bodies"), "1 body");
  EXPECT_EQ(counted(2, "body", "bodies"), "2 bodies");
}

}  // namespace
}  // namespace simscope
