#include "app/session/readings/plot_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace simscope {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Plot plotOf(const std::vector<double>& x, const std::vector<double>& y) {
  Plot plot;
  plot.title = "Norm";
  plot.x = {"t", "s"};
  PlotSeries series;
  series.key = "norm";
  series.title = "Norm";
  series.unit = "m";
  series.x = x;
  series.y = y;
  plot.series.push_back(series);
  return plot;
}

TEST(PlotModel, ADecimatedCurveHasTheExtremesOfEveryColumn) {
  std::vector<double> x, y;
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(i);
    y.push_back(std::sin(0.37 * i) + (i == 51'234 ? 5 : 0));
  }
  const Plot plot = plotOf(x, y);
  const PlotScales scales = *scalesOf(plot, {});
  constexpr int kColumns = 200;
  const std::vector<PlotPoint> points = decimated(plot.series[0], scales, kColumns);
  EXPECT_LE(points.size(), 4u * (kColumns + 1));
  const auto columnOf = [&](double at) { return static_cast<int>(std::floor(at * kColumns)); };
  for (int column = 0; column < kColumns; ++column) {
    double low = 1e9, high = -1e9, drawn_low = 1e9, drawn_high = -1e9;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (columnOf(scales.x.position(x[i])) != column) continue;
      low = std::min(low, scales.y.position(y[i]));
      high = std::max(high, scales.y.position(y[i]));
    }
    for (const PlotPoint& each : points) {
      if (columnOf(each.x) != column) continue;
      drawn_low = std::min(drawn_low, each.y);
      drawn_high = std::max(drawn_high, each.y);
    }
    ASSERT_EQ(drawn_low, low) << "column " << column;
    ASSERT_EQ(drawn_high, high) << "column " << column;
  }
  EXPECT_TRUE(std::is_sorted(points.begin(), points.end(), [](auto& a, auto& b) { return a.x < b.x; }));
}

TEST(PlotModel, AValueThatIsNoNumberInterruptsTheCurve) {
  const std::vector<double> x{0, 1, 2, 3, 4}, y{1, 2, kNaN, kNaN, 5};
  const Plot plot = plotOf(x, y);
  const std::vector<PlotPoint> points = decimated(plot.series[0], *scalesOf(plot, {}), 100);
  ASSERT_EQ(points.size(), 4u);
  EXPECT_TRUE(std::isfinite(points[1].y));
  EXPECT_TRUE(std::isnan(points[2].y));
  EXPECT_TRUE(std::isfinite(points[3].y));
}

TEST(PlotModel, OnlyWhatIsSeenIsDecimatedAndOnePointBeyondItAtEitherSide) {
  std::vector<double> x, y;
  for (int i = 0; i <= 100; ++i) x.push_back(i), y.push_back(i);
  const Plot plot = plotOf(x, y);
  PlotZoom zoom;
  zoom.x = PlotRange{40.5, 42.5};
  const std::vector<PlotPoint> points = decimated(plot.series[0], *scalesOf(plot, zoom), 1000);
  ASSERT_EQ(points.size(), 4u);  // 40, 41, 42, 43
  EXPECT_LT(points.front().x, 0);
  EXPECT_GT(points.back().x, 1);
}

TEST(PlotModel, TheValueAxisFitsWhatIsSeenAndAConservedValueIsDrawnFlat) {
  const std::vector<double> x{0, 1, 2, 3}, y{0, 10, 20, 1000};
  PlotZoom zoom;
  zoom.x = PlotRange{0, 1.5};
  const PlotRange seen = scalesOf(plotOf(x, y), zoom)->y.range;
  EXPECT_GT(seen.high, 20);
  EXPECT_LT(seen.high, 30);
  const std::vector<double> flat{1, 1 + 1e-9, 1 - 1e-9, 1};
  const PlotRange of_flat = scalesOf(plotOf(x, flat), {})->y.range;
  EXPECT_NEAR(of_flat.high - of_flat.low, 2e-3, 1e-8);
}

TEST(PlotModel, ASingleSampleAtZeroHasAxesOfOrdinarySize) {
  const std::vector<double> zero{0};
  const PlotScales scales = *scalesOf(plotOf(zero, zero), {});
  EXPECT_EQ(scales.x.range, (PlotRange{0, 1}));
  EXPECT_EQ(scales.y.range, (PlotRange{-1, 1}));
}

TEST(PlotModel, ALogarithmicAxisLeavesOutWhatIsNotAboveZero) {
  const std::vector<double> x{0, 1, 2, 3}, y{-1, 0, 1e-3, 1e3};
  PlotZoom zoom;
  zoom.log_y = true;
  const Plot plot = plotOf(x, y);
  const PlotScales scales = *scalesOf(plot, zoom);
  EXPECT_GT(scales.y.range.low, 1e-4);
  EXPECT_LT(scales.y.range.low, 1e-3);
  const double middle = scales.y.position(1);
  EXPECT_NEAR(middle, 0.5, 1e-12);
  EXPECT_NEAR(scales.y.value(middle), 1, 1e-12);
  const std::vector<PlotPoint> points = decimated(plot.series[0], scales, 100);
  EXPECT_EQ(std::count_if(points.begin(), points.end(), [](auto& p) { return std::isfinite(p.y); }), 2);
  EXPECT_FALSE(scalesOf(plotOf(x, {-1, -2, -3, 0}), zoom)) << "no number above 0 to show";
}

