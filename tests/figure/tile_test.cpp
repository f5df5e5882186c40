// Figures of any size: drawn in tiles, and supersampled.
#include "app/render/figure/tile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "sims/compute/error.h"
#include "tests/figure/point_sample.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

FigureOptions sized(int width, int height) {
  FigureOptions options;
  options.width = width;
  options.height = height;
  return options;
}

class TileTest : public testing::Test {
 protected:
  Rgb draw(Figure& figure, const Description& of, const Frame& frame) const {
    figure.draw(of, of.defaults(), frame, options);
    return figure.read();
  }
  // The edges of slanted lines and arrows are interpolated, and so may be rounded the other way here and there.
  enum class Edges { Level, Slanted };
  // Narrow tiles and low ones, whose edges fall anywhere in what is drawn; with textures as small, and in one.
  void expectTilesToEqualTheWhole(const Description& of, const Frame& frame, Edges edges = Edges::Level) {
    Figure whole;
    const Rgb expected = draw(whole, of, frame);
    for (const FigureLimits& limits : {FigureLimits{.side = 150}, {.side = 333}, {.pixels = 9000}}) {
      Figure tiled(limits);
      const Rgb found = draw(tiled, of, frame);
      ASSERT_EQ(found.size(), expected.size());
      std::size_t different = 0;
      int most = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        different += found[i] != expected[i];
        most = std::max(most, std::abs(found[i] - expected[i]));
      }
      EXPECT_LE(different, edges == Edges::Level ? 0u : 16u)
          << options.view << " in tiles of " << limits.side << ", " << limits.pixels;
      EXPECT_LE(most, 1) << options.view;
      EXPECT_EQ(tiled.texture() == 0, limits.side > 0);
    }
  }

  HeadlessContext context;
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  Frame curves = sampleFrame(device, 4096, tunnellingProfiles());
  Frame fields = sampleFields(device, {300, 300, -2, 2, -2, 2});
  FigureOptions options = sized(480, 300);
};

TEST_F(TileTest, TilesCoverThePictureOnce) {
  const Tile whole{8, 4, 1003, 701};
  for (const int grid : {1, 3, 4}) {
    for (const FigureLimits& limits : {FigureLimits{64, 1 << 30}, {700, 5000}, {5000, 1 << 30}, {1003, 1003}}) {
      std::int64_t covered = 0;
      for (const Tile& tile : tilesOf(whole, limits, grid)) {
        EXPECT_FALSE(tile.empty());
        EXPECT_LE(std::max(tile.width, tile.height), limits.side);
        EXPECT_LE(static_cast<std::int64_t>(tile.width) * tile.height,
                  std::max<std::int64_t>(limits.pixels, grid * 1003));
        EXPECT_EQ((tile.left - whole.left) % grid, 0);
        EXPECT_EQ((tile.top - whole.top) % grid, 0);
        EXPECT_GE(tile.left, whole.left);
        EXPECT_LE(tile.left + tile.width, whole.left + whole.width);
        EXPECT_LE(tile.top + tile.height, whole.top + whole.height);
        covered += static_cast<std::int64_t>(tile.width) * tile.height;
      }
      EXPECT_EQ(covered, std::int64_t{1003} * 701);
    }
  }
  EXPECT_EQ(tilesOf({0, 0, 960, 540}, {16384, 1 << 24}).size(), 1u);
}

TEST_F(TileTest, TiledCurvesEqualWholeOnes) {
  options.shown["real"] = true;
  expectTilesToEqualTheWhole(sampleDescription(), curves);
}

TEST_F(TileTest, TiledFieldsEqualWholeOnes) {
  for (const char* view : {"heat", "wave", "light"}) {
    options.view = view;
    options.isolines = true;
    options.arrows = false;
    expectTilesToEqualTheWhole(fieldDescription(), fields);
  }
  options.view = "heat";
  options.arrows = true;
  expectTilesToEqualTheWhole(fieldDescription(), fields, Edges::Slanted);
}

TEST_F(TileTest, TiledPointsEqualWholeOnes) {
  expectTilesToEqualTheWhole(pointDescription(), pointFrame(device, twoDiscs(5000), 3, 0, 1.2), Edges::Slanted);
  options.follow = 1;
  options.camera = Camera{.zoom = 1.5};
  options.theme = Theme::Light;
  expectTilesToEqualTheWhole(pointDescription(), threeBodies(device), Edges::Slanted);
}

TEST_F(TileTest, TiledPanelsEqualWholeOnes) {
  options = sized(720, 430);
  options.theme = Theme::Slides;
  options.view = "four";
  expectTilesToEqualTheWhole(fieldDescription(), fields);
}

