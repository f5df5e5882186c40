// Lines over pictures in the plane, and curves whose axes count decades.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/render/figure/exact_colours.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "app/render/layers/paths/path_plan.h"
#include "sims/compute/error.h"
#include "sims/core/description.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

using PathPlace = std::pair<float, float>;

const std::vector<PathInfo> kTwoPaths = {{.channel = "paths", .title = "flown", .colour = 2},
                                         {.channel = "limit", .title = "limit", .ghost = true, .shown = false}};

class PathTest : public testing::Test {
 protected:
  PathTest() {
    options.scale = 2;
    description.id = description.title = "paths";
    description.parameters = std::make_shared<std::vector<ParameterInfo>>();
    description.views = {
        {"points", "Points", ScatterView{.x = {"x"}, .y = {"y"}, .channel = "places", .paths = kTwoPaths}},
        {"field", "Field", FieldView{.x = {"x"}, .y = {"y"}, .channel = "field", .paths = kTwoPaths}},
        {"decades", "Decades",
         CurveView{.x = {.title = "n", .decades = true},
                   .y = {.title = "error", .decades = true},
                   .traces = {{.channel = "errors", .title = "error"}}}}};
    frame.device = compute::Device::open("cpu", 1);
    Channel& points = frame.channel("places", 1, 1, 4);
    points.data.upload(std::vector<float>{-9, -9, 0, 1});  // out of sight
    spread(points);
    Channel& field = frame.channel("field", 2, 2);
    field.data.upload(std::vector<float>{0, 0, 0, 0});
    field.high = 1;
    spread(field);
    setPaths("limit", {{{-2, 3}, {2, 3}}});
    setPaths("paths", {{{-2, -3}, {2, -3}}});
    Channel& errors = frame.channel("errors", 3);
    errors.data.upload(std::vector<float>{-1, -2, -3});
    errors.x_min = 1, errors.x_max = 7;
    errors.low = -4, errors.high = 0;
    finish();
  }
  static void spread(Channel& channel) {
    channel.x_min = -2, channel.x_max = 2;
    channel.y_min = -5, channel.y_max = 5;
  }
  void setPaths(const char* key, const std::vector<std::vector<PathPlace>>& paths) {
    std::vector<float> all;
    for (const auto& path : paths) {
      for (const auto& [x, y] : path) all.insert(all.end(), {x, y});
    }
    Channel& channel = frame.channel(key, static_cast<int>(paths[0].size()), static_cast<int>(paths.size()), 2);
    channel.data.upload(all);
    finish();
  }
  void finish() {
    frame.ready = compute::Fence(*frame.device);
    ++frame.sequence;
  }
  Rgb draw() {
    figure.draw(description, description.defaults(), frame, options);
    return figure.read();
  }
  Colour at(const Rgb& rgb, double x, double y) const {
    const PlotArea& a = figure.plotArea();
    return pixelAt(rgb, options.width, static_cast<int>(columnAt(a, x)), static_cast<int>(rowAt(a, y)));
  }

  HeadlessContext context;
  Description description;
  Frame frame;
  FigureOptions options;
  Figure figure;
  const ThemeColours& colours = themeColours(Theme::Dark);
};

TEST_F(PathTest, LinesLieWhereTheirPlacesAreAtAnyZoom) {
  setPaths("paths", {{{-2, -4}, {2, 4}}, {{-2, 4}, {2, 4}}});
  for (const char* view : {"points", "field"}) {
    SCOPED_TRACE(view);
    options.view = view;
    for (const auto& x : {std::optional<Limits>{}, std::optional<Limits>{{-1, 1}}}) {
      options.x = x;
      options.y = x ? std::optional<Limits>{{-2.5, 4.5}} : std::nullopt;
      const Rgb rgb = draw();
      for (const double along : {-0.9, -0.31, 0.0, 0.47, 0.85}) {
        EXPECT_EQ(at(rgb, along, 2 * along), colours.lines[2]) << along << ": a slanted one";
        EXPECT_EQ(at(rgb, along, 4), colours.lines[2]) << along << ": a level one";
        EXPECT_NE(at(rgb, along, 2 * along + 1), colours.lines[2]) << along << ": beside it";
      }
    }
  }
}

TEST_F(PathTest, PathsEndAndHaveGapsWhereTheirPlacesSay) {
  const float none = std::nanf("");
  setPaths("paths", {{{-1.5f, 0}, {-0.5f, 0}, {none, 0}, {0.5f, 0}, {1.5f, 0}}});
  const Rgb rgb = draw();
  for (const double x : {-1.4, -0.6, 0.6, 1.4}) EXPECT_EQ(at(rgb, x, 0), colours.lines[2]) << x;
  for (const double x : {-1.8, -0.2, 0.0, 0.3, 1.8}) EXPECT_EQ(at(rgb, x, 0), colours.space) << x;
}

TEST_F(PathTest, PathsAreShownAndHiddenByTheirChannel) {
  EXPECT_EQ(at(draw(), 0, -3), colours.lines[2]);
  EXPECT_EQ(at(draw(), 0, 3), colours.space) << "hidden at first";
  options.shown = {{"paths", false}, {"limit", true}};
  EXPECT_EQ(neededChannels(description, options), (std::vector<std::string>{"places", "limit"}));
  EXPECT_EQ(at(draw(), 0, -3), colours.space);
  EXPECT_EQ(at(draw(), 0, 3), colours.ghost);
}

TEST_F(PathTest, OfAFigureInTilesAreTheSame) {
  setPaths("paths", {{{-2, -4}, {1, 4}, {2, -1}}});
  const Rgb whole = draw();
  Figure tiled({.side = 200});
  tiled.draw(description, description.defaults(), frame, options);
  EXPECT_EQ(tiled.read(), whole);
}

TEST_F(PathTest, TheirColoursAreExact) {
  for (const Theme theme : {Theme::Dark, Theme::Light, Theme::Slides, Theme::Print}) {
    options.theme = theme;
    for (const char* view : {"points", "field"}) {
      options.view = view;
      const auto exact = exactColours(description, options);
      for (const PathInfo& path : kTwoPaths) {
        EXPECT_NE(std::find(exact.begin(), exact.end(), pathColour(path, themeColours(theme))), exact.end());
      }
      EXPECT_LE(exact.size(), 255u);
    }
  }
}

TEST_F(PathTest, AChannelOfAnotherShapeIsAnError) {
  frame.channel("paths", 3, 1, 1).data.upload(std::vector<float>{1, 2, 3});
  finish();
  EXPECT_THROW(draw(), Error);
}

TEST_F(PathTest, AxesOfDecadesKeepTheirLogarithmsAndReadOutTheNumbers) {
  options.view = "decades";
  draw();
  EXPECT_EQ(figure.plotArea().x, (Limits{1, 7}));
  EXPECT_EQ(figure.plotArea().y, (Limits{-4, 0}));
  EXPECT_EQ(readingOn({.decades = true}, -3), "0.001000");
  EXPECT_EQ(readingOn({.decades = true}, 8.5), "3.162×10⁸");
  EXPECT_EQ(readingOn({}, -3), "−3.000");
}

}  // namespace
}  // namespace simscope::render