TEST(PlotModel, ZoomingKeepsTheValueUnderTheMouseAndPanningMovesByAShare) {
  const std::vector<double> x{0, 10}, y{1, 100};
  for (const bool log : {false, true}) {
    PlotZoom zoom;
    zoom.log_y = log;
    const Plot plot = plotOf(x, y);
    const PlotScales before = *scalesOf(plot, zoom);
    const double under_x = before.x.value(0.3), under_y = before.y.value(0.7);
    zoom = zoomedAbout(zoom, before, 0.3, 0.7, 0.5, true, true);
    const PlotScales after = *scalesOf(plot, zoom);
    EXPECT_NEAR(after.x.value(0.3), under_x, 1e-9);
    EXPECT_NEAR(after.y.value(0.7), under_y, 1e-9);
    EXPECT_NEAR((after.x.range.high - after.x.range.low) / 10, 0.5, 1e-12);
    const PlotScales moved = *scalesOf(plot, panned(zoom, after, 0.25, 0));
    EXPECT_NEAR(moved.x.range.low, after.x.range.low - 0.25 * 5, 1e-12);
    EXPECT_EQ(moved.y.range, after.y.range);
  }
}

TEST(PlotModel, ZoomingStopsWhereNumbersAreNoFiner) {
  const std::vector<double> x{0, 1}, y{0, 1};
  PlotZoom zoom;
  const Plot plot = plotOf(x, y);
  for (int i = 0; i < 500; ++i) zoom = zoomedAbout(zoom, *scalesOf(plot, zoom), 0.5, 0.5, 0.5, true, true);
  EXPECT_GT(zoom.x->high, zoom.x->low);
  EXPECT_FALSE(ticksOf(scalesOf(plot, zoom)->x, 5, "").places.empty());
}

TEST(PlotModel, HiddenSeriesNeitherSetTheAxesNorStandInTheTable) {
  const std::vector<double> x{0, 1}, y{0, 1}, large{0, 1000};
  Plot plot = plotOf(x, y);
  plot.series.push_back(plot.series[0]);
  plot.series[1].key = "large";
  plot.series[1].y = large;
  PlotZoom zoom;
  EXPECT_GT(scalesOf(plot, zoom)->y.range.high, 999);
  zoom.hidden.insert("large");
  EXPECT_LT(scalesOf(plot, zoom)->y.range.high, 2);
  EXPECT_EQ(tableText(plot, zoom), "t [s],Norm [m]\n0,0\n1,1\n");
  zoom.hidden.insert("norm");
  EXPECT_FALSE(scalesOf(plot, zoom));
}

TEST(PlotModel, ATableHasEmptyFieldsWhereSeriesWereSampledAtDifferentPlaces) {
  const std::vector<double> x{0, 1, 2}, y{0.1, kNaN, 0.3}, other_x{1, 1.5}, other_y{7, 8};
  Plot plot = plotOf(x, y);
  plot.series.push_back(plot.series[0]);
  plot.series[1].key = "other";
  plot.series[1].title = "P1, \"left\"";
  plot.series[1].unit = "";
  plot.series[1].x = other_x;
  plot.series[1].y = other_y;
  EXPECT_EQ(tableText(plot, {}), "t [s],Norm [m],\"P1, \"\"left\"\"\"\n0,0.1,\n1,,7\n1.5,,8\n2,0.3,\n");
}

TEST(PlotModel, TicksLieWithinTheAxisAndSayTheirUnit) {
  const PlotTicks ticks = ticksOf({{0, 5e-5}, false}, 5, "s");
  EXPECT_EQ(ticks.unit, "µs");
  ASSERT_EQ(ticks.places.size(), ticks.labels.size());
  ASSERT_GE(ticks.places.size(), 2u);
  for (const double place : ticks.places) EXPECT_TRUE(place >= 0 && place <= 1);
  EXPECT_DOUBLE_EQ(ticks.scale, 1e-6) << "what stands beside such a title is told in its unit";
  const PlotTicks decades = ticksOf({{1e-3, 1e3}, true}, 7, "s");
  EXPECT_EQ(decades.unit, "s");
  EXPECT_NEAR(decades.places.front(), 0, 1e-12);
  EXPECT_NEAR(decades.places.back(), 1, 1e-12);
  EXPECT_EQ(axisText("t", "s"), "t [s]");
  EXPECT_EQ(axisText("count", ""), "count");
}

TEST(PlotModel, BarsReachToZeroAndShowTheLastOneWhole) {
  const std::vector<double> x{0, 1, 2}, y{5, 6, 7};
  Plot plot = plotOf(x, y);
  plot.series[0].style = PlotSeries::Style::Bars;
  plot.series[0].bar_width = 1;
  const PlotScales scales = *scalesOf(plot, {});
  EXPECT_LE(scales.y.range.low, 0);
  EXPECT_EQ(scales.x.range.high, 3);
}

TEST(PlotModel, TheNearestSampleIsTheNearest) {
  const std::vector<double> x{0, 1, 4};
  EXPECT_EQ(nearestSample(x, -5), 0u);
  EXPECT_EQ(nearestSample(x, 2.4), 1u);
  EXPECT_EQ(nearestSample(x, 2.6), 2u);
  EXPECT_EQ(nearestSample(x, 9), 2u);
  EXPECT_FALSE(nearestSample({}, 1));
}

TEST(PlotModel, ErrorsAreRelativeUnlessTheExactValueIsZero) {
  EXPECT_DOUBLE_EQ(relativeError(1.1, -1), 2.1);
  EXPECT_NEAR(relativeError(0.99, 1), -0.01, 1e-15);
  EXPECT_DOUBLE_EQ(relativeError(0.5, 0), 0.5);
  EXPECT_TRUE(std::isnan(relativeError(1, kNaN)));
}

}  // namespace
}  // namespace simscope
