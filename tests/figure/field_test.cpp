// What a figure of a field draws, read back pixel by pixel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "app/render/figure/colormap.h"
#include "app/render/figure/colour_range.h"
#include "app/render/figure/exact_colours.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "sims/compute/error.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

class FieldTest : public testing::Test {
 protected:
  void SetUp() override { options.view = "signed"; }
  Rgb draw() {
    figure.draw(fieldDescription(), fieldDescription().defaults(), frame, options);
    return figure.read();
  }
  // The scalar channel of the view "signed": symmetric about zero, so low = −high.
  void setValues(const SampleGrid& grid, const std::function<double(int, int)>& value, double high = 1) {
    addField(
        frame, device, "signed", grid, 1,
        [&](int column, int row) { return std::vector{static_cast<float>(value(column, row))}; }, -high, high);
  }
  std::uint32_t at(const Rgb& rgb, double column, double row) const {
    return pixelAt(rgb, options.width, static_cast<int>(column), static_cast<int>(row));
  }
  double column(double x) const { return columnAt(figure.plotArea(), x); }
  double row(double y) const { return rowAt(figure.plotArea(), y); }
  std::uint32_t atPoint(const Rgb& rgb, double x, double y) const { return at(rgb, column(x), row(y)); }
  std::uint32_t entry(double value, double high = 1) const {
    return colormap("coolwarm")[colourEntry((value + high) / (2 * high), kFieldColours)];
  }
  // Everything within the plot.
  std::set<std::uint32_t> colours(const Rgb& rgb) const {
    std::set<std::uint32_t> seen;
    const PlotArea& a = figure.plotArea();
    for (int r = 0; r < static_cast<int>(a.height); ++r) {
      for (int c = 0; c < static_cast<int>(a.width); ++c) seen.insert(at(rgb, a.left + c, a.top + r));
    }
    return seen;
  }

  HeadlessContext context;
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  Frame frame = sampleFields(compute::Device::open("cpu", 1), {32, 32, 0, 4, 0, 4});
  Figure figure;
  FigureOptions options;
};

TEST_F(FieldTest, EqualInputGivesEqualPixelsWhateverWasDrawnBefore) {
  options.view = "heat";
  options.isolines = true;
  const Rgb first = draw();
  const FigureOptions before = options;
  options.view = "wave";
  options.theme = Theme::Light;
  options.width = 500;
  draw();
  options.view = "row";
  draw();
  options = before;
  EXPECT_EQ(draw(), first);
}

TEST_F(FieldTest, CellsLieWhereTheirCoordinatesSayRowZeroAtTheBottom) {
  // One cell stands out: column 5 of 16, row 2 of 16, from x = 1.25 to 1.5 and y = 0.5 to 0.75.
  setValues({16, 16, 0, 4, 0, 4}, [](int c, int r) { return c == 5 && r == 2 ? 0.9 : -0.5; });
  const Rgb rgb = draw();
  int left = options.width, right = -1, top = options.height, bottom = -1;
  const PlotArea& a = figure.plotArea();
  for (int r = static_cast<int>(a.top); r < a.top + a.height; ++r) {
    for (int c = static_cast<int>(a.left); c < a.left + a.width; ++c) {
      if (at(rgb, c, r) != entry(0.9)) continue;
      left = std::min(left, c), right = std::max(right, c + 1);
      top = std::min(top, r), bottom = std::max(bottom, r + 1);
    }
  }
  EXPECT_NEAR(left, column(1.25), 1);
  EXPECT_NEAR(right, column(1.5), 1);
  EXPECT_NEAR(top, row(0.75), 1);
  EXPECT_NEAR(bottom, row(0.5), 1);
  EXPECT_EQ(colours(rgb), (std::set<std::uint32_t>{entry(0.9), entry(-0.5)}));
}

TEST_F(FieldTest, EveryValueShowsItsEntryExactly) {
  setValues({20, 20, 0, 4, 0, 4}, [](int c, int r) { return -0.9975 + (20 * r + c) * 0.005; });
  const Rgb rgb = draw();
  for (int r = 0; r < 20; ++r) {
    for (int c = 0; c < 20; ++c) {
      // Values in the middle of half an entry: no rounding decides.
      EXPECT_EQ(atPoint(rgb, (c + 0.5) / 5, (r + 0.5) / 5), entry(-0.9975 + (20 * r + c) * 0.005)) << c << ", " << r;
    }
  }
}