TEST_F(TileTest, SupersampledTilesEqualWholeOnes) {
  options.supersampling = 2;
  options.view = "three";
  expectTilesToEqualTheWhole(fieldDescription(), fields);
}

TEST_F(TileTest, SupersamplingKeepsTheLayoutAndEvenColours) {
  Figure figure;
  options = sized(640, 400);
  options.view = "two";
  const Rgb plain = draw(figure, fieldDescription(), fields);
  const std::vector<Figure::PanelArea> before = figure.panels();
  for (const int samples : {2, 3, 4}) {
    options.supersampling = samples;
    const Rgb fine = draw(figure, fieldDescription(), fields);
    ASSERT_EQ(fine.size(), plain.size());
    EXPECT_EQ(figure.width(), 640);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(figure.panels()[i].area.left, before[i].area.left, 8);
      EXPECT_EQ(figure.panels()[i].area.top, before[i].area.top);
    }
    const ThemeColours& colours = themeColours(Theme::Dark);
    EXPECT_EQ(pixelAt(fine, 640, 1, 1), colours.background);
    const PlotArea& a = figure.panels()[1].area;
    EXPECT_EQ(pixelAt(fine, 640, static_cast<int>(a.left) - 1, static_cast<int>(a.top) + 9), colours.axis);
  }
}

TEST_F(TileTest, EdgesAreAveragedInLinearLight) {
  // One cell black, the next one white, and a pixel that shows as much of either: the mean of both lights is 188.
  Frame frame;
  frame.sequence = 1;
  addField(frame, device, "heat", {2, 1, 0, 2, 0, 1}, 1,
           [](int column, int) { return std::vector{static_cast<float>(column)}; });
  options.view = "heat";
  options.colormap = "gray";
  options.shown["walls"] = false;
  options.supersampling = 2;
  options.width = options.height = 64;
  Figure figure;
  int halves = 0;
  for (double shift = 0; shift < 0.2; shift += 0.01) {
    options.x = Limits{0.2 + shift, 1.6 + shift};
    const Rgb rgb = draw(figure, fieldDescription(), frame);
    const PlotArea& a = figure.plotArea();
    std::vector<std::uint32_t> seen;
    for (int i = 0; i < static_cast<int>(a.width); ++i) {
      const std::uint32_t colour =
          pixelAt(rgb, options.width, static_cast<int>(a.left) + i, static_cast<int>(a.top + a.height / 2));
      if (seen.empty() || seen.back() != colour) seen.push_back(colour);
    }
    EXPECT_EQ(seen.front(), 0x000000u);
    EXPECT_EQ(seen.back(), 0xffffffu);
    ASSERT_LE(seen.size(), 3u);
    if (seen.size() == 3) {
      EXPECT_EQ(seen[1], 0xbcbcbcu);
    }
    halves += seen.size() == 3;
  }
  EXPECT_GT(halves, 0);
}

TEST_F(TileTest, PickedPointsAndPanelsCountInPixelsOfThePicture) {
  Figure figure;
  options.supersampling = 3;
  options.camera = Camera{.azimuth = 0, .elevation = 90};
  const Frame frame = pointFrame(device, {{.x = -0.5}, {.x = 0.5}}, 1);
  draw(figure, pointDescription(), frame);
  const auto& panel = figure.panels().front();
  const auto at = panel.projection->project(0.5, 0, 0);
  EXPECT_GT(at.x, panel.area.left + panel.area.width / 2);
  EXPECT_LT(at.x, panel.area.left + panel.area.width);
  EXPECT_EQ(figure.pick(at.x, at.y), 1);
}

TEST_F(TileTest, SupersamplingOutOfRangeNamesTheNearest) {
  Figure figure;
  const auto refused = [&](int width, int samples, const char* nearest) {
    options.width = width;
    options.supersampling = samples;
    EXPECT_THAT([&] { draw(figure, sampleDescription(), curves); },
                testing::ThrowsMessage<UsageError>(testing::HasSubstr(nearest)));
  };
  refused(480, 5, "nearest: 4");
  refused(480, 0, "nearest: 1");
  refused(16384, 3, "nearest: 2");
}

TEST_F(TileTest, ScaleFollowsTheSizeAndStaysLegible) {
  EXPECT_EQ(suitableScale(960, 540), 1);
  EXPECT_EQ(suitableScale(1920, 1080), 2);
  EXPECT_EQ(suitableScale(7680, 4320), 8);
  EXPECT_EQ(suitableScale(1280, 720), 1.25);
  EXPECT_EQ(suitableScale(320, 180), 0.75);
  EXPECT_EQ(suitableScale(64, 16384), 0.75);
  EXPECT_EQ(suitableScale(16384, 16384), 8);
}

}  // namespace
}  // namespace simscope::render
