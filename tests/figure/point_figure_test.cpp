// What a figure of points draws, read back pixel by pixel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "app/render/figure/colormap.h"
#include "app/render/figure/colour_range.h"
#include "app/render/figure/exact_colours.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "app/render/layers/points/point_tone.h"
#include "sims/compute/error.h"
#include "sims/compute/test_devices.h"
#include "tests/figure/point_sample.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

const Colour kSpaceColour = themeColours(Theme::Dark).space;

using testing::HasSubstr;

double linear(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}
double component(Colour colour, int k) {
  return static_cast<double>((colour >> (16 - 8 * k)) & 0xff) / 255;
}

// A component of a pixel without the ground that shines through, where that component is the brightest.
double cleared(Colour seen, int k) {
  const double ground = component(kSpaceColour, k);
  return (component(seen, k) - ground) / (1 - ground);
}

class PointFigureTest : public testing::Test {
 protected:
  PointFigureTest() {
    options.view = "bodies";
    options.camera = Camera{.azimuth = 0, .elevation = 90};
  }
  Rgb draw() {
    figure.draw(pointDescription(), pointDescription().defaults(), frame, options);
    return figure.read();
  }
  void setPoints(const std::vector<SamplePoint>& points) { frame = pointFrame(device, points); }
  const Projection& projection() const { return *figure.panels().front().projection; }
  // The colour at a place of the simulation.
  Colour at(const Rgb& rgb, double x, double y, double z = 0) const {
    const auto p = projection().project(x, y, z);
    return pixelAt(rgb, options.width, static_cast<int>(p.x), static_cast<int>(p.y));
  }
  // The plot's pixels that are not as they are without points.
  std::size_t litPixels(const Rgb& rgb, const Rgb& dark) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < rgb.size(); i += 3) {
      count += rgb[i] != dark[i] || rgb[i + 1] != dark[i + 1] || rgb[i + 2] != dark[i + 2];
    }
    return count;
  }
  Rgb drawnDark() {
    setPoints({{.size = 0}});
    return draw();
  }

  HeadlessContext context;
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  Frame frame = pointFrame(compute::Device::open("cpu", 1), {{}});
  Figure figure;
  FigureOptions options;
};

TEST_F(PointFigureTest, ALonePointGlowsInTheColourOfItsValue) {
  for (const double value : {0.1025, 0.5025, 0.9025}) {
    setPoints({{.x = 0.31, .y = 0.23, .size = 1.5, .value = value}});
    options.exposure = -4;  // below what turns white
    const Colour seen = at(draw(), 0.31, 0.23);
    const Colour expected = colormap("plasma")[colourEntry(value, kFieldColours)];
    const LinearLight light = emission(expected);
    const auto brightest = std::max_element(light.begin(), light.end()) - light.begin();
    const double cover = cleared(seen, static_cast<int>(brightest));
    for (int k = 0; k < 3; ++k) {
      const double own = component(seen, k) - (1 - cover) * component(kSpaceColour, k);
      EXPECT_NEAR(linear(own) / linear(cover),
                  light[static_cast<std::size_t>(k)] / light[static_cast<std::size_t>(brightest)], 0.015);
    }
  }
}

TEST_F(PointFigureTest, ColourMapsCanBeChosenAndReversed) {
  setPoints({{.size = 2, .value = 0.9975}});
  options.exposure = -4;
  options.colormap = "viridis";
  const Colour bright = at(draw(), 0, 0);
  options.reversed = true;
  const Colour dark = at(draw(), 0, 0);
  EXPECT_GT(component(bright, 0), component(bright, 2));  // yellow
  EXPECT_GT(component(dark, 2), component(dark, 1));      // violet
  options.reversed = false;
  options.range = Limits{0.9975, 1.9975};
  EXPECT_EQ(at(draw(), 0, 0), dark);
}

