#include "app/render/figure/colormap.h"
#include "app/render/figure/exact_colours.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/render/figure/colour_range.h"
#include "app/render/figure/theme.h"
#include "sims/compute/error.h"
#include "tests/figure/lightness.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

using testing::Contains;
using testing::ElementsAre;

int distance(Colour a, Colour b) {
  int most = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    most = std::max(most, std::abs(static_cast<int>((a >> shift) & 0xff) - static_cast<int>((b >> shift) & 0xff)));
  }
  return most;
}

TEST(Colormap, OffersTheWellKnownMaps) {
  EXPECT_THAT(colormapNames(), testing::UnorderedElementsAre("viridis", "magma", "inferno", "plasma", "cividis",
                                                             "turbo", "gray", "coolwarm", "twilight"));
}

TEST(Colormap, SequentialMapsGrowLighterEvenly) {
  for (const char* name : {"viridis", "magma", "inferno", "plasma", "cividis"}) {
    const auto map = colormap(name);
    const double step = (lightness(map.back()) - lightness(map.front())) / (kFieldColours - 1);
    for (std::size_t k = 0; k < map.size(); ++k) {
      EXPECT_NEAR(lightness(map[k]), lightness(map[0]) + step * static_cast<double>(k), 0.012) << name << " " << k;
      // Eight bits a channel are coarse where it is dark.
      if (k > 0 && lightness(map[k]) > 0.3) {
        EXPECT_GE(lightness(map[k]), lightness(map[k - 1])) << name << " " << k;
      }
    }
  }
}

TEST(Colormap, HasNoJumps) {
  for (const std::string& name : colormapNames()) {
    const auto map = colormap(name);
    for (std::size_t k = 1; k < map.size(); ++k) EXPECT_LE(distance(map[k], map[k - 1]), 16) << name << " " << k;
  }
}

TEST(Colormap, TwilightClosesAndCoolwarmIsNeutralInTheMiddle) {
  EXPECT_EQ(colormap("twilight").front(), colormap("twilight").back());
  const Colour middle = colormap("coolwarm")[kFieldColours / 2];
  EXPECT_NEAR((middle >> 16) & 0xff, middle & 0xff, 8);
  const auto cool = colormap("coolwarm");
  for (std::size_t k = 0; k < cool.size(); ++k) {
    EXPECT_NEAR(lightness(cool[k]), lightness(cool[cool.size() - 1 - k]), 0.02) << k;
  }
}

TEST(Colormap, ReversedRunsTheOtherWay) {
  for (const std::string& name : colormapNames()) {
    auto map = colormap(name);
    std::reverse(map.begin(), map.end());
    EXPECT_EQ(map, colormap(name, true)) << name;
  }
}

TEST(Colormap, EndsAreThoseOfTheWholeMap) {
  EXPECT_EQ(colormap("gray").front(), 0x000000u);
  EXPECT_EQ(colormap("gray").back(), 0xffffffu);
}

TEST(Colormap, StoredMapsHave256EntriesOfTheirOwn) {
  std::set<std::vector<std::uint32_t>> all;
  for (const EmbeddedColormap& map : embeddedColormaps()) {
    EXPECT_EQ(map.colours.size(), 256u);
    EXPECT_EQ(colormap(std::string(map.name)).front(), map.colours.front());
    EXPECT_EQ(colormap(std::string(map.name)).back(), map.colours.back());
    all.emplace(map.colours.begin(), map.colours.end());
  }
  EXPECT_EQ(all.size(), 9u);
}

TEST(ColourRange, OptionsChooseItsScaleAndSymmetry) {
  FieldView view;
  Channel channel;
  channel.low = -1;
  channel.high = 3;
  FigureOptions options;
  EXPECT_EQ(colourRange(valueScale(view, options), channel, {}).limits, (Limits{-1, 3}));
  options.symmetric = true;
  EXPECT_EQ(colourRange(valueScale(view, options), channel, {}).limits, (Limits{-3, 3}));
  EXPECT_EQ(colourRange(valueScale(view, options), channel, Limits{0, 2}).limits, (Limits{0, 2}));
  options.value_scale = FieldScale::Gamma;
  EXPECT_DOUBLE_EQ(colourRange(valueScale(view, options), channel, {}).position(0.75), 0.75);
  options.symmetric = false;
  view.symmetric = true;
  EXPECT_EQ(colourRange(valueScale(view, options), channel, {}).limits, (Limits{-1, 3}));
  options.value_scale = FieldScale::Log;
  const ColourRange log = colourRange(valueScale(view, options), channel, Limits{1, 1000});
  EXPECT_DOUBLE_EQ(log.position(10), 1.0 / 3);
  EXPECT_EQ(rangeTicks(log, 8).labels, (std::vector<std::string>{"1", "10", "100", "1000"}));
}

TEST(Colormap, UnknownNamesGetASuggestion) {
  EXPECT_THAT([&] { colormap("virdis"); },
              testing::ThrowsMessage<UsageError>(
                  testing::AllOf(testing::HasSubstr("did you mean 'viridis'?"), testing::HasSubstr("twilight"))));
}

TEST(Colormap, CellsWithoutANumberLookLikeNoEntry) {
  for (const std::string& name : colormapNames()) {
    for (const Colour c : colormap(name)) EXPECT_GT(distance(c, kMissingColour), 30) << name;
  }
}

