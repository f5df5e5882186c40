#include "app/gui/panels/figure/pixel_places.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "app/gui/widgets/theme.h"
#include "app/render/figure/theme.h"

namespace simscope::gui {
namespace {

PanelArea plane(double left, double top, double width, double height) {
  return {"plane", {left, top, width, height, {-2, 2}, {0, 10}}, {}};
}

PanelArea space() {
  PanelArea panel = plane(400, 20, 300, 200);
  panel.projection.emplace(Camera{.azimuth = 20, .elevation = 40, .zoom = 2, .x = 1, .y = 2, .z = 3}, 5, 400, 20, 300,
                           200);
  return panel;
}

TEST(PanelAt, FindsThePlotUnderThePixel) {
  const std::vector<PanelArea> panels = {plane(50, 20, 300, 200), space(), plane(400, 260, 300, 100)};
  EXPECT_EQ(panelAt(panels, {60, 30}), 0);
  EXPECT_EQ(panelAt(panels, {500, 100}), 1);
  EXPECT_EQ(panelAt(panels, {699, 300}), 2);
  EXPECT_EQ(panelAt(panels, {375, 100}), -1) << "between two";
  EXPECT_EQ(panelAt(panels, {500, 240}), -1) << "where a caption is";
  EXPECT_EQ(panelAt(panels, {49, 100}), -1);
  EXPECT_EQ(panelAt({}, {60, 30}), -1);
}

TEST(PanelAt, FindsNothingInAPlotWithoutRoom) {
  const std::vector<PanelArea> panels = {plane(50, 20, 0, 200), plane(50, 20, 100, std::nan(""))};
  EXPECT_EQ(panelAt(panels, {50, 100}), -1);
}

TEST(ASpot, OnAxesIsTheirValue) {
  const PanelArea panel = plane(50, 20, 400, 100);
  const Spot spot = spotAt(panel, {150, 45});
  EXPECT_DOUBLE_EQ(spot.x, -1);
  EXPECT_DOUBLE_EQ(spot.y, 7.5);
  EXPECT_EQ(spot.z, 0);
  const auto pixel = pixelOf(panel, Domain::Plane, spot);
  ASSERT_TRUE(pixel);
  EXPECT_DOUBLE_EQ(pixel->x, 150);
  EXPECT_DOUBLE_EQ(pixel->y, 45);
  EXPECT_DOUBLE_EQ(unitsPerPixel(panel), 0.01);
}

TEST(ASpot, InSpaceLiesInTheTargetsPlane) {
  const PanelArea panel = space();
  const Spot spot = spotAt(panel, {480, 70});
  const auto& toward = panel.projection->axes()[2];
  EXPECT_NEAR((spot.x - 1) * toward[0] + (spot.y - 2) * toward[1] + (spot.z - 3) * toward[2], 0, 1e-9);
  const auto pixel = pixelOf(panel, Domain::Space, spot);
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(pixel->x, 480, 1e-6);
  EXPECT_NEAR(pixel->y, 70, 1e-6);
  EXPECT_NEAR(distance(spotAt(panel, {550, 120}), spotAt(panel, {551, 120})), unitsPerPixel(panel), 1e-6);
}

TEST(ASpot, BehindTheEyeHasNoPixel) {
  const PanelArea panel = space();
  const auto& toward = panel.projection->axes()[2];
  const double far = 3 * panel.projection->distance();
  EXPECT_FALSE(pixelOf(panel, Domain::Space, {1 + far * toward[0], 2 + far * toward[1], 3 + far * toward[2]}));
}

TEST(Palettes, TextsStandOutFromWhateverTheyAreOn) {
  const auto colour = [](const ImVec4& c) {
    const auto byte = [](float v) { return static_cast<render::Colour>(std::lround(255 * v)); };
    return byte(c.x) << 16 | byte(c.y) << 8 | byte(c.z);
  };
  for (const render::Theme theme : {render::Theme::Dark, render::Theme::Light}) {
    const UiColours& p = uiColoursOf(theme);
    for (const ImVec4& text : {p.text, p.dim, p.accent, p.note, p.warning, p.error, p.good, p.exact}) {
      for (const ImVec4& back : {p.background, p.panel, p.raised}) {
        EXPECT_GE(render::contrast(colour(text), colour(back)), 4.5) << std::hex << colour(text);
      }
    }
    EXPECT_GE(render::contrast(colour(p.on_accent), colour(p.accent)), 4.5);
  }
}

}  // namespace
}  // namespace simscope::gui
