// The light that points give, measured where it is added up.
#include "app/render/layers/points/point_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/render/figure/colormap.h"
#include "app/render/gl/gl_context.h"
#include "app/render/gl/transfer.h"
#include "tests/figure/point_sample.h"

namespace simscope::render {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class PointLayerTest : public testing::Test {
 protected:
  PointLayerTest() {
    const auto entries = colormap("plasma");
    table.assign(entries.begin(), entries.end());
    look.table = table;
    look.range.limits = {0, 1};
    area.left = 10;
    area.top = 20;
    area.width = 160;
    area.height = 120;
  }
  Projection projection() const { return {camera, look.half_edge, area.left, area.top, area.width, area.height}; }
  PointSource sourceOf(const std::vector<SamplePoint>& points) {
    frame = pointFrame(device, points, look.half_edge);
    PointSource source;
    source.points = transfer.buffer(frame, "bodies");
    source.values = transfer.buffer(frame, "speed");
    source.count = static_cast<int>(points.size());
    return source;
  }
  std::vector<LinearLight> lightOf(const std::vector<SamplePoint>& points) {
    layer.gather(sourceOf(points), projection(), look, area, {0, 0, 200, 160});
    return layer.light();
  }
  static LinearLight sum(const std::vector<LinearLight>& pixels) {
    LinearLight total{};
    for (const LinearLight& pixel : pixels) {
      for (std::size_t k = 0; k < 3; ++k) total[k] += pixel[k];
    }
    return total;
  }
  // The middle of the light, in pixels from the plot's corner.
  std::pair<double, double> middle(const std::vector<LinearLight>& pixels) const {
    double weight = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const auto columns = static_cast<std::size_t>(area.width);
      weight += pixels[i][0];
      x += pixels[i][0] * (static_cast<double>(i % columns) + 0.5);
      y += pixels[i][0] * (static_cast<double>(i / columns) + 0.5);
    }
    return {x / weight, y / weight};
  }

  HeadlessContext context;
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  Frame frame;
  Transfer transfer;
  PointPrograms programs;
  PointLayer layer{programs};
  std::vector<std::uint32_t> table;
  PointLook look;
  PlotArea area;
  Camera camera = {.azimuth = 0, .elevation = 90};
};

TEST_F(PointLayerTest, LightIsKeptWhereverBetweenPixelsAPointLies) {
  const double pixel = 1 / projection().project(0, 0, 0).per_unit;
  look.point_size = 0.1;  // smaller than a pixel
  const double usual = sum(lightOf({{.value = 0.5}}))[0];
  ASSERT_GT(usual, 0);
  for (double dx = 0; dx <= 1; dx += 0.125) {
    for (double dy = 0; dy <= 1; dy += 0.25) {
      const auto pixels = lightOf({{dx * pixel, dy * pixel, 0, 1, 0.5}});
      EXPECT_NEAR(sum(pixels)[0] / usual, 1, 0.003) << dx << ", " << dy;
      const auto [x, y] = middle(pixels);
      EXPECT_NEAR(x, area.width / 2 + dx, 0.08);
      EXPECT_NEAR(y, area.height / 2 - dy, 0.08);
    }
  }
}

TEST_F(PointLayerTest, LightGrowsWithTheSquareOfSizeAndWithTheCount) {
  std::vector<SamplePoint> points(64, {.value = 0.5});
  look.point_size = 0.2;
  const double usual = sum(lightOf(points))[0];
  for (SamplePoint& p : points) p.size = 3;
  EXPECT_NEAR(sum(lightOf(points))[0] / usual, 9, 0.1);
  // Half of them put out: half the light; the count and so the radius stays.
  for (std::size_t i = 0; i < 32; ++i) points[i].size = 0;
  EXPECT_NEAR(sum(lightOf(points))[0] / usual, 4.5, 0.05);
}

TEST_F(PointLayerTest, SmallAndLargeDiscsGiveLightAlike) {
  // Through the radius where one way of drawing takes over from the other, light goes on as the square.
  double before = 0;
  for (double size = 0.05; size < 1; size *= 1.06) {
    const double now = sum(lightOf({{.size = size, .value = 0.5}}))[0] / (size * size);
    if (before > 0) {
      EXPECT_NEAR(now / before, 1, 0.09) << size;
    }
    before = now;
  }
}