TEST_F(PointFigureTest, AStopOfExposureDoublesTheLight) {
  setPoints({{.x = 0.4, .y = 0.1, .size = 2, .value = 0.9975}});
  const auto light = [&](double exposure) {
    options.exposure = exposure;
    // Out of the tone curve: shown = light / (1 + light), without the ground's share.
    const double own = linear(cleared(at(draw(), 0.4, 0.1), 1));
    return own / (1 - own);
  };
  const double faint = light(-5);
  EXPECT_NEAR(light(-4) / faint, 2, 0.06);
  EXPECT_NEAR(light(-3) / faint, 4, 0.12);
}

TEST_F(PointFigureTest, EqualPointsGiveEqualPixelsInWhateverOrderAndWhateverWasDrawnBefore) {
  std::vector<SamplePoint> points = plummerSphere(4000);
  frame = pointFrame(device, points, 4);
  options.camera = Camera{};
  const Rgb first = draw();
  std::reverse(points.begin(), points.end());
  frame = threeBodies(device);
  options.theme = Theme::Light;
  options.width = 500;
  draw();
  options.theme = Theme::Dark;
  options.width = 960;
  frame = pointFrame(device, points, 4);
  EXPECT_EQ(draw(), first);
}

TEST_F(PointFigureTest, PointsOnTheGpuGiveTheSamePixels) {
  SIMSCOPE_SKIP_WITHOUT("cuda");
  options.camera = Camera{.zoom = 2};
  options.follow = 17;
  const std::vector<SamplePoint> points = plummerSphere(3001);
  frame = pointFrame(device, points, 4);
  const Rgb expected = draw();
  frame = pointFrame(compute::Device::open("cuda"), points, 4);
  EXPECT_EQ(draw(), expected);
}

TEST_F(PointFigureTest, PointsBehindTheEyeAndNoPlacesLeaveTheFigureAsItIsWithout) {
  const Rgb dark = drawnDark();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  setPoints({{.z = 20}, {.x = nan}, {.size = nan}});
  EXPECT_EQ(litPixels(draw(), dark), 0u);
  setPoints({{.z = 1}});
  EXPECT_GT(litPixels(draw(), dark), 10u);
}

TEST_F(PointFigureTest, PointsAreInkOnTheGroundOfBrightThemes) {
  for (const Theme theme : {Theme::Light, Theme::Slides, Theme::Print}) {
    options.theme = theme;
    const Colour ground = themeColours(theme).space;
    for (const double value : {0.1025, 0.5025, 0.9975}) {
      setPoints({{.x = 0.31, .y = 0.23, .size = 1.5, .value = value}});
      options.exposure = 0;
      const Rgb rgb = draw();
      EXPECT_EQ(at(rgb, -0.5, -0.4), ground);
      const Colour ink = subtractiveColour(colormap("plasma")[colourEntry(value, kFieldColours)]),
                   seen = at(rgb, 0.31, 0.23);
      EXPECT_GE(contrast(seen, ground), 3);
      // As the formulas of point_tone say, from faint to black.
      constexpr double kMiddle = 8;
      Colour before = ground;
      for (const double stops : {-8.0, -4.0, 0.0, 6.0}) {
        options.exposure = stops;
        const Colour now = at(draw(), 0.31, 0.23);
        LinearLight taken = absorption(ink);
        for (double& c : taken) c *= kMiddle * std::exp2(stops);
        const Colour expected = shownThrough(toned(taken), ground);
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR(component(now, k), component(expected, k), 0.02);
          EXPECT_LE(component(now, k), component(before, k));
        }
        before = now;
      }
      EXPECT_GE(contrast(before, ground), 15);
    }
  }
}

