// What a figure draws, read back pixel by pixel. Runs on any OpenGL 4.5, Mesa's software renderer included.
#include "app/render/figure/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

class FigureTest : public testing::Test {
 protected:
  Rgb draw(const Frame& frame) {
    figure.draw(description, parameters, frame, options);
    return figure.read();
  }
  std::uint32_t at(const Rgb& rgb, double column, double row) const {
    return pixelAt(rgb, options.width, static_cast<int>(column), static_cast<int>(row));
  }
  const ThemeColours& colours() const { return themeColours(options.theme); }
  double column(double x) const { return columnAt(figure.plotArea(), x); }
  double row(double y) const { return rowAt(figure.plotArea(), y); }
  // Columns of the plot whose pixel in this row has the colour.
  std::vector<int> columnsOf(const Rgb& rgb, double in_row, std::uint32_t colour) const {
    std::vector<int> found;
    const PlotArea& a = figure.plotArea();
    for (int i = static_cast<int>(a.left); i < a.left + a.width; ++i) {
      if (at(rgb, i, in_row) == colour) found.push_back(i);
    }
    return found;
  }

  HeadlessContext context;
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  const Description& description = sampleDescription();
  ParameterSet parameters = sampleDescription().defaults();
  Figure figure;
  FigureOptions options;
};

SampleProfiles box(double low, double high, double height, double phase = 0) {
  SampleProfiles p;
  p.density = [=](double x) { return x >= low && x < high ? height : 0.0; };
  p.phase = [=](double) { return phase; };
  return p;
}

TEST_F(FigureTest, EqualInputGivesEqualPixels) {
  const Frame frame = sampleFrame(device, 4096, tunnellingProfiles());
  const Rgb first = draw(frame), second = draw(frame);
  EXPECT_EQ(first, second);
  Figure other;
  other.draw(description, parameters, frame, options);
  EXPECT_EQ(other.read(), first);
}

TEST_F(FigureTest, PicturesDoNotDependOnWhatWasDrawnBefore) {
  const Frame frame = sampleFrame(device, 1024, tunnellingProfiles());
  const Rgb fresh = draw(frame);
  const FigureOptions plain = options;
  options.width = 400;
  options.height = 700;
  options.scale = 2;
  options.theme = Theme::Light;
  options.shown["real"] = true;
  draw(sampleFrame(device, 512, box(-50, 50, 0.5)));
  options = plain;
  EXPECT_EQ(draw(frame), fresh);
}

TEST_F(FigureTest, FilledAreaCoversTheDensityToAPixel) {
  const Rgb rgb = draw(sampleFrame(device, 4096, box(-40, 30, 0.6)));
  // Half way up, away from outline and baseline: phase 0 from x = −40 to 30, nothing of it elsewhere.
  const std::vector<int> filled = columnsOf(rgb, row(0.3), colours().phase[0]);
  ASSERT_FALSE(filled.empty());
  // The inner half of the outline, 0.8 pixels and a soft edge, covers the ends of the area.
  EXPECT_NEAR(filled.front(), column(-40) + 0.8, 1);
  EXPECT_NEAR(filled.back() + 1, column(30) - 0.8, 1);
  EXPECT_EQ(static_cast<int>(filled.size()), filled.back() - filled.front() + 1);
  EXPECT_TRUE(columnsOf(rgb, row(0.7), colours().phase[0]).empty());
  bool outlined = false;
  for (int i = -1; i <= 1; ++i) outlined = outlined || at(rgb, column(0), row(0.6) + i) == colours().outline;
  EXPECT_TRUE(outlined);
}

