// Histograms and points in the plane, read back pixel by pixel.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/render/figure/exact_colours.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "app/render/layers/curves/curve_legend.h"
#include "sims/compute/error.h"
#include "sims/core/description.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

Description makeDistributions() {
  Description d;
  d.id = "distributions";
  d.title = "Distributions";
  d.equation = "f(v)";
  d.parameters = std::make_shared<std::vector<ParameterInfo>>();
  d.views = {
      {"speeds", "Speeds",
       CurveView{.x = {"v", "m/s"},
                 .y = {"share", ""},
                 .traces = {{.channel = "counts", .title = "measured", .style = TraceStyle::Bars},
                            {.channel = "exact", .title = "Maxwell", .style = TraceStyle::Line, .colour = 1}}}},
      {"phase_space", "Phase space",
       ScatterView{.x = {"x", "m"},
                   .y = {"v", "m/s"},
                   .value = {"energy", "J"},
                   .channel = "places",
                   .value_channel = "energy"}},
      {"darts", "Darts", ScatterView{.x = {"x", ""}, .y = {"y", ""}, .channel = "places", .equal_lengths = true}}};
  return d;
}

class DistributionTest : public testing::Test {
 protected:
  DistributionTest() {
    frame.device = compute::Device::open("cpu", 1);
    options.shown["exact"] = false;
    setBars({1, 3, 0, 2});
    setPoints({{0, 0}});
  }
  void setBars(const std::vector<float>& values) {
    for (const char* key : {"counts", "exact"}) {
      Channel& channel = frame.channel(key, static_cast<int>(values.size()));
      channel.data.upload(values);
      channel.x_min = 0;
      channel.x_max = 8;
      channel.low = 0;
      channel.high = 4;
    }
    finish();
  }
  void setPoints(const std::vector<std::pair<float, float>>& places) {
    std::vector<float> all, energies;
    for (const auto& [x, y] : places) {
      for (const float v : {x, y, 7.0f, 1.0f}) all.push_back(v);  // what is third means nothing
      energies.push_back(x * x);
    }
    Channel& points = frame.channel("places", static_cast<int>(places.size()), 1, 4);
    points.data.upload(all);
    points.x_min = -2, points.x_max = 2;
    points.y_min = -10, points.y_max = 30;
    Channel& values = frame.channel("energy", static_cast<int>(places.size()));
    values.data.upload(energies);
    finish();
  }
  void finish() {
    frame.ready = compute::Fence(*frame.device);
    ++frame.sequence;
  }
  Rgb draw(Figure& by) {
    by.draw(description, description.defaults(), frame, options);
    return by.read();
  }
  // At a place of the plot.
  Colour at(const Rgb& rgb, double x, double y) const {
    const PlotArea& a = figure.plotArea();
    return pixelAt(rgb, options.width, static_cast<int>(columnAt(a, x)), static_cast<int>(rowAt(a, y)));
  }

  HeadlessContext context;
  const Description description = makeDistributions();
  Frame frame;
  FigureOptions options;
  Figure figure, shaders{{}, ReducedBy::Shaders};
  const ThemeColours& colours = themeColours(Theme::Dark);
};

TEST_F(DistributionTest, BarsFillTheirWidthsFromZeroToTheirValues) {
  const Rgb rgb = draw(figure);
  const Colour bar = barColour(description.views[0].as<CurveView>()->traces[0], colours);
  const std::vector<double> heights = {1, 3, 0, 2};
  for (int i = 0; i < 4; ++i) {
    const double height = heights[static_cast<std::size_t>(i)];
    for (const double part : {0.03, 0.5, 0.97}) {
      const double x = 2 * (i + part);
      if (height > 0) {
        EXPECT_EQ(at(rgb, x, 0.05), bar) << x;
        EXPECT_EQ(at(rgb, x, height - 0.05), bar) << x;
      }
      EXPECT_NE(at(rgb, x, height + 0.05), bar) << x;
    }
  }
}

TEST_F(DistributionTest, WideBarsStandApartAndNarrowOnesDoNot) {
  const Colour bar = barColour(description.views[0].as<CurveView>()->traces[0], colours);
  const auto gaps = [&] {
    const Rgb rgb = draw(figure);
    const PlotArea& a = figure.plotArea();
    const int row = static_cast<int>(a.top + a.height - 0.1 / 4 * a.height);
    int count = 0;
    for (int column = static_cast<int>(a.left) + 2; column < a.left + a.width - 1; ++column) {
      const bool here = pixelAt(rgb, options.width, column, row) == bar;
      count += !here && pixelAt(rgb, options.width, column - 1, row) == bar;
    }
    return count;
  };
  setBars({1, 3, 1, 2});
  EXPECT_EQ(gaps(), 3) << "between four bars";
  setBars(std::vector<float>(2000, 1.0f));
  EXPECT_EQ(gaps(), 0);
}

TEST_F(DistributionTest, NarrowBarsShowTheTallestOfAColumn) {
  std::vector<float> values(20000, 0.0f);
  values[12345] = 4;
  setBars(values);
  const Rgb rgb = draw(figure);
  const Colour bar = barColour(description.views[0].as<CurveView>()->traces[0], colours);
  EXPECT_EQ(at(rgb, 12345.5 / 20000 * 8, 2), bar) << "one bin of twenty thousand";
}