TEST_F(FieldTest, ValuesBeyondTheRangeTakeItsEnds) {
  setValues({2, 1, 0, 4, 0, 2}, [](int c, int) { return c == 0 ? -50 : 50; });
  const Rgb rgb = draw();
  EXPECT_EQ(atPoint(rgb, 1, 1), colormap("coolwarm").front());
  EXPECT_EQ(atPoint(rgb, 3, 1), colormap("coolwarm").back());
}

TEST_F(FieldTest, CellsSmallerThanPixelsAreAveragedExactly) {
  // Stripes of one cell: everything is their mean, 0.25; nothing flickers or makes patterns.
  setValues({2000, 2000, 0, 4, 0, 4}, [](int c, int) { return c % 2 == 0 ? 1.0 : -0.5; });
  options.width = options.height = 560;
  const Rgb rgb = draw();
  const double cells = 2000 / figure.plotArea().width;
  // A pixel of an odd number of cells leans to one side by less than one cell's share.
  for (const std::uint32_t colour : colours(rgb)) {
    bool near = false;
    for (double v = 0.25 - 0.76 / cells; v <= 0.25 + 0.76 / cells; v += 0.004) near = near || colour == entry(v);
    EXPECT_TRUE(near) << std::hex << colour;
  }
}

TEST_F(FieldTest, AverageOfAPixelIsThatOfItsCells) {
  // The plot takes a whole number of cells a pixel (see below), so each pixel's mean can be told.
  const int n = 1560;
  const auto value = [](int c, int r) { return ((c * 7919 + r * 104'729) % 1000) / 1000.0 - 0.5; };
  setValues({n, n, 0, 4, 0, 4}, value);
  options.width = options.height = 560;
  const Rgb rgb = draw();
  const PlotArea& a = figure.plotArea();
  const int per = static_cast<int>(std::lround(n / a.width));
  ASSERT_EQ(a.width * per, n);
  for (int py = 0; py < a.height; py += 13) {
    for (int px = 0; px < a.width; px += 17) {
      double sum = 0;
      for (int y = 0; y < per; ++y) {
        for (int x = 0; x < per; ++x) sum += static_cast<float>(value(px * per + x, py * per + y));
      }
      const double mean = sum / (per * per);
      const std::uint32_t seen = at(rgb, a.left + px, a.top + a.height - 1 - py);
      EXPECT_TRUE(seen == entry(mean - 1e-4) || seen == entry(mean + 1e-4)) << px << ", " << py;
    }
  }
}

TEST_F(FieldTest, AveragesWeighCellsByTheirShareOfThePixel) {
  const int n = 900;
  const auto value = [](int c) { return ((c * 7919) % 1000) / 500.0 - 1; };
  setValues({n, n, 0, 4, 0, 4}, [&](int c, int) { return value(c); });
  options.x = options.y = Limits{0.31, 3.57};
  options.width = options.height = 560;
  const Rgb rgb = draw();
  const PlotArea& a = figure.plotArea();
  for (int px = 0; px < a.width; px += 3) {
    const double from = a.xAt(a.left + px) * n / 4, to = a.xAt(a.left + px + 1) * n / 4;
    double sum = 0;
    for (int c = static_cast<int>(from); c < to; ++c) {
      sum += value(c) * (std::min(c + 1.0, to) - std::max<double>(c, from));
    }
    const double mean = sum / (to - from);
    const std::uint32_t seen = at(rgb, a.left + px, a.top + 100);
    // Slivers of a thousandth of a cell are left out.
    EXPECT_TRUE(seen == entry(mean - 2e-3) || seen == entry(mean + 2e-3)) << px;
  }
}

TEST_F(FieldTest, OneBadCellAmongManyIsSeen) {
  setValues({1600, 1600, 0, 4, 0, 4}, [](int c, int r) { return c == 801 && r == 400 ? std::nan("") : 0.3; });
  options.width = options.height = 560;
  const Rgb rgb = draw();
  EXPECT_EQ(colours(rgb), (std::set<std::uint32_t>{entry(0.3), kMissingColour}));
  EXPECT_EQ(atPoint(rgb, 801.5 / 400, 400.5 / 400), kMissingColour);
}

TEST_F(FieldTest, CellsThatHoldNoNumberHaveTheirOwnColour) {
  setValues({4, 4, 0, 4, 0, 4}, [](int c, int r) {
    if (r == 1 && c == 1) return std::nan("");
    return r == 1 && c == 2 ? -INFINITY : 0.0;
  });
  const Rgb rgb = draw();
  EXPECT_EQ(atPoint(rgb, 1.5, 1.5), kMissingColour);
  EXPECT_EQ(atPoint(rgb, 2.5, 1.5), kMissingColour);
  EXPECT_EQ(atPoint(rgb, 0.5, 1.5), entry(0));
  EXPECT_EQ(colours(rgb).size(), 2u);
  options.isolines = true;
  EXPECT_NO_THROW(draw());
}

TEST_F(FieldTest, PlotKeepsTheShapeOfTheField) {
  for (const auto& [x, y] : {std::pair{4.0, 4.0}, {6.0, 2.0}, {1.0, 3.0}}) {
    setValues({30, 30, -1, -1 + x, 2, 2 + y}, [](int, int) { return 0.0; });
    for (const auto& [w, h] : {std::pair{960, 540}, {640, 360}, {500, 900}, {100, 90}}) {
      options.width = w;
      options.height = h;
      draw();
      const PlotArea& a = figure.plotArea();
      EXPECT_NEAR(a.width / a.height, x / y, 0.5 * (1 + x / y) / a.height + 1e-9) << w << "x" << h;
      EXPECT_GE(a.left, 0);
      EXPECT_GE(a.top, 0);
      EXPECT_LE(a.left + a.width, w);
      EXPECT_LE(a.top + a.height, h);
      EXPECT_DOUBLE_EQ(a.xAt(a.left), -1);
      EXPECT_DOUBLE_EQ(a.yAt(a.top), 2 + y);
    }
  }
}

TEST_F(FieldTest, LimitsZoomIntoTheField) {
  setValues({16, 16, 0, 4, 0, 4}, [](int c, int r) { return c == 5 && r == 2 ? 0.9 : -0.5; });
  options.x = Limits{1.25, 1.75};
  options.y = Limits{0.25, 0.75};
  const Rgb rgb = draw();
  const PlotArea& a = figure.plotArea();
  EXPECT_EQ(a.x, (Limits{1.25, 1.75}));
  EXPECT_EQ(a.y, (Limits{0.25, 0.75}));
  EXPECT_DOUBLE_EQ(a.width, a.height);
  EXPECT_EQ(at(rgb, a.left + 3, a.top + 3), entry(0.9));
  EXPECT_EQ(at(rgb, a.left + a.width / 2 - 2, a.top + a.height / 2 - 2), entry(0.9));
  EXPECT_EQ(at(rgb, a.left + a.width / 2 + 2, a.top + 3), entry(-0.5));
  EXPECT_EQ(at(rgb, a.left + 3, a.top + a.height / 2 + 2), entry(-0.5));
}

TEST_F(FieldTest, OneGivenAxisZoomsTheOtherByTheSameShare) {
  setValues({16, 16, 0, 4, 10, 14}, [](int, int) { return 0.0; });
  options.x = Limits{0, 1};
  draw();
  EXPECT_EQ(figure.plotArea().y, (Limits{11.5, 12.5}));
  options.x.reset();
  options.y = Limits{10, 12};
  draw();
  EXPECT_EQ(figure.plotArea().x, (Limits{1, 3}));
}

TEST_F(FieldTest, DeepZoomKeepsItsPlace) {
  const double cell = 4.0 / 2048;
  setValues({2048, 2048, 0, 4, 0, 4}, [](int c, int r) { return c >= 1999 && r >= 1500 ? 0.9 : -0.5; });
  options.x = Limits{1998.5 * cell, 1999.5 * cell};
  options.y = Limits{1499.5 * cell, 1500.5 * cell};
  const Rgb rgb = draw();
  const PlotArea& a = figure.plotArea();
  const double x = a.left + a.width / 2, y = a.top + a.height / 2;
  EXPECT_EQ(at(rgb, x + 2, y - 2), entry(0.9));
  EXPECT_EQ(at(rgb, x - 2, y - 2), entry(-0.5));
  EXPECT_EQ(at(rgb, x + 2, y + 2), entry(-0.5));
}

TEST_F(FieldTest, OutsideOfTheFieldThePlotIsEmpty) {
  setValues({16, 16, 0, 4, 0, 4}, [](int, int) { return 0.4; });
  options.x = Limits{-4, 8};
  options.y = Limits{-4, 8};
  const Rgb rgb = draw();
  EXPECT_EQ(atPoint(rgb, 2, 2), entry(0.4));
  EXPECT_EQ(atPoint(rgb, -1, 2), themeColours(Theme::Dark).plot);
  EXPECT_EQ(atPoint(rgb, 2, 6), themeColours(Theme::Dark).plot);
  options.x = options.y = Limits{1e9, 1e9 + 1};
  EXPECT_EQ(colours(draw()), (std::set<std::uint32_t>{themeColours(Theme::Dark).plot}));
}

TEST_F(FieldTest, RangeColormapAndDirectionAreTheUsers) {
  setValues({4, 4, 0, 4, 0, 4}, [](int, int) { return 3.01; });
  options.range = Limits{2, 6};
  options.colormap = "viridis";
  EXPECT_EQ(atPoint(draw(), 2, 2), colormap("viridis")[50]);
  options.reversed = true;
  EXPECT_EQ(atPoint(draw(), 2, 2), colormap("viridis", true)[50]);
}

TEST_F(FieldTest, LogarithmicScaleGivesEachDecadeItsShare) {
  options.view = "log";
  addField(
      frame, device, "light_intensity", {5, 1, 0, 5, 0, 1}, 1,
      [](int c, int) { return std::vector{c == 4 ? -1.0f : static_cast<float>(3e-4 * std::pow(10, c))}; }, 1e-4, 1);
  const Rgb rgb = draw();
  const auto map = colormap("magma");
  for (int c = 0; c < 4; ++c) {
    EXPECT_EQ(atPoint(rgb, c + 0.5, 0.5), map[colourEntry((c + std::log10(3)) / 4, kFieldColours)]) << c;
  }
  EXPECT_EQ(atPoint(rgb, 4.5, 0.5), map[0]);  // what has no logarithm lies below them all
}

TEST_F(FieldTest, GammaScaleTakesTheRoot) {
  options.view = "gamma";
  addField(
      frame, device, "light_intensity", {2, 1, 0, 2, 0, 1}, 1,
      [](int c, int) { return std::vector{c == 0 ? 0.2525f : 0.01f}; }, 0, 1);
  const Rgb rgb = draw();
  EXPECT_EQ(atPoint(rgb, 0.5, 0.5), colormap("magma")[100]);
  EXPECT_EQ(atPoint(rgb, 1.5, 0.5), colormap("magma")[colourEntry(0.1 + 1e-6, kFieldColours)]);
}

TEST_F(FieldTest, ComplexFieldsShowPhaseAsHueAndAmplitudeAsBrightness) {
  options.view = "wave";
  constexpr double kStep = 2 * std::numbers::pi / 8;
  addField(
      frame, device, "wave", {8, 4, 0, 8, 0, 4}, 2,
      [](int c, int r) {
        const double amplitude = (r + 0.5) / 4 + 0.005;  // in the middle of a step
        return std::vector{static_cast<float>(amplitude * std::cos(c * kStep)),
                           static_cast<float>(amplitude * std::sin(c * kStep))};
      },
      0, 1);
  const Rgb rgb = draw();
  const auto& wheel = themeColours(Theme::Dark).phase;
  for (int c = 0; c < 8; ++c) {
    for (int r = 0; r < 4; ++r) {
      const double bright = std::floor(((r + 0.5) / 4 + 0.005) * 64) / 63;
      const std::uint32_t full = wheel[phaseEntry(c * kStep)], seen = atPoint(rgb, c + 0.5, r + 0.5);
      for (int shift = 0; shift <= 16; shift += 8) {
        EXPECT_NEAR((seen >> shift) & 0xff, bright * ((full >> shift) & 0xff), 1.01) << c << ", " << r;
      }
    }
  }
}

TEST_F(FieldTest, FineWavesKeepTheirAmplitude) {
  options.view = "wave";
  options.width = options.height = 560;
  // The phase turns by half from cell to cell: the mean of the cells would vanish.
  addField(
      frame, device, "wave", {1600, 1600, 0, 4, 0, 4}, 2,
      [](int c, int) {
        return std::vector{c % 2 == 0 ? 0.97f : -0.97f, 0.0f};
      },
      0, 1);
  for (const std::uint32_t colour : colours(draw())) {
    EXPECT_GT(std::max({colour >> 16, (colour >> 8) & 0xff, colour & 0xff}), 150u);
  }
}

TEST_F(FieldTest, ColourFieldsAreLinearLightWithHighAsWhite) {
  options.view = "light";
  addField(
      frame, device, "light", {3, 1, 0, 3, 0, 1}, 3,
      [](int c, int) {
        if (c == 0) return std::vector{2.0f, 2.0f, 2.0f};
        return c == 1 ? std::vector{1.0f, 0.0f, 9.0f} : std::vector{0.0f, std::nanf(""), 0.0f};
      },
      0, 2);
  const Rgb rgb = draw();
  EXPECT_EQ(atPoint(rgb, 0.5, 0.5), 0xffffffu);
  EXPECT_EQ(atPoint(rgb, 1.5, 0.5), 0xbc00ffu);  // half of the light is 188 of 255 in sRGB
  EXPECT_EQ(atPoint(rgb, 2.5, 0.5), kMissingColour);
}

TEST_F(FieldTest, IsolinesRunWhereTheFieldCrossesTheTicks) {
  // A slope along x; ticks of the bar at −1, −0.5, … or finer: one lies at 0, in the middle.
  setValues({400, 400, 0, 4, 0, 4}, [](int c, int) { return (c + 0.5) / 200 - 1; });
  const Rgb plain = draw();
  options.isolines = true;
  const Rgb lined = draw();
  const PlotArea& a = figure.plotArea();
  std::vector<int> changed;
  const double y = a.top + a.height / 3;
  for (int c = static_cast<int>(a.left); c < a.left + a.width; ++c) {
    if (at(plain, c, y) != at(lined, c, y)) changed.push_back(c);
  }
  const auto drawnAt = [&](double x) {
    return std::any_of(changed.begin(), changed.end(), [&](int c) { return std::abs(c + 0.5 - column(x)) <= 1; });
  };
  EXPECT_TRUE(drawnAt(2));
  EXPECT_TRUE(drawnAt(1));
  EXPECT_TRUE(drawnAt(3));
  EXPECT_FALSE(drawnAt(2.17));
  EXPECT_LT(changed.size(), 3 * 13u);
}

TEST_F(FieldTest, IsolinesEndAtAbsentCellsAndNeverCrossThem) {
  // A slope along y, and a wall of absent cells across the middle of it: cells larger and smaller than pixels.
  options.view = "plate";
  for (const int n : {32, 200, 1600}) {
    const auto wall = [n](int c) { return c >= n * 15 / 32 && c < n * 17 / 32; };
    addField(frame, device, "heat", {n, n, 0, 4, 0, 4}, 1, [&](int c, int r) {
      return std::vector{wall(c) ? std::nanf("") : (static_cast<float>(r) + 0.5f) / static_cast<float>(n)};
    });
    options.isolines = false;
    const Rgb plain = draw();
    options.isolines = true;
    const Rgb lined = draw();
    const PlotArea& a = figure.plotArea();
    const int left = static_cast<int>(std::lround(column(4 * (n * 15 / 32) / static_cast<double>(n))));
    const int right = static_cast<int>(std::lround(column(4 * (n * 17 / 32) / static_cast<double>(n))));
    const auto changes = [&](int c) {
      int count = 0;
      for (int r = static_cast<int>(a.top); r < a.top + a.height; ++r) count += at(plain, c, r) != at(lined, c, r);
      return count;
    };
    for (int c = left + 1; c < right - 1; ++c) {
      EXPECT_EQ(at(plain, c, row(1.3)), kAbsentColour) << n;
      EXPECT_EQ(changes(c), 0) << n << ": within the wall";
    }
    // They run up to the wall's very edge, straight on.
    const int far_away = changes(static_cast<int>(column(0.5)));
    EXPECT_GT(far_away, 5);
    EXPECT_NEAR(changes(left - 2), far_away, 2) << n;
    EXPECT_NEAR(changes(right + 2), far_away, 2) << n;
  }
}

TEST_F(FieldTest, AbsentCellsAreReadByTheirName) {
  options.view = "plate";
  addField(frame, device, "heat", {4, 4, 0, 4, 0, 4}, 1,
           [](int c, int) { return std::vector{c == 1 ? std::nanf("") : 0.5f}; });
  options.marker_x = 1.5;
  options.marker_y = 1.5;
  const Rgb wall = draw();
  EXPECT_EQ(atPoint(wall, 1.2, 3.5), kAbsentColour);
  const auto colours = exactColours(fieldDescription(), options);
  EXPECT_NE(std::find(colours.begin(), colours.end(), kAbsentColour), colours.end());
}

TEST_F(FieldTest, OverlayIsOutlinedWhereItCrossesItsLevel) {
  options.view = "heat";
  const SampleGrid grid{40, 40, 0, 4, 0, 4};
  addField(frame, device, "heat", grid, 1, [](int, int) { return std::vector{0.1f}; });
  // A wall from x = 1 to 3 and y = 1 to 2.
  addField(frame, device, "walls", grid, 1,
           [](int c, int r) { return std::vector{c >= 10 && c < 30 && r >= 10 && r < 20 ? 1.0f : 0.0f}; });
  const Rgb rgb = draw();
  const std::uint32_t ground = colormap("inferno")[colourEntry(0.1, kFieldColours)];
  const auto lineNear = [&](double x, double y) {
    bool found = false;
    for (int d = -1; d <= 1; ++d) {
      found = found || at(rgb, column(x) + d, row(y)) != ground || at(rgb, column(x), row(y) + d) != ground;
    }
    return found;
  };
  for (const auto& [x, y] : {std::pair{1.0, 1.55}, {3.0, 1.45}, {2.05, 1.0}, {1.95, 2.0}}) {
    EXPECT_TRUE(lineNear(x, y)) << x << ", " << y;
  }
  for (const auto& [x, y] : {std::pair{2.0, 1.5}, {0.5, 1.5}, {2.0, 3.0}, {3.3, 0.5}}) {
    EXPECT_FALSE(lineNear(x, y)) << x << ", " << y;
  }
}

TEST_F(FieldTest, ColourBarShowsTheTableFromLowToHigh) {
  setValues({16, 16, 0, 4, 0, 4}, [](int, int) { return 0.0; });
  const Rgb rgb = draw();
  const PlotArea& a = figure.plotArea();
  // To the right of the plot, the first column whose lowest pixel is the first entry.
  const auto map = colormap("coolwarm");
  int bar = -1;
  for (int c = static_cast<int>(a.left + a.width) + 2; c < options.width && bar < 0; ++c) {
    if (at(rgb, c, a.top + a.height - 1) == map.front()) bar = c;
  }
  ASSERT_GT(bar, 0);
  for (int r = 0; r < static_cast<int>(a.height); ++r) {
    EXPECT_EQ(at(rgb, bar + 3, a.top + r), map[colourEntry(1 - (r + 0.5) / a.height, kFieldColours)]) << r;
  }
  // Ticks right of the bar: at 0, half way up, but not just beside it.
  const std::uint32_t axis = themeColours(Theme::Dark).axis;
  int end = bar;
  while (at(rgb, end, a.top + a.height / 3 + 3) != axis) ++end;
  bool tick = false;
  for (int d = -1; d <= 1; ++d) tick = tick || at(rgb, end + 3, a.top + a.height / 2 + d) == axis;
  EXPECT_TRUE(tick);
  EXPECT_NE(at(rgb, end + 3, a.top + a.height / 2 + 5), axis);
}

TEST_F(FieldTest, MarkerReadsTheCellUnderTheMouse) {
  setValues({16, 16, 0, 4, 0, 4}, [](int c, int r) { return c == 5 && r == 2 ? 0.9 : -0.5; });
  const Rgb plain = draw();
  options.marker_x = 1.3;
  EXPECT_EQ(draw(), plain);  // needs both
  options.marker_y = 0.6;
  const Rgb marked = draw();
  const std::uint32_t hair = themeColours(Theme::Dark).marker;
  EXPECT_EQ(at(marked, std::round(column(1.3) - 0.5), row(3)), hair);
  EXPECT_EQ(at(marked, column(3.5), std::round(row(0.6) - 0.5)), hair);
  options.marker_x = 1.3 + 1e-9;
  EXPECT_EQ(draw(), marked);
  setValues({16, 16, 0, 4, 0, 4}, [](int c, int r) { return c == 5 && r == 2 ? 0.8999 : -0.5; });
  EXPECT_NE(draw(), marked);  // the reading changes though the colour does not
  options.marker_y = 7;
  options.marker_x = std::nan("");
  EXPECT_NO_THROW(draw());
}

TEST_F(FieldTest, TheFirstFieldIsShownUnlessAViewIsChosen) {
  options.view = "";
  const Rgb unnamed = draw();
  options.view = "heat";
  EXPECT_EQ(draw(), unnamed);
  options.view = "row";
  EXPECT_NE(draw(), unnamed);
  options.view = "het";
  EXPECT_THAT([&] { draw(); }, testing::ThrowsMessage<UsageError>(testing::HasSubstr("did you mean 'heat'?")));
}

TEST_F(FieldTest, EveryFieldDrawsAtEverySize) {
  options.isolines = true;
  options.marker_x = options.marker_y = 1.0;
  // Each change of scale rasterises the glyphs anew.
  for (const double scale : {0.5, 3.0}) {
    options.scale = scale;
    for (const View& view : fieldDescription().views) {
      if (!view.as<FieldView>()) continue;
      options.view = view.key;
      for (const auto& [w, h] : {std::pair{64, 64}, {64, 700}, {700, 64}, {241, 181}, {333, 777}}) {
        options.width = w;
        options.height = h;
        EXPECT_NO_THROW(draw()) << view.key << " " << w << "x" << h << " at " << scale;
        const PlotArea& a = figure.plotArea();
        EXPECT_GE(std::min(a.width, a.height), 8);
        EXPECT_GE(a.left, 0);
        EXPECT_GE(a.top, 0);
        EXPECT_LE(a.left + a.width, w);
        EXPECT_LE(a.top + a.height, h);
      }
    }
  }
}

TEST_F(FieldTest, FrameAndOptionsThatDoNotFitAreRefused) {
  options.range = Limits{3, 3};
  EXPECT_THROW(draw(), UsageError);
  options.range.reset();
  options.colormap = "jet";
  EXPECT_THROW(draw(), UsageError);
  options.colormap.clear();
  addField(frame, device, "wave", {4, 4}, 1, [](int, int) { return std::vector{0.0f}; });
  options.view = "wave";
  EXPECT_THROW(draw(), Error);
  std::erase_if(frame.channels, [](const Channel& c) { return c.key == "walls"; });
  options.view = "heat";
  EXPECT_THAT([&] { draw(); }, testing::ThrowsMessage<Error>(testing::HasSubstr("\"walls\"")));
  options.view = "log";
  EXPECT_NO_THROW(draw());
}

TEST_F(FieldTest, SolidColoursAreInThePalette) {
  setValues({40, 40, 0, 4, 0, 4}, [](int c, int r) { return c * r / 800.0 - 1; });
  for (const Theme theme : {Theme::Dark, Theme::Light}) {
    options.theme = theme;
    const Rgb rgb = draw();
    const auto exact = exactColours(fieldDescription(), options);
    const std::set<std::uint32_t> known(exact.begin(), exact.end());
    for (const std::uint32_t colour : colours(rgb)) EXPECT_TRUE(known.count(colour)) << std::hex << colour;
  }
}

}  // namespace
}  // namespace simscope::render