TEST_F(FigureTest, OutlineFollowsTheCurveToAPixel) {
  SampleProfiles p;
  const auto density = [](double x) { return 0.5 + 0.3 * std::sin(x / 20); };
  p.density = density;
  p.phase = [](double) { return 0.0; };
  const Rgb rgb = draw(sampleFrame(device, 4096, p));
  for (double near = -95; near < 95; near += 7.3) {
    const int c = static_cast<int>(column(near));
    const double x = figure.plotArea().xAt(c + 0.5);  // at the middle of the pixel
    const double per_x = figure.plotArea().width / 200, per_y = figure.plotArea().height;
    const double slope = 0.3 / 20 * std::cos(x / 20) * per_y / per_x;
    int first = -1;  // from above, the first pixel that is clearly of the line
    for (int r = static_cast<int>(row(0.99)); r < row(0.01) && first < 0; ++r) {
      if ((at(rgb, c, r) & 0xff) > 0x80) first = r;
    }
    // The line is 1.6 pixels thick, across.
    EXPECT_NEAR(first + 0.5, row(density(x)) - 0.8 * std::hypot(1, slope), 1) << "x = " << x;
  }
}

TEST_F(FigureTest, PhaseChoosesTheColour) {
  for (const double phase : {0.0, std::numbers::pi / 2, std::numbers::pi, -std::numbers::pi / 2, 3.0, -0.3}) {
    const Rgb rgb = draw(sampleFrame(device, 4096, box(-100, 100, 0.8, phase)));
    EXPECT_EQ(at(rgb, column(10), row(0.4)), colours().phase[phaseEntry(phase)]) << phase;
  }
}

