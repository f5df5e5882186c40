#include "sims/core/words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
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

TEST(Words, RoundedNumbersAreTheDecimalsThatOneTypes) {
  EXPECT_EQ(rounded(0.18125000000000002, 12), 0.18125);
  EXPECT_EQ(rounded(-123456, 3), -123000);
  EXPECT_EQ(roundedDown(0.012999), 0.012);
  EXPECT_EQ(roundedUp(0.012001), 0.013);
  EXPECT_EQ(roundedDown(12999, 3), 12900);
  EXPECT_EQ(roundedUp(12901, 3), 13000);
}

TEST(Words, ANumberOfSoManyDigitsStays) {
  for (const double value : {0.00017, 0.29, 1.1, 57.0, 4.3e9}) {
    EXPECT_EQ(roundedDown(value), value);
    EXPECT_EQ(roundedUp(value), value);
  }
}

TEST(Words, WhatHasNoDigitsIsRoundedToZero) {
  for (const double value : {-1.0, 0.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_EQ(roundedDown(value), 0);
    EXPECT_EQ(roundedUp(value), 0);
  }
}

TEST(Words, ANearNameIsOfferedAndNoOther) {
  const std::vector<std::string> names = {"growth", "rate"};
  EXPECT_EQ(didYouMean("grwoth", names, "."), "; did you mean 'growth'?");
  EXPECT_EQ(didYouMean("zzzz", names, "."), ".");
  EXPECT_EQ(didYouMean("zzzz", names), "");
}

}  // namespace
}  // namespace simscope
