// Decimal centres, and how the mouse moves them.
#include <gtest/gtest.h>

#include "sims/mandelbrot/decimal.h"
#include "sims/mandelbrot/testing.h"

namespace simscope::mandelbrot {
namespace {

TEST(Decimals, AreTakenOrRefusedByName) {
  for (const char* const good : {"0", "-0.75", "+1.5e-3", ".5", "2.", "1e-300"}) {
    EXPECT_NO_THROW(checkDecimal("centre_x", good)) << good;
  }
  const std::string long_one(321, '1');
  for (const std::string& bad :
       std::vector<std::string>{"", "abc", "1..2", "0x10", "nan", "inf", "1e", "1e99999", "5", "1 ", "--1", long_one}) {
    EXPECT_EQ(tests::refusedParameter([&] { checkDecimal("centre_x", bad); }), "centre_x") << bad;
  }
  EXPECT_EQ(tests::refusedParameter([] { runOf({{"centre_y", "north"}}); }), "centre_y");
}

TEST(Decimals, MoveWithoutLosingADigit) {
  const std::string deep = "0.1234567890123456789012345678901234567890123456789012345678901234567890";
  EXPECT_EQ(moved(deep, 0, 70), "0.123456789012345678901234567890123456789012345678901234567890123456789");
  EXPECT_EQ(moved(deep, 0x1p-200, 70).substr(0, 62), deep.substr(0, 62));
  EXPECT_EQ(moved("-0.75", 0.25, 10), "-0.5");
  EXPECT_EQ(moved("-0.25", 0.25, 10), "0");
  EXPECT_EQ(moved("1", 1e-60, 64), "1.000000000000000000000000000000000000000000000000000000000001");
}

double at(const ParameterSet& set, const char* key, double share, double extent) {
  return toDouble(set.text(key)) + (share - 0.5) * extent;
}

TEST(Navigation, ZoomingKeepsThePlaceUnderTheMouse) {
  const ParameterSet before = with({{"centre_x", "-0.7"}, {"centre_y", "0.2"}, {"zoom", "1"}});
  const auto after = navigate(before, {.view = "picture", .x = 0.8, .y = 0.3, .factor = 1.2});
  ASSERT_TRUE(after);
  EXPECT_NEAR(after->real("zoom"), 1 + std::log10(1.2), 1e-4);
  const double wide = 4 * std::pow(10.0, -after->real("zoom"));
  EXPECT_NEAR(at(*after, "centre_x", 0.8, wide), at(before, "centre_x", 0.8, 0.4), 1e-9);
  EXPECT_NEAR(at(*after, "centre_y", 0.3, wide * 9 / 16), at(before, "centre_y", 0.3, 0.4 * 9 / 16), 1e-9);
  const auto back = navigate(*after, {.view = "picture", .x = 0.8, .y = 0.3, .factor = 1 / 1.2});
  EXPECT_NEAR(toDouble(back->text("centre_x")), -0.7, 1e-4);
}

TEST(Navigation, DraggingMovesWhatIsSeenAlong) {
  const ParameterSet before = with({{"zoom", "2"}});
  const auto after = navigate(before, {.view = "count", .dx = 0.25, .dy = -0.5});
  ASSERT_TRUE(after);
  EXPECT_NEAR(toDouble(after->text("centre_x")), -0.75 - 0.25 * 0.04, 1e-12);
  EXPECT_NEAR(toDouble(after->text("centre_y")), 0.5 * 0.04 * 9 / 16, 1e-12);
  EXPECT_EQ(after->real("zoom"), 2);
}

TEST(Navigation, ReachesAnyDepthAndStopsAtTheLimits) {
  ParameterSet set = with({});
  for (int i = 0; i < 5000; ++i) set = *navigate(set, {.view = "picture", .x = 0.7, .y = 0.6, .factor = 1.2});
  EXPECT_EQ(set.real("zoom"), kMostZoom);
  EXPECT_NO_THROW(checkDecimal("centre_x", set.text("centre_x")));
  for (int i = 0; i < 5000; ++i) set = *navigate(set, {.view = "picture", .x = 0.1, .factor = 1 / 1.2});
  EXPECT_EQ(set.real("zoom"), kLeastZoom);
  for (int i = 0; i < 100; ++i) set = *navigate(set, {.view = "picture", .dx = 0.9});
  EXPECT_NO_THROW(checkDecimal("centre_x", set.text("centre_x")));
  for (const double odd : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(*navigate(with({}), {.view = "picture", .x = 0.2, .factor = odd}), with({})) << odd;
  }
}

TEST(Navigation, IsOfTheParameterPlaneAlone) {
  EXPECT_FALSE(navigate(with({}), {.view = "julia", .factor = 2}));
  for (const std::string& key : description().window_parameters) EXPECT_NO_THROW(with({}).find(key)) << key;
}

TEST(Navigation, AxesShowCoordinatesAndOffsetsWhereThoseAreTooLong) {
  for (const char* const zoom : {"3", "40"}) {
    Stepper run = runOf({{"zoom", zoom}, {"grid_points", "64"}});
    Frame frame;
    run.present(frame);
    const Channel& picture = tests::channelOf(frame, "picture");
    const bool deep = zoom[0] == '4';
    EXPECT_EQ(picture.form, deep ? 1 : 0);
    const double wide = 4 * std::pow(10.0, -std::stod(zoom));
    EXPECT_NEAR((picture.x_max - picture.x_min) / wide, 1, 1e-12);
    EXPECT_NEAR((picture.x_min + picture.x_max) / 2, deep ? 0 : -0.75, wide / 64);
  }
}

}  // namespace
}  // namespace simscope::mandelbrot