TEST_F(FigureTest, NoSampleIsLostWhereManyShareAPixel) {
  // One spike of one sample in 65536, wherever it falls.
  for (const int spike : {1, 20'000, 41'234, 65'534}) {
    const double position = kSampleLow + spike * (kSampleHigh - kSampleLow) / 65536;
    SampleProfiles p;
    p.density = [=](double x) { return std::abs(x - position) < 1e-6 ? 0.9 : 0.0; };
    p.phase = [](double) { return 0.0; };
    const Rgb rgb = draw(sampleFrame(device, 65536, p));
    std::set<std::uint32_t> seen;
    for (int i = -2; i <= 2; ++i) seen.insert(at(rgb, column(position) + i, row(0.45)));
    EXPECT_GT(seen.size(), 1u) << spike;
  }
}

TEST_F(FigureTest, FewSamplesAreJoinedByStraightLines) {
  SampleProfiles p;
  p.density = [](double x) { return x < -50 ? 0.2 : 0.8; };  // samples at −100, −50, 0, 50
  p.phase = [](double) { return 0.0; };
  const Rgb rgb = draw(sampleFrame(device, 4, p));
  EXPECT_EQ(at(rgb, column(-75), row(0.40)), colours().phase[0]);
  EXPECT_NE(at(rgb, column(-75), row(0.60)), colours().phase[0]);
  EXPECT_NE(at(rgb, column(75), row(0.4)), colours().phase[0]);  // beyond the last sample
}

TEST_F(FigureTest, ValuesThatAreNoNumbersLeaveAGap) {
  SampleProfiles p;
  p.density = [](double x) { return std::abs(x) < 20 ? std::nan("") : 0.5; };
  p.phase = [](double) { return 0.0; };
  const Rgb rgb = draw(sampleFrame(device, 4096, p));
  EXPECT_EQ(at(rgb, column(-50), row(0.25)), colours().phase[0]);
  EXPECT_EQ(at(rgb, column(50), row(0.25)), colours().phase[0]);
  EXPECT_TRUE(columnsOf(rgb, row(0.25), colours().phase[0]).size() < 700);
  EXPECT_NE(at(rgb, column(3), row(0.27)), colours().phase[0]);
}

TEST_F(FigureTest, BackgroundIsExact) {
  const Rgb rgb = draw(sampleFrame(device, 256, {}));
  EXPECT_EQ(at(rgb, 1, 1), colours().background);
  EXPECT_EQ(at(rgb, options.width - 2, options.height - 2), colours().background);
  const PlotArea& a = figure.plotArea();
  std::size_t plot = 0, known = 0, all = 0;
  const std::set<std::uint32_t> expected = {colours().plot, colours().grid_minor, colours().grid_major};
  for (int r = static_cast<int>(a.top); r < a.top + a.height - 4; ++r) {
    for (int c = static_cast<int>(a.left); c < a.left + a.width; ++c) {
      plot += at(rgb, c, r) == colours().plot;
      known += expected.count(at(rgb, c, r));
      ++all;
    }
  }
  EXPECT_EQ(known, all);  // a curve of nothing leaves nothing but the grid
  EXPECT_GT(plot, all / 2);
}

TEST_F(FigureTest, PotentialHasItsOwnAxisAtTheRight) {
  SampleProfiles p;
  p.potential = [](double x) { return std::abs(x) < 10 ? 1.5 : 0.0; };
  p.highest_potential = 3;
  const Rgb rgb = draw(sampleFrame(device, 4096, p));
  const PlotArea with = figure.plotArea();
  // 1.5 of 3 is half of the plot's height, whatever the left axis spans.
  EXPECT_EQ(at(rgb, column(0), with.top + with.height * 0.75), colours().area);
  EXPECT_NE(at(rgb, column(0), with.top + with.height * 0.45), colours().area);
  const std::vector<int> area = columnsOf(rgb, with.top + with.height * 0.75, colours().area);
  ASSERT_FALSE(area.empty());
  EXPECT_NEAR(area.front(), column(-10), 3);
  EXPECT_NEAR(area.back(), column(10), 3);

  options.shown["potential"] = false;
  const Rgb without = draw(sampleFrame(device, 4096, p));
  EXPECT_GT(figure.plotArea().width, with.width + 20);
  EXPECT_NE(at(without, column(0), with.top + with.height * 0.75), colours().area);
}

TEST_F(FigureTest, EdgesOfAStepStandUpright) {
  SampleProfiles p;
  p.potential = [](double x) { return std::abs(x) < 10 ? 1.5 : 0.0; };
  p.highest_potential = 2;
  const Rgb rgb = draw(sampleFrame(device, 65536, p));
  const PlotArea& a = figure.plotArea();
  const auto edge = [&](double part) {
    std::vector<std::uint32_t> pixels;
    for (int i = -3; i <= 3; ++i) pixels.push_back(at(rgb, column(-10) + i, a.top + part * a.height));
    return pixels;
  };
  // Rows of the grid would differ; the edge is compared where there is none.
  EXPECT_EQ(edge(0.453), edge(0.913));
}

TEST_F(FigureTest, BothAxesShareTheLineOfZero) {
  SampleProfiles p;
  p.real = [](double) { return -0.5; };
  p.potential = [](double) { return 0.01; };
  options.shown["real"] = true;  // the left axis now spans −1 to 1
  const Rgb rgb = draw(sampleFrame(device, 1024, p));
  EXPECT_DOUBLE_EQ(figure.plotArea().y.low, -1);
  EXPECT_NE(at(rgb, column(33), row(0.3)), colours().area);
  EXPECT_NE(at(rgb, column(33), row(-0.3)), colours().area);
}

TEST_F(FigureTest, HiddenTracesAreNotDrawn) {
  const Frame frame = sampleFrame(device, 4096, box(-40, 30, 0.6));
  options.shown["density"] = false;
  const Rgb rgb = draw(frame);
  EXPECT_TRUE(columnsOf(rgb, row(0.3), colours().phase[0]).empty());
  EXPECT_DOUBLE_EQ(figure.plotArea().y.high, 1);
  options.shown = {{"density", false}, {"initial", false}, {"potential", false}, {"nobody", true}};
  EXPECT_NO_THROW(draw(frame));
  EXPECT_DOUBLE_EQ(figure.plotArea().x.low, kSampleLow);
}

TEST_F(FigureTest, ShownLinesAreDrawnInTheirColour) {
  SampleProfiles p;
  p.real = [](double) { return 0.5; };
  options.shown["real"] = true;
  const Rgb rgb = draw(sampleFrame(device, 1024, p));
  bool found = false;
  for (int i = -1; i <= 1; ++i) found = found || at(rgb, column(12), row(0.5) + i) == colours().lines[0];
  EXPECT_TRUE(found);
}

TEST_F(FigureTest, LimitsZoomIn) {
  const Frame frame = sampleFrame(device, 4096, box(-40, 30, 0.6));
  options.x = Limits{-50, -30};
  options.y = Limits{0, 0.7};
  const Rgb rgb = draw(frame);
  EXPECT_EQ(figure.plotArea().x, (Limits{-50, -30}));
  const std::vector<int> filled = columnsOf(rgb, row(0.3), colours().phase[0]);
  ASSERT_FALSE(filled.empty());
  // The edge runs through the one cell before −40: its width is 200/4096.
  const double cell = 200.0 / 4096 * figure.plotArea().width / 20;
  EXPECT_NEAR(filled.front(), column(-40) - cell / 2, cell / 2 + 3);
  EXPECT_EQ(filled.back(), static_cast<int>(figure.plotArea().left + figure.plotArea().width) - 1);
}

TEST_F(FigureTest, DeepZoomKeepsItsPlace) {
  // A millionth of the axis, far from sample 0: single precision of positions would be off by many pixels.
  const double edge = kSampleLow + 60'000 * (kSampleHigh - kSampleLow) / 65536;
  SampleProfiles p;
  p.density = [=](double x) { return x > edge - 1e-9 ? 0.8 : 0.0; };
  p.phase = [](double) { return 0.0; };
  const double cell = (kSampleHigh - kSampleLow) / 65536;
  options.x = Limits{edge - 1.5 * cell, edge + 0.5 * cell};
  const Rgb rgb = draw(sampleFrame(device, 65536, p));
  // A straight line from 0 at one sample to 0.8 at the next: half way it passes 0.4.
  EXPECT_NE(at(rgb, column(edge - 0.5 * cell) - 12, row(0.4)), colours().phase[0]);
  EXPECT_EQ(at(rgb, column(edge - 0.5 * cell) + 12, row(0.4)), colours().phase[0]);
}

TEST_F(FigureTest, ZoomingOutFarIsHarmless) {
  options.x = Limits{-1e9, 1e9};
  EXPECT_NO_THROW(draw(sampleFrame(device, 65536, tunnellingProfiles())));
  options.x = Limits{1e6, 1e6 + 1};
  EXPECT_NO_THROW(draw(sampleFrame(device, 4096, tunnellingProfiles())));
}

TEST_F(FigureTest, PlotAreaTurnsPixelsIntoUnits) {
  draw(sampleFrame(device, 256, {}));
  const PlotArea& a = figure.plotArea();
  EXPECT_DOUBLE_EQ(a.xAt(a.left), kSampleLow);
  EXPECT_DOUBLE_EQ(a.xAt(a.left + a.width), kSampleHigh);
  EXPECT_DOUBLE_EQ(a.yAt(a.top), 1);
  EXPECT_DOUBLE_EQ(a.yAt(a.top + a.height), 0);
  EXPECT_GT(a.width, 700);
  EXPECT_GT(a.height, 350);
}

TEST_F(FigureTest, LightThemeIsForPrint) {
  options.theme = Theme::Light;
  const Rgb rgb = draw(sampleFrame(device, 4096, box(-40, 30, 0.6)));
  EXPECT_EQ(at(rgb, 1, 1), 0xffffffu);
  EXPECT_EQ(at(rgb, column(0), row(0.3)), themeColours(Theme::Light).phase[0]);
}

TEST_F(FigureTest, TextIsDrawnAndScales) {
  const Frame frame = sampleFrame(device, 256, {});
  const auto ink = [&](const Rgb& rgb, int rows) {
    std::size_t n = 0;
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < options.width; ++c) n += at(rgb, c, r) == colours().text;
    }
    return n;
  };
  const std::size_t plain = ink(draw(frame), 35);
  EXPECT_GT(plain, 200u);
  options.width *= 2;
  options.height *= 2;
  options.scale = 2;
  EXPECT_GT(ink(draw(frame), 70), 3 * plain);
}