TEST_F(DistributionTest, BarsAreTheSameByProcessorAndShaders) {
  if (!glIsSoftware()) GTEST_SKIP() << "OpenGL is not software here: curves are left to shaders";
  std::vector<float> values;
  for (const int count : {1, 4, 37, 100, 900, 50000}) {
    values.clear();
    for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(2 + 1.9 * std::sin(0.37 * i)));
    if (count > 30) values[20] = std::nanf("");
    setBars(values);
    for (const auto& x :
         {std::optional<Limits>{}, std::optional<Limits>{{1.7, 2.6}}, std::optional<Limits>{{-3, 20}}}) {
      options.x = x;
      EXPECT_EQ(draw(figure), draw(shaders)) << count;
    }
  }
}

TEST_F(DistributionTest, TheColoursOfBarsAreExact) {
  for (const Theme theme : {Theme::Dark, Theme::Light, Theme::Slides, Theme::Print}) {
    options.theme = theme;
    const auto exact = exactColours(description, options);
    const Colour bar = barColour(description.views[0].as<CurveView>()->traces[0], themeColours(theme));
    EXPECT_NE(std::find(exact.begin(), exact.end(), bar), exact.end());
    EXPECT_LE(exact.size(), 255u);
  }
}

TEST_F(DistributionTest, PointsInThePlaneLieWhereTheAxesSay) {
  options.view = "phase_space";
  setPoints({{50, 50}});  // out of sight
  const Rgb empty = draw(figure);
  EXPECT_EQ(figure.plotArea().x, (Limits{-2, 2}));
  EXPECT_EQ(figure.plotArea().y, (Limits{-10, 30}));
  EXPECT_FALSE(figure.panels().front().projection) << "no camera looks at it";
  const std::vector<std::pair<float, float>> places = {{-1.5f, -5}, {0.25f, 22}, {1.9f, 10}};
  setPoints(places);
  const Rgb rgb = draw(figure);
  for (const auto& [x, y] : places) EXPECT_NE(at(rgb, x, y), at(empty, x, y)) << x << " " << y;
  EXPECT_EQ(at(rgb, 0.25, 0), at(empty, 0.25, 0));
  options.x = Limits{0, 1};
  options.y = Limits{20, 24};
  const Rgb zoomed = draw(figure);
  EXPECT_NE(at(zoomed, 0.25, 22), colours.space) << "a zoomed view";
  EXPECT_EQ(at(zoomed, 0.75, 21), colours.space);
}

TEST_F(DistributionTest, KindsOfPointsInThePlaneHaveTheirNames) {
  Channel& values = frame.channel("energy", 1);
  values.data.upload(std::vector<float>{1});
  Canvas canvas;
  options.view = "phase_space";
  const auto labels = [&] {
    canvas.begin(options.width, options.height, options.scale);
    const FigurePlan plan = planFigure(description, description.defaults(), frame, options, canvas);
    canvas.finish();
    return plan.panels[0].key.ticks.labels;
  };
  values.kinds = 2;
  EXPECT_EQ(labels(), (std::vector<std::string>{"0", "1"}));
  values.kind_names = {"miss", "hit"};
  EXPECT_EQ(labels(), values.kind_names);
}

TEST_F(DistributionTest, PointsInThePlaneAreTheSameInAnyOrder) {
  options.view = "phase_space";
  std::vector<std::pair<float, float>> places;
  for (int i = 0; i < 5000; ++i) {
    places.emplace_back(static_cast<float>(1.8 * std::sin(0.7 * i)), static_cast<float>(10 + 18 * std::cos(1.3 * i)));
  }
  setPoints(places);
  const Rgb rgb = draw(figure);
  std::reverse(places.begin(), places.end());
  setPoints(places);
  EXPECT_EQ(draw(figure), rgb);
}

TEST_F(DistributionTest, EqualLengthsAreKeptAtEverySize) {
  options.view = "darts";
  for (const auto& [width, height] : {std::pair{960, 540}, {300, 900}, {64, 64}, {1000, 100}}) {
    options.width = width, options.height = height;
    draw(figure);
    const PlotArea& a = figure.plotArea();
    const double x = a.width / (a.x.high - a.x.low), y = a.height / (a.y.high - a.y.low);
    if (a.width > 30) {
      EXPECT_NEAR(x / y, 1, 0.03) << width << "x" << height;
    }
    EXPECT_GE(a.left, 0);
    EXPECT_LE(a.left + a.width, width);
    EXPECT_LE(a.top + a.height, height);
  }
}

TEST_F(DistributionTest, PointsWithoutAnExtentOrOfAnotherShapeAreRefused) {
  options.view = "phase_space";
  frame.channel("places", 1, 1, 4).y_max = -10;
  EXPECT_THROW(draw(figure), Error);
  frame.channel("places", 3, 1, 4);
  EXPECT_THROW(draw(figure), Error) << "three points and one value";
  frame.channel("places", 3, 1, 2);
  EXPECT_THROW(draw(figure), Error);
}

TEST_F(DistributionTest, EveryThemeHasColoursForPointsInThePlane) {
  options.view = "phase_space";
  for (const Theme theme : {Theme::Dark, Theme::Light, Theme::Slides, Theme::Print}) {
    options.theme = theme;
    options.marker_x = 0.5, options.marker_y = 3;
    EXPECT_NO_THROW(draw(figure));
    const auto exact = exactColours(description, options);
    EXPECT_EQ(std::set<std::uint32_t>(exact.begin(), exact.end()).size(), exact.size());
    EXPECT_LE(exact.size(), 255u);
  }
}

}  // namespace
}  // namespace simscope::render
