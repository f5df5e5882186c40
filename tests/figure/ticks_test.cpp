#include "app/render/figure/ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/render/figure/plan.h"

namespace simscope::render {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Ticks, StandAtRoundNumbersWithinTheRange) {
  const AxisTicks t = axisTicks(-100, 100, 12);
  EXPECT_DOUBLE_EQ(t.step, 20);
  EXPECT_THAT(t.major, ElementsAre(-100, -80, -60, -40, -20, 0, 20, 40, 60, 80, 100));
  EXPECT_EQ(t.labels.front(), "−100");
  EXPECT_EQ(t.labels[5], "0");
}

TEST(Ticks, StepsAreOneTwoOrFiveTimesAPowerOfTenAndNeverMoreTicksThanAsked) {
  for (const double span : {1e-9, 0.003, 0.0798, 0.7, 1.0, 1.5, 3.7, 42.0, 999.0, 1e7, 3e12}) {
    for (const double low : {0.0, -span / 3, -span, 0.37 * span}) {
      for (int most = 1; most <= 12; ++most) {
        const AxisTicks t = axisTicks(low, low + span, most);
        EXPECT_LE(t.major.size(), static_cast<std::size_t>(most)) << low << " " << span;
        EXPECT_EQ(t.labels.size(), t.major.size());
        const double mantissa = t.step / std::pow(10.0, std::floor(std::log10(t.step) + 1e-9));
        EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6)
            << t.step;
        for (const double v : t.major) {
          EXPECT_GE(v, low - 1e-8 * span);
          EXPECT_LE(v, low + span * (1 + 1e-8));
        }
      }
    }
  }
}

TEST(Ticks, EndsOfTheRangeAreNotLostToRounding) {
  EXPECT_THAT(axisTicks(0, 0.3, 5).labels, ElementsAre("0.0", "0.1", "0.2", "0.3"));
  EXPECT_THAT(axisTicks(-0.3, 0.3, 4).labels, ElementsAre("−0.2", "0.0", "0.2"));
}

TEST(Ticks, MinorTicksLieBetweenMajorOnes) {
  const AxisTicks t = axisTicks(0, 2, 3);
  EXPECT_DOUBLE_EQ(t.step, 1);
  ASSERT_EQ(t.minor.size(), 8u);
  EXPECT_NEAR(t.minor.front(), 0.2, 1e-12);
  EXPECT_NEAR(t.minor.back(), 1.8, 1e-12);
}

TEST(Ticks, VeryLargeAndVerySmallRangesShareAPowerOfTen) {
  const AxisTicks small = axisTicks(0, 4e-6, 5);
  EXPECT_EQ(small.exponent, -6);
  EXPECT_THAT(small.labels, ElementsAre("0", "1", "2", "3", "4"));
  const AxisTicks large = axisTicks(0, 1.5e8, 4);
  EXPECT_EQ(large.exponent, 6);
  EXPECT_THAT(large.labels, ElementsAre("0", "50", "100", "150"));
  EXPECT_EQ(axisTicks(0, 0.0798, 5).exponent, 0);
}

TEST(Ticks, EmptyOrUnusableRangesHaveNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_THAT(axisTicks(1, 1, 5).major, IsEmpty());
  EXPECT_THAT(axisTicks(2, 1, 5).major, IsEmpty());
  EXPECT_THAT(axisTicks(nan, 1, 5).major, IsEmpty());
  EXPECT_THAT(axisTicks(0, inf, 5).major, IsEmpty());
  EXPECT_THAT(axisTicks(1, 1 + 1e-15, 5).major, IsEmpty());
  EXPECT_LE(axisTicks(-1e308, 1e307, 5).major.size(), 5u);
}