TEST(Palette, OfAFieldHoldsTheWholeMapAndWhatSurroundsIt) {
  for (const Theme theme : {Theme::Dark, Theme::Light}) {
    const ThemeColours& c = themeColours(theme);
    for (const std::string& name : colormapNames()) {
      const auto exact = exactColours(theme, name, false);
      EXPECT_LE(exact.size(), 255u);
      EXPECT_EQ(std::set<std::uint32_t>(exact.begin(), exact.end()).size(), exact.size());
      for (const Colour entry : colormap(name)) EXPECT_THAT(exact, Contains(entry));
      for (const Colour around : {c.background, c.plot, c.axis, c.text, c.text_dim, c.marker, c.box, kMissingColour,
                                  kLinesOnDark, kLinesOnBright}) {
        EXPECT_THAT(exact, Contains(around));
      }
    }
  }
}

TEST(Palette, FollowsTheViewThatTheOptionsShow) {
  FigureOptions options;
  EXPECT_EQ(exactColours(fieldDescription(), options), exactColours(Theme::Dark, "inferno", false));
  options.colormap = "gray";
  options.reversed = true;
  EXPECT_EQ(exactColours(fieldDescription(), options), exactColours(Theme::Dark, "gray", true));
  options.view = "row";
  // A curve that is not filled by its phase needs no wheel.
  const std::vector<std::uint32_t> row = exactColours(fieldDescription(), options), all = exactColours(Theme::Dark);
  EXPECT_THAT(row, testing::IsSubsetOf(all));
  EXPECT_EQ(row.size() + kPhaseColours, all.size());
  for (const char* view : {"wave", "light"}) {
    options.view = view;
    const auto exact = exactColours(fieldDescription(), options);
    EXPECT_LE(exact.size(), 255u);
    EXPECT_GE(exact.size(), 200u);
    EXPECT_EQ(std::set<std::uint32_t>(exact.begin(), exact.end()).size(), exact.size());
  }
  EXPECT_EQ(exactColours(sampleDescription(), {}), exactColours(Theme::Dark));
}

TEST(ColourRange, PositionAndValueAreInverse) {
  for (const FieldScale scale : {FieldScale::Linear, FieldScale::Log, FieldScale::Gamma}) {
    for (const bool symmetric : {false, true}) {
      const ColourRange range{{0.02, 30}, scale, symmetric};
      EXPECT_NEAR(range.position(0.02), 0, 1e-12);
      EXPECT_NEAR(range.position(30), 1, 1e-12);
      for (const double p : {0.1, 0.35, 0.5, 0.82}) EXPECT_NEAR(range.position(range.valueAt(p)), p, 1e-12);
    }
  }
  EXPECT_DOUBLE_EQ((ColourRange{{1e-4, 1}, FieldScale::Log, false}).position(1e-2), 0.5);
  EXPECT_DOUBLE_EQ((ColourRange{{0, 4}, FieldScale::Gamma, false}).position(1), 0.5);
  EXPECT_DOUBLE_EQ((ColourRange{{-4, 4}, FieldScale::Gamma, true}).position(0), 0.5);
}

TEST(ColourRange, ComesFromTheChannelUnlessChosen) {
  Channel channel;
  channel.low = -1;
  channel.high = 3;
  ValueScale view;
  EXPECT_EQ(colourRange(view, channel, std::nullopt).limits, (Limits{-1, 3}));
  EXPECT_EQ(colourRange(view, channel, Limits{0, 9}).limits, (Limits{0, 9}));
  view.symmetric = true;
  EXPECT_EQ(colourRange(view, channel, std::nullopt).limits, (Limits{-3, 3}));
  view.scale = FieldScale::Log;
  view.symmetric = false;
  const Limits log = colourRange(view, channel, std::nullopt).limits;
  EXPECT_NEAR(log.low, 3e-6, 1e-15);
  channel.low = channel.high = 0;
  view.scale = FieldScale::Linear;
  EXPECT_LT(colourRange(view, channel, std::nullopt).limits.low, 0);
  channel.high = std::nan("");
  EXPECT_EQ(colourRange(view, channel, std::nullopt).limits, (Limits{0, 1}));
}

TEST(ColourRange, EntriesAreClampedToTheTable) {
  EXPECT_EQ(colourEntry(0.5, 200), 100u);
  EXPECT_EQ(colourEntry(-3, 200), 0u);
  EXPECT_EQ(colourEntry(1, 200), 199u);
  EXPECT_EQ(colourEntry(1e300, 200), 199u);
  EXPECT_EQ(colourEntry(std::nan(""), 200), 0u);
}

TEST(RangeTicks, OfALogarithmicRangeArePowersOfTen) {
  const AxisTicks near = rangeTicks({{0.002, 20}, FieldScale::Log, false}, 10);
  EXPECT_THAT(near.labels, ElementsAre("0.01", "0.1", "1", "10"));
  EXPECT_THAT(near.major, ElementsAre(0.01, 0.1, 1, 10));
  EXPECT_THAT(near.minor, Contains(0.5));
  EXPECT_GE(*std::min_element(near.minor.begin(), near.minor.end()), 0.002 - 1e-12);
  const AxisTicks far = rangeTicks({{1e-9, 1}, FieldScale::Log, false}, 6);
  EXPECT_LE(far.major.size(), 6u);
  EXPECT_THAT(far.labels, Contains("10⁻⁹"));
  EXPECT_THAT(rangeTicks({{2, 5}, FieldScale::Log, false}, 6).labels, Contains("3"));  // not even one decade
}

}  // namespace
}  // namespace simscope::render
