#include "app/gui/panels/parameters/parameter_scale.h"

#include <gtest/gtest.h>

#include <cmath>

namespace simscope::gui {
namespace {

ParameterInfo real(double low, double high, double initial, Scale scale = Scale::Linear) {
  ParameterInfo info;
  info.key = "some_parameter";
  info.kind = Kind::Real;
  info.scale = scale;
  info.initial = initial;
  info.minimum = low;
  info.maximum = high;
  return info;
}

const ParameterInfo kInfos[] = {real(0, 20, 1.5),       real(1e-5, 1, 0.05, Scale::Log),
                                real(-1000, 1000, -60), real(20, 2000, 200, Scale::Log),
                                real(5, 5000, 6),       real(-50, 50, 2)};

TEST(ParameterScale, TheEndsOfASliderAreTheRange) {
  for (const ParameterInfo& info : kInfos) {
    EXPECT_EQ(sliderValue(info, 0, false), info.minimum);
    EXPECT_EQ(sliderValue(info, 1, false), info.maximum);
    EXPECT_NEAR(sliderPlace(info, info.minimum), 0, 1e-12);
    EXPECT_NEAR(sliderPlace(info, info.maximum), 1, 1e-12);
  }
}

TEST(ParameterScale, PlaceAndValueAreInverseWithinTheRounding) {
  for (const ParameterInfo& info : kInfos) {
    for (double place = 0.02; place < 1; place += 0.02) {
      const double fine = sliderValue(info, place, true);
      EXPECT_NEAR(sliderPlace(info, fine), place, 0.03) << info.minimum << " to " << info.maximum << " at " << place;
    }
  }
}

TEST(ParameterScale, EverySliderValueIsAllowedAndTheyRise) {
  for (const ParameterInfo& info : kInfos) {
    double last = info.minimum;
    for (int i = 0; i <= 1000; ++i) {
      const double value = sliderValue(info, i / 1000.0, false);
      EXPECT_NO_THROW(checkedValue(info, value));
      EXPECT_GE(value, last);
      last = value;
    }
  }
}

TEST(ParameterScale, SliderValuesPrintShort) {
  for (const ParameterInfo& info : kInfos) {
    for (int i = 1; i < 200; ++i) {
      const double value = sliderValue(info, i / 200.0, false);
      EXPECT_LE(toText(value).size(), 8u) << toText(value);
    }
  }
}

TEST(ParameterScale, WideLinearRangesReachSmallValues) {
  const ParameterInfo info = real(-1000, 1000, 2);
  EXPECT_LT(std::abs(sliderValue(info, 0.51, false)), 0.1);
}

TEST(ParameterScale, ValuesOutsideTheRangeSitAtTheEnds) {
  const ParameterInfo info = real(1, 10, 2);
  EXPECT_EQ(sliderPlace(info, 0), 0);
  EXPECT_EQ(sliderPlace(info, 11), 1);
}

TEST(ParameterScale, IntegersStayWhole) {
  ParameterInfo info = real(1, 30, 4);
  info.kind = Kind::Integer;
  info.initial = std::int64_t{4};
  for (int i = 0; i <= 100; ++i) {
    const double value = sliderValue(info, i / 100.0, true);
    EXPECT_EQ(value, std::round(value));
  }
  EXPECT_EQ(std::get<std::int64_t>(valueOf(info, 7)), 7);
}

}  // namespace
}  // namespace simscope::gui