TEST_F(FigureTest, ParametersAndTimeChangeThePicture) {
  Frame frame = sampleFrame(device, 256, {});
  const Rgb before = draw(frame);
  parameters.setText("barrier_height", "2.5");
  const Rgb changed = draw(frame);
  EXPECT_NE(changed, before);
  frame.time = 41;
  EXPECT_NE(draw(frame), changed);
}

TEST_F(FigureTest, MarkerDrawsAHairLineWithinThePlotOnly) {
  const Frame frame = sampleFrame(device, 4096, box(-40, 30, 0.6));
  const Rgb plain = draw(frame);
  options.marker_x = 60.0;
  const Rgb marked = draw(frame);
  EXPECT_EQ(at(marked, std::round(column(60) - 0.5), row(0.3)), colours().marker);
  options.marker_x = 1e6;
  EXPECT_EQ(draw(frame), plain);
  options.marker_x = std::nan("");
  EXPECT_EQ(draw(frame), plain);
}

TEST_F(FigureTest, AnySizeFromSmallToLargeWorks) {
  const Frame frame = sampleFrame(device, 512, tunnellingProfiles());
  options.marker_x = 20.0;
  for (const auto& [w, h] : {std::pair{64, 64}, {64, 2000}, {2000, 64}, {241, 181}, {333, 777}, {1279, 719}}) {
    options.width = w;
    options.height = h;
    for (const double scale : {0.5, 1.0, 3.0}) {
      options.scale = scale;
      const Rgb rgb = draw(frame);
      EXPECT_EQ(rgb.size(), static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 3);
      EXPECT_GT(figure.plotArea().width, 10) << w << "x" << h << " at " << scale;
      EXPECT_GT(figure.plotArea().height, 10) << w << "x" << h << " at " << scale;
    }
  }
}