TEST_F(PointLayerTest, TheOrderOfPointsDoesNotMatterToTheLastBit) {
  std::vector<SamplePoint> points = twoDiscs(20'000);
  for (std::size_t i = 0; i < 200; ++i) points[i * 97].size = 40 + static_cast<double>(i % 7);  // some large discs
  look.half_edge = 3;
  const auto first = lightOf(points);
  std::reverse(points.begin(), points.end());
  std::rotate(points.begin(), points.begin() + 7777, points.end());
  EXPECT_EQ(lightOf(points), first);
}

TEST_F(PointLayerTest, PointsThatAreNoPlacesAreSkipped) {
  const SamplePoint good{.x = 0.3, .value = 0.5};
  const SamplePoint dark{.x = -0.3, .size = 0, .value = 0.5};
  const auto alone = lightOf({good, dark, dark, dark, dark, dark});
  EXPECT_EQ(lightOf({{.x = kNan}, good, {.y = kInfinity}, {.z = -kInfinity}, {.size = kNan}, {.size = -1}}), alone);
  EXPECT_GT(sum(alone)[0], 0);
}

TEST_F(PointLayerTest, PointsBehindTheEyeVanish) {
  const double eye = projection().distance();
  EXPECT_GT(sum(lightOf({{.z = 0.8 * eye}}))[2], 0);
  EXPECT_EQ(sum(lightOf({{.z = 1.01 * eye}}))[2], 0);
  EXPECT_EQ(sum(lightOf({{.x = 0.01, .y = 0.01, .z = 1.5 * eye}}))[2], 0);
  EXPECT_EQ(sum(lightOf({{.z = eye}}))[2], 0);
}

TEST_F(PointLayerTest, PointsBesideThePlotGiveItNothing) {
  const double edge = area.width / 2 / projection().project(0, 0, 0).per_unit;
  EXPECT_EQ(sum(lightOf({{.x = 1.4 * edge, .size = 0.3}}))[2], 0);
  EXPECT_EQ(sum(lightOf({{.x = -1.4 * edge, .size = 0.3}}))[2], 0);
  EXPECT_EQ(sum(lightOf({{.y = 1e30}, {.x = -1e30}, {.z = -1e30}}))[2], 0);
  // Across the edge: half of it.
  look.point_size = 0.5;
  EXPECT_NEAR(sum(lightOf({{.x = edge}}))[2] / sum(lightOf({{}}))[2], 0.5, 0.02);
}

TEST_F(PointLayerTest, ColourIsTheTablesWhateverTheBrightness) {
  for (const double value : {0.0025, 0.5025, 0.9975}) {
    for (const double size : {0.02, 1.0}) {
      const LinearLight expected = emission(table[colourEntry(value, table.size())]);
      const LinearLight total = sum(lightOf({{.size = size, .value = value}}));
      const double amount = (total[0] + total[1] + total[2]) / (expected[0] + expected[1] + expected[2]);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(total[k] / amount, expected[k], 0.003);
    }
  }
}

TEST_F(PointLayerTest, ValuesThatAreNoNumbersShowTheMissingColourAndBeyondTheRangeItsEnds) {
  const auto share = [](const LinearLight& light) { return light[1] / light[0]; };
  EXPECT_NEAR(share(sum(lightOf({{.value = kNan}}))), share(emission(kMissingColour)), 0.01);
  EXPECT_NEAR(share(sum(lightOf({{.value = 1e9}}))), share(emission(table.back())), 0.01);
  EXPECT_NEAR(share(sum(lightOf({{.value = -1e9}}))), share(emission(table.front())), 0.01);
}

TEST_F(PointLayerTest, LogarithmicScalesTakeTheSameEntriesAsTheColourBar) {
  look.range.scale = FieldScale::Log;
  look.range.limits = {1e-3, 10};
  for (const double value : {2e-3, 0.05, 0.7, 6.0, 0.0, -1.0}) {
    const LinearLight expected = emission(table[colourEntry(look.range.position(value), table.size())]);
    const LinearLight total = sum(lightOf({{.value = value}}));
    EXPECT_NEAR(total[1] / total[0], expected[1] / expected[0], 0.01) << value;
  }
}

TEST_F(PointLayerTest, BlindingLightSaturatesAndDoesNotWrapAround) {
  look.point_size = 30;  // discs at their largest
  camera.zoom = 2;
  const std::vector<SamplePoint> pile(60'000, {.value = 0.9});
  const auto pixels = lightOf(pile);
  const LinearLight& centre = pixels[static_cast<std::size_t>(area.height / 2 * area.width + area.width / 2)];
  EXPECT_EQ(centre[0], 16384);
  double before = 0;
  for (std::size_t column = 0; column < static_cast<std::size_t>(area.width / 2); ++column) {
    const double now = pixels[static_cast<std::size_t>(area.height / 2 * area.width) + column][0];
    EXPECT_GE(now, before) << column;
    before = now;
  }
}

TEST_F(PointLayerTest, LightGrowsWithTheCubeRootOfTheCountOnly) {
  // Points of a larger crowd are smaller, so that all of them together are neither too dark nor too bright.
  look.half_edge = 4;
  const double few = sum(lightOf(plummerSphere(500)))[0], many = sum(lightOf(plummerSphere(64'000)))[0];
  EXPECT_NEAR(many / few, 5.04, 0.3);  // the cube root of 128
}

TEST_F(PointLayerTest, NearestFindsThePointUnderAPixel) {
  std::vector<SamplePoint> points = plummerSphere(3000);
  look.half_edge = 4;
  camera = {.azimuth = 20, .elevation = 35, .zoom = 1.3, .x = 0.1};
  points[1234] = {.x = 2, .y = 1, .z = -1};
  points[77] = {.x = kNan};
  const PointSource source = sourceOf(points);
  const auto pixel = projection().project(2, 1, -1);
  EXPECT_EQ(layer.nearest(source, projection(), pixel.x + 0.01, pixel.y - 0.01, 14), 1234);
  // As a search on the host finds it.
  for (const auto& [x, y] : {std::pair{60.0, 50.0}, {90.0, 80.0}, {150.0, 30.0}}) {
    std::int64_t best = -1;
    double nearest = 14 * 14;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto p = projection().project(points[i].x, points[i].y, points[i].z);
      const double square = (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y);
      if (p.depth > 0 && square <= nearest) nearest = square, best = static_cast<std::int64_t>(i);
    }
    EXPECT_EQ(layer.nearest(source, projection(), x, y, 14), best);
  }
}

TEST_F(PointLayerTest, NearestFindsNothingOutOfReachOrBehindTheEyeAndTheFirstOfEquals) {
  const auto middle = projection().project(0, 0, 0);
  EXPECT_EQ(layer.nearest(sourceOf({{.x = 0.9}}), projection(), middle.x, middle.y, 14), -1);
  EXPECT_EQ(layer.nearest(sourceOf({{.z = 100}}), projection(), middle.x, middle.y, 14), -1);
  EXPECT_EQ(layer.nearest(sourceOf({{.x = 0.9}, {}, {}, {}}), projection(), middle.x, middle.y, 14), 1);
}

}  // namespace
}  // namespace simscope::render