TEST_F(PointFigureTest, TheFollowedPointStaysInTheMiddleWithItsValuesBesideIt) {
  setPoints({{.x = -0.6, .y = 0.5, .value = 0.2}, {.x = 0.3, .y = -0.4, .z = 0.2, .value = 0.9}});
  options.camera = Camera{.azimuth = 40, .elevation = 20, .zoom = 2};
  options.follow = 1;
  const Rgb rgb = draw();
  const Projection& p = projection();
  EXPECT_NEAR(p.camera().x, 0.3, 1e-6);
  EXPECT_NEAR(p.camera().y, -0.4, 1e-6);
  EXPECT_NEAR(p.camera().z, 0.2, 1e-6);
  EXPECT_EQ(p.camera().zoom, 2);
  const auto pixel = p.project(p.camera().x, p.camera().y, p.camera().z);
  EXPECT_EQ(pixel.x, p.centreX());
  EXPECT_EQ(pixel.y, p.centreY());
  EXPECT_NE(at(rgb, p.camera().x, p.camera().y, p.camera().z), kSpaceColour);
  // A box of the theme's colour is beside it.
  const Colour box = themeColours(Theme::Dark).box;
  const auto boxed = [&](const Rgb& picture) {
    int count = 0;
    for (int row = 0; row < options.height; ++row) {
      for (int column = 0; column < options.width; ++column) {
        const Colour c = pixelAt(picture, options.width, column, row);
        bool near = true;
        for (int k = 0; k < 3; ++k) near = near && std::abs(component(c, k) - component(box, k)) < 0.012;
        count += near;
      }
    }
    return count;
  };
  options.follow = 2;  // beyond the last: none
  EXPECT_GT(boxed(rgb), boxed(draw()) + 1500);
  EXPECT_EQ(projection().camera().x, 0);
}

TEST_F(PointFigureTest, PickFindsTheNearestPointWithinFourteenPixels) {
  setPoints({{.x = -0.5}, {.x = 0.5, .y = 0.5}, {.x = 0.5, .y = 0.51, .z = 30}});
  draw();
  const auto p = projection().project(0.5, 0.5, 0);
  EXPECT_EQ(figure.pick(p.x, p.y), 1);
  EXPECT_EQ(figure.pick(p.x + 13.5, p.y), 1);
  EXPECT_EQ(figure.pick(p.x + 14.5, p.y), -1);
  const auto q = projection().project(-0.5, 0, 0);
  EXPECT_EQ(figure.pick(q.x, q.y + 5), 0);
  EXPECT_EQ(figure.pick(1, 1), -1);
  options.scale = 2;
  draw();
  const auto r = projection().project(0.5, 0.5, 0);
  EXPECT_EQ(figure.pick(r.x + 27, r.y), 1);
}

TEST_F(PointFigureTest, SaysHowManyItDrawsAndNamesTheBodiesByTheirNumbersInTheRun) {
  setPoints({{.x = -0.5, .size = 2, .value = 0.9}, {.x = 0.5, .y = 0.2, .size = 2, .value = 0.9}});
  const Rgb all = draw();
  Channel& bodies = frame.channel("bodies", 2, 1, 4);
  bodies.every = 5;
  bodies.of = 10;
  const Rgb some = draw();
  EXPECT_NE(some, all) << "2 of 10 drawn";
  const auto right = projection().project(0.5, 0.2, 0);
  EXPECT_EQ(figure.pick(right.x, right.y), 5);
  options.follow = 5;
  draw();
  EXPECT_DOUBLE_EQ(projection().camera().x, 0.5);
  options.follow = 10;
  draw();
  EXPECT_DOUBLE_EQ(projection().camera().x, 0) << "there is none";
}

TEST_F(PointFigureTest, PanelsOfOneFigureKeepTheirPointsApart) {
  Description description = pointDescription();
  description.views.push_back({"both", "Both", LinkedView{{{"bodies", 0, 0, 0.5, 1}, {"plain", 0.5, 0, 0.5, 1}}}});
  setPoints({{.x = -0.5, .size = 2, .value = 0.9}, {.x = 0.5, .y = 0.2, .size = 2, .value = 0.9}});
  options.view = "both";
  figure.draw(description, description.defaults(), frame, options);
  const Rgb rgb = figure.read();
  ASSERT_EQ(figure.panels().size(), 2u);
  for (const Figure::PanelArea& panel : figure.panels()) {
    const auto p = panel.projection->project(0.5, 0.2, 0);
    EXPECT_EQ(figure.pick(p.x + 3, p.y), 1);
    const Colour seen = pixelAt(rgb, options.width, static_cast<int>(p.x), static_cast<int>(p.y));
    EXPECT_GT(component(seen, 0), 0.6);
    // Yellow by value, and the plain bluish white.
    EXPECT_EQ(component(seen, 2) > component(seen, 0), panel.view == "plain");
  }
}