TEST_F(FigureTest, BadOptionsAreRefusedAndLeaveThePictureAlone) {
  const Frame frame = sampleFrame(device, 256, {});
  const Rgb good = draw(frame);
  const FigureOptions plain = options;
  const auto refused = [&](const char* what, auto change) {
    options = plain;
    change(options);
    EXPECT_THAT([&] { figure.draw(description, parameters, frame, options); },
                testing::ThrowsMessage<UsageError>(testing::HasSubstr(what)));
    options = plain;
    EXPECT_EQ(figure.read(), good);
  };
  refused("size", [](FigureOptions& o) { o.width = 63; });
  refused("size", [](FigureOptions& o) { o.height = -1; });
  refused("16384", [](FigureOptions& o) { o.width = 16385; });
  refused("scale", [](FigureOptions& o) { o.scale = std::nan(""); });
  refused("x axis", [](FigureOptions& o) { o.x = Limits{1, 1}; });
  refused("y axis", [](FigureOptions& o) { o.y = Limits{0, std::nan("")}; });
  refused("curves", [](FigureOptions& o) { o.view = "curve"; });
  EXPECT_EQ(draw(frame), good);
}

TEST_F(FigureTest, MissingChannelsAreNamed) {
  Frame frame = sampleFrame(device, 256, {});
  std::erase_if(frame.channels, [](const Channel& c) { return c.key == "phase"; });
  EXPECT_THAT([&] { figure.draw(description, parameters, frame, options); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("\"phase\"")));
  EXPECT_NO_THROW(draw(sampleFrame(device, 256, {})));  // an interrupted picture does not spoil the next
}

}  // namespace
}  // namespace simscope::render
