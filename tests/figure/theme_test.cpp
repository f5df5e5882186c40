#include "app/render/figure/theme.h"
#include "app/render/figure/exact_colours.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "tests/figure/lightness.h"

namespace simscope::render {
namespace {

class ThemeTest : public testing::TestWithParam<Theme> {};

TEST_P(ThemeTest, PhaseWheelHasEqualLightnessAllRound) {
  const ThemeColours& c = themeColours(GetParam());
  for (const Colour colour : c.phase) EXPECT_NEAR(lightness(colour), lightness(c.phase[0]), 0.006);
}

TEST_P(ThemeTest, PhaseWheelClosesWithoutAJump) {
  const ThemeColours& c = themeColours(GetParam());
  for (std::size_t k = 0; k < kPhaseColours; ++k) {
    const Colour a = c.phase[k], b = c.phase[(k + 1) % kPhaseColours];
    EXPECT_NE(a, b);
    for (int shift = 0; shift <= 16; shift += 8) {
      EXPECT_LE(std::abs(static_cast<int>((a >> shift) & 0xff) - static_cast<int>((b >> shift) & 0xff)), 32) << k;
    }
  }
}

TEST_P(ThemeTest, TextStandsOutFromItsBackground) {
  const ThemeColours& c = themeColours(GetParam());
  // By WCAG 2: 4.5 for ordinary text, 3 for graphics.
  for (const Colour back : {c.background, c.plot, c.box}) {
    EXPECT_GE(contrast(c.text, back), 7);
    EXPECT_GE(contrast(c.text_dim, back), 4.5);
  }
  EXPECT_GE(contrast(c.area_outline, c.background), 4.5);  // the axis at the right
  for (const Colour around : {c.cube_label, c.cube_title}) EXPECT_GE(contrast(around, c.space), 4.5);
  EXPECT_GE(contrast(c.reticle, c.space), 4.5);
  for (const Colour line : c.lines) EXPECT_GE(contrast(line, c.plot), 3);
}

TEST_P(ThemeTest, NamesAtTheMarkerCanBeReadInWhateverColour) {
  const ThemeColours& c = themeColours(GetParam());
  std::vector<Colour> names = {c.outline, c.ghost, c.area_outline, c.box, c.background};
  names.insert(names.end(), c.lines.begin(), c.lines.end());
  names.insert(names.end(), c.phase.begin(), c.phase.end());
  for (const Colour name : names) {
    EXPECT_GE(contrast(legible(name, c), c.box), 4.5);
    EXPECT_EQ(legible(name, c) == name, contrast(name, c.box) >= 4.5);
  }
}

TEST_P(ThemeTest, PaletteHoldsEveryColourOnceAndLeavesRoom) {
  const auto exact = exactColours(GetParam());
  const ThemeColours& c = themeColours(GetParam());
  EXPECT_EQ(std::set<std::uint32_t>(exact.begin(), exact.end()).size(), exact.size());
  EXPECT_LE(exact.size(), 192u);
  for (const Colour colour : {c.background, c.plot, c.grid_major, c.grid_minor, c.axis, c.text, c.outline, c.area}) {
    EXPECT_THAT(exact, testing::Contains(colour));
  }
  for (const Colour colour : c.phase) EXPECT_THAT(exact, testing::Contains(colour));
}

TEST(Themes, SlidesAreHeavyAndLargeAndPrintIsFineAndGrey) {
  const ThemeColours &light = themeColours(Theme::Light), &slides = themeColours(Theme::Slides);
  EXPECT_GT(slides.size, light.size);
  EXPECT_GT(slides.line_width, light.line_width);
  const ThemeColours& print = themeColours(Theme::Print);
  EXPECT_LT(print.line_width, light.line_width);
  EXPECT_EQ(print.text, 0x000000u);
  for (const Colour ground : {print.background, print.plot, print.box}) EXPECT_EQ(ground, 0xffffffu);
  for (const Colour c : {print.grid_major, print.grid_minor, print.axis, print.text_dim, print.ghost, print.area}) {
    EXPECT_EQ(c, (c & 0xff) * 0x010101u);  // no tints
  }
}

TEST(Contrast, IsThatOfWcag) {
  EXPECT_NEAR(contrast(0x000000, 0xffffff), 21, 1e-9);
  EXPECT_NEAR(contrast(0xffffff, 0x767676), 4.54, 0.01);
  EXPECT_EQ(contrast(0x123456, 0x123456), 1);
}

INSTANTIATE_TEST_SUITE_P(Themes, ThemeTest, testing::Values(Theme::Dark, Theme::Light, Theme::Slides, Theme::Print));

TEST(PhaseEntry, RoundsToTheNearestAndRepeatsEveryTurn) {
  constexpr double pi = std::numbers::pi;
  EXPECT_EQ(phaseEntry(0), 0u);
  EXPECT_EQ(phaseEntry(pi), kPhaseColours / 2);
  EXPECT_EQ(phaseEntry(-pi / 2), 3 * kPhaseColours / 4);
  EXPECT_EQ(phaseEntry(2 * pi - 1e-9), 0u);
  EXPECT_EQ(phaseEntry(-1e-12), 0u);
  EXPECT_EQ(phaseEntry(7 * pi), phaseEntry(pi));
}

}  // namespace
}  // namespace simscope::render