TEST_F(PointFigureTest, TrailsRunAlongTheirPlacesFadeWithAgeAndCanBeHidden) {
  setPoints({{.x = 0.6, .size = 0.01, .value = 0.9}, {.y = -0.9, .size = 0}});
  const Rgb bare = draw();
  std::vector<Place> straight;
  for (int i = 0; i < 60; ++i) straight.push_back({-0.6 + 0.02 * i, 0, 0});
  addTrails(frame, {straight});
  const Rgb rgb = draw();
  const auto brightness = [&](double x, double y) { return component(at(rgb, x, y), 0); };
  EXPECT_GT(brightness(0.5, 0), brightness(0, 0));
  EXPECT_GT(brightness(0, 0), brightness(-0.4, 0));
  EXPECT_GT(brightness(-0.4, 0), component(kSpaceColour, 0));
  EXPECT_EQ(at(rgb, 0.2, 0.1), kSpaceColour);
  options.shown["trails"] = false;
  EXPECT_EQ(draw(), bare);
  options.shown.clear();
  options.theme = Theme::Light;
  const Rgb inked = draw();
  const auto blue = [&](double x, double y) { return component(at(inked, x, y), 2); };
  EXPECT_LT(blue(0.5, 0), blue(0, 0));
  EXPECT_LT(blue(0, 0), blue(-0.4, 0));
  EXPECT_EQ(at(inked, 0.2, 0.1), themeColours(Theme::Light).space);
}

TEST_F(PointFigureTest, PlacesOfTrailsThatAreNoNumbersLeaveGaps) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  setPoints({{.x = 0.6, .size = 0.01, .value = 0.9}});
  std::vector<Place> broken;
  for (int i = 0; i < 60; ++i) broken.push_back({i < 30 || i == 45 ? nan : -0.6 + 0.02 * i, 0, 0});
  addTrails(frame, {broken});
  const Rgb rgb = draw();
  EXPECT_EQ(at(rgb, -0.3, 0), kSpaceColour);
  EXPECT_EQ(at(rgb, -0.6 + 0.02 * 45, 0), kSpaceColour);
  EXPECT_NE(at(rgb, 0.1, 0), kSpaceColour);
}

TEST_F(PointFigureTest, AFrameMayLeaveTheTrailsOutAndAViewTheValues) {
  setPoints({{}});
  draw();
  options.view = "plain";
  const Rgb rgb = draw();
  EXPECT_NE(at(rgb, 0, 0), kSpaceColour);
}

TEST_F(PointFigureTest, SeenFromAboveTheSquareOfThePlaneIsDrawnWhereItsCoordinatesSay) {
  const Rgb rgb = drawnDark();
  EXPECT_NE(at(rgb, 0.3, 1), kSpaceColour);
  EXPECT_NE(at(rgb, -1, 0.3), kSpaceColour);
  EXPECT_EQ(at(rgb, 0.3, 0.97), kSpaceColour);
  EXPECT_EQ(at(rgb, 0.3, 0.3), kSpaceColour);
}

TEST_F(PointFigureTest, EverySizeAndDirectionIsDrawn) {
  frame = threeBodies(device);
  for (const auto& [width, height] : {std::pair{64, 64}, {128, 96}, {240, 180}, {500, 900}, {1600, 500}}) {
    for (const double elevation : {-90.0, -10.0, 0.0, 90.0}) {
      for (const double zoom : {0.05, 1.0, 500.0}) {
        options.width = width;
        options.height = height;
        options.camera = Camera{.azimuth = 123, .elevation = elevation, .zoom = zoom, .x = 0.1};
        EXPECT_NO_THROW(draw());
        const PlotArea& a = figure.plotArea();
        EXPECT_GE(a.left, 0);
        EXPECT_LE(a.left + a.width, width);
        EXPECT_LE(a.top + a.height, height);
      }
    }
  }
}