TEST(Ticks, OfDecadesStandAtPowersOfTenWithTheirMultiplesBetween) {
  const AxisTicks ticks = decadeTicks(-2, 2, 8);
  EXPECT_EQ(ticks.major, (std::vector<double>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(ticks.labels, (std::vector<std::string>{"10⁻²", "10⁻¹", "1", "10", "10²"}));
  ASSERT_EQ(ticks.minor.size(), 4u * 8);
  EXPECT_DOUBLE_EQ(ticks.minor[0], -2 + std::log10(2));
}

TEST(Ticks, OfManyDecadesAreNeverMoreThanAsked) {
  for (const int most : {2, 3, 5, 9}) {
    for (const double high : {3.0, 9.5, 17.0, 120.0, 280.0}) {
      const AxisTicks ticks = decadeTicks(0, high, most);
      EXPECT_LE(ticks.major.size(), static_cast<std::size_t>(most)) << high;
      EXPECT_GE(ticks.major.size(), 1u) << high;
      EXPECT_EQ(ticks.labels.size(), ticks.major.size());
    }
  }
}

TEST(Ticks, WithinADecadeSayTheNumbersThemselves) {
  const AxisTicks wide = decadeTicks(std::log10(1.5), std::log10(60), 8);
  EXPECT_EQ(wide.labels, (std::vector<std::string>{"2", "5", "10", "20", "50"}));
  const AxisTicks tight = decadeTicks(1, std::log10(562), 5);
  EXPECT_EQ(tight.labels, (std::vector<std::string>{"10", "30", "100", "300"})) << "1, 2, and 5 would be six";
  EXPECT_EQ(decadeTicks(1, std::log10(950), 3).labels, (std::vector<std::string>{"10", "10²"}));
  const AxisTicks narrow = decadeTicks(std::log10(2.1), std::log10(2.9), 5);
  EXPECT_EQ(narrow.labels, (std::vector<std::string>{"2.2", "2.4", "2.6", "2.8"}));
  EXPECT_NEAR(narrow.major[1], std::log10(2.4), 1e-12);
}

TEST(Labels, CarryAsManyDecimalsAsTheStepNeeds) {
  EXPECT_EQ(tickLabel(0.5, 0.25), "0.5");
  EXPECT_EQ(tickLabel(0.06, 0.02), "0.06");
  EXPECT_EQ(tickLabel(40, 20), "40");
  EXPECT_EQ(tickLabel(-1.5, 0.5), "−1.5");
  EXPECT_EQ(tickLabel(-1e-18, 0.1), "0.0");
}

TEST(Labels, TheClockCountsWhatTheSimulationCounts) {
  EXPECT_EQ(clockText({}, 1.25, 0.05), "t = 1.25");
  EXPECT_EQ(clockText({.unit = "s"}, 15, 0.1), "t = 15.00 s");
  EXPECT_EQ(clockText({.symbol = "n", .unit = "darts", .counts = true}, 1e8, 1e6), "n = 100,000,000 darts");
  EXPECT_EQ(countText(999), "999");
  EXPECT_EQ(countText(-1048576), "−1,048,576");
}

TEST(Labels, SiUnitsTakePrefixesAndOthersAPowerOfTen) {
  EXPECT_EQ(scaledUnit("m", 0), "m");
  EXPECT_EQ(scaledUnit("m", -6), "µm");
  EXPECT_EQ(scaledUnit("m", -3), "mm");
  EXPECT_EQ(scaledUnit("Hz", 9), "GHz");
  EXPECT_EQ(scaledUnit("m", -24), "ym");
  EXPECT_EQ(scaledUnit("m", 27), "10²⁷ m");
  EXPECT_EQ(scaledUnit("m²", -6), "10⁻⁶ m²") << "a prefix would be squared, too";
  EXPECT_EQ(scaledUnit("length", 6), "10⁶ length");
  EXPECT_EQ(scaledUnit("", -3), "10⁻³");
}

TEST(Labels, NumbersReadAsPeopleWriteThem) {
  EXPECT_EQ(numberText(0, 4), "0");
  EXPECT_EQ(numberText(0.0345, 4), "0.03450");
  EXPECT_EQ(numberText(12.345, 3), "12.3");
  EXPECT_EQ(numberText(-4.1e-7, 2), "−4.1×10⁻⁷");
  EXPECT_EQ(numberText(2.5e9, 3), "2.50×10⁹");
  EXPECT_EQ(numberText(std::numeric_limits<double>::infinity(), 3), "∞");
  EXPECT_EQ(numberText(std::nan(""), 3), "not a number");
}

TEST(Labels, TimeShowsWhatAStepChanges) {
  EXPECT_EQ(timeText(40, 0.05), "40.00");
  EXPECT_EQ(timeText(0.002, 0.002), "0.002");
  EXPECT_EQ(timeText(3, 0), "3.00");
  EXPECT_EQ(timeText(0, 1e-12), "0.000000");
}

TEST(Ticks, AKeyOfKindsHasAColourAndATickForEach) {
  ColourKey key;
  key.table.resize(256);
  key.range.limits = {-0.25, 1.25};
  key.kinds = 2;
  const std::size_t first = colourEntry(key.range.position(0), 256), second = colourEntry(key.range.position(1), 256);
  EXPECT_NE(first, second);
  for (const double along : {0.01, 0.25, 0.49}) EXPECT_EQ(key.entry(along), first);
  for (const double along : {0.51, 0.75, 0.99, 1.0}) EXPECT_EQ(key.entry(along), second);
  EXPECT_DOUBLE_EQ(key.position(0), 0.25);
  EXPECT_DOUBLE_EQ(key.position(1), 0.75);
  EXPECT_THAT(kindTicks(2, 12).labels, ElementsAre("0", "1"));
  EXPECT_THAT(kindTicks(10, 5).labels, ElementsAre("0", "2", "4", "6", "8"));
  const std::vector<std::string> names = {"Sun", "Mercury", "Venus"};
  EXPECT_THAT(kindTicks(3, 12, names).labels, ElementsAre("Sun", "Mercury", "Venus"));
  EXPECT_THAT(kindTicks(3, 2, names).labels, ElementsAre("Sun", "Venus"));
  EXPECT_THAT(kindTicks(4, 12, names).labels, ElementsAre("0", "1", "2", "3")) << "names of other kinds";
}

}  // namespace
}  // namespace simscope::render
