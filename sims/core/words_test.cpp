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

TEST(Words, BytesHaveTwoOrThreeDigits) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(999), "999 B");
  EXPECT_EQ(bytesText(999.9), "1.0 kB");
  EXPECT_EQ(bytesText(2.5e6), "2.5 MB");
  EXPECT_EQ(bytesText(120e9), "120 GB");
  EXPECT_EQ(bytesText(3e15), "3.0 PB");
  EXPECT_EQ(bytesText(4e18), "4000 PB");
}

TEST(Words, SecondsChangeTheirUnitWhereTheyWouldBeRoundedToIt) {
  EXPECT_EQ(secondsText(0.85), "850 ms");
  EXPECT_EQ(secondsText(0.9996), "1.0 s");
  EXPECT_EQ(secondsText(2.1), "2.1 s");
  EXPECT_EQ(secondsText(200), "3 min 20 s");
  EXPECT_EQ(secondsText(7500), "2 h 5 min");
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