TEST_F(PointFigureTest, CamerasThatSeeNothingAreRefusedByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Camera& camera : {Camera{.zoom = 0}, Camera{.zoom = nan}, Camera{.elevation = 91}, Camera{.x = nan}}) {
    options.camera = camera;
    EXPECT_THAT([&] { draw(); }, testing::ThrowsMessage<UsageError>(HasSubstr("camera")));
  }
  options.camera.reset();
  options.point_size = 0;
  EXPECT_THROW(draw(), UsageError);
  options.point_size = 1;
  options.exposure = nan;
  EXPECT_THROW(draw(), UsageError);
}

TEST_F(PointFigureTest, ThePaletteComesNearToEveryColourOfThePicture) {
  frame = pointFrame(device, twoDiscs(30'000), 3);
  options.camera = Camera{};
  for (const Theme theme : {Theme::Dark, Theme::Light, Theme::Print}) {
    options.theme = theme;
    const auto palette = exactColours(pointDescription(), options);
    EXPECT_LE(palette.size(), 255u);
    EXPECT_EQ(std::set<std::uint32_t>(palette.begin(), palette.end()).size(), palette.size());
    const Rgb rgb = draw();
    double squares = 0;
    for (std::size_t i = 0; i < rgb.size(); i += 3) {
      int nearest = 1 << 30;
      for (const std::uint32_t c : palette) {
        const int r = static_cast<int>(c >> 16) - rgb[i], g = static_cast<int>(c >> 8 & 0xff) - rgb[i + 1],
                  b = static_cast<int>(c & 0xff) - rgb[i + 2];
        nearest = std::min(nearest, r * r + g * g + b * b);
      }
      squares += nearest;
    }
    EXPECT_LT(std::sqrt(squares / static_cast<double>(rgb.size() / 3)), 6);
  }
}

TEST(PointToneTest, ToneKeepsHueRisesWithLightAndEndsInWhite) {
  const LinearLight orange = {1, 0.4, 0.05};
  double before = 0;
  for (double amount = 1e-4; amount < 1e6; amount *= 1.7) {
    const Toned t = toned({orange[0] * amount, orange[1] * amount, orange[2] * amount});
    const double now = t.colour[0] + t.colour[1] + t.colour[2];
    EXPECT_GT(now, before);
    before = now;
    EXPECT_GE(t.colour[0], t.colour[1]);
    EXPECT_GE(t.colour[1], t.colour[2]);
    if (amount < 2) {
      EXPECT_NEAR(linear(t.colour[1]) / linear(t.colour[0]), 0.4, 1e-6);
    }
  }
  EXPECT_GT(before, 2.8);
  EXPECT_EQ(toned({0, 0, 0}).cover, 0);
}

TEST(PointToneTest, DarkColoursAreLiftedAndKeepTheirHue) {
  const LinearLight dark = emission(0x0d0887), bright = emission(0xf0f921);
  EXPECT_GT(dark[2], 0.3);
  EXPECT_GT(dark[2] / dark[0], 10);
  EXPECT_NEAR(bright[0], linear(0xf0 / 255.0) * std::pow(linear(0xf9 / 255.0), -0.6), 1e-9);
  for (const double c : emission(0x000000)) EXPECT_GT(c, 0);
}

TEST(PointToneTest, InkIsDarkEnoughForWhitePaperAndDarkColoursStayAsTheyAre) {
  for (const char* map : {"viridis", "plasma", "inferno", "turbo", "gray", "coolwarm", "twilight"}) {
    double luminance_before = -1;
    for (const Colour colour : colormap(map)) {
      EXPECT_GE(contrast(subtractiveColour(colour), 0xffffff), 2.98) << map;
      if (std::string(map) != "gray") continue;
      const double luminance = linear(component(subtractiveColour(colour), 0));
      EXPECT_GE(luminance, luminance_before) << "brighter stays brighter";
      luminance_before = luminance;
    }
  }
  EXPECT_EQ(subtractiveColour(0x000000), 0x000000u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(component(subtractiveColour(0x0d0887), k), component(0x0d0887, k), 0.03);
}

}  // namespace
}  // namespace simscope::render
