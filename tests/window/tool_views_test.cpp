#include "app/session/tool_views.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sims/core/registry.h"
#include "tests/window/sample_simulation.h"

namespace simscope::gui {
namespace {

const ToolInfo& tool(const char* key) {
  for (const ToolInfo& each : sampleSimulation().tools) {
    if (each.key == key) return each;
  }
  throw Error(key);
}

const View& shown(const char* key) {
  return sampleSimulation().view(key);
}

TEST(TheMainView, IsTheFirstPanelOfALinkedOne) {
  EXPECT_EQ(mainView(sampleSimulation(), "both")->key, "map");
  EXPECT_EQ(mainView(sampleSimulation(), "")->key, "map") << "the linked one opens";
  EXPECT_EQ(mainView(sampleSimulation(), "cut")->key, "cut");
  EXPECT_EQ(mainView(sampleSimulation(), "nowhere"), nullptr);
}

TEST(ATool, ActsOnViewsOverTheSimulationsOwnAxes) {
  const Description& d = sampleSimulation();
  EXPECT_TRUE(actsOn(d, tool("brush"), shown("map")));
  EXPECT_TRUE(actsOn(d, tool("brush"), shown("cut")));
  EXPECT_TRUE(actsOn(d, tool("brush"), shown("bodies")));
  EXPECT_FALSE(actsOn(d, tool("brush"), shown("other"))) << "axes of its own";
  EXPECT_FALSE(actsOn(d, tool("brush"), shown("both"))) << "its panels do";
  EXPECT_TRUE(actsWithin(d, tool("brush"), "both"));
}

TEST(ATool, OfOneViewActsThereOnly) {
  const Description& d = sampleSimulation();
  EXPECT_TRUE(actsOn(d, tool("probe"), shown("other")));
  EXPECT_FALSE(actsOn(d, tool("probe"), shown("map")));
  EXPECT_TRUE(actsWithin(d, tool("probe"), "both")) << "as a panel";
  EXPECT_FALSE(actsWithin(d, tool("probe"), "bodies"));
}

TEST(ATool, OfBodiesDoesNotActOnTheirCurves) {
  Description d;
  d.views = {{"bodies", "Bodies", PointView{}}, {"profile", "Profile", CurveView{.x = {"r", "length"}}}};
  EXPECT_TRUE(actsOn(d, {}, d.view("bodies")));
  EXPECT_FALSE(actsOn(d, {}, d.view("profile")));
}

TEST(ATool, DrawsShapesInThePlaneOnly) {
  const Description& d = sampleSimulation();
  EXPECT_TRUE(drawsShapesWithin(d, tool("brush"), "map"));
  EXPECT_FALSE(drawsShapesWithin(d, tool("brush"), "cut")) << "a line";
  EXPECT_FALSE(drawsShapesWithin(d, tool("brush"), "bodies")) << "space";
  EXPECT_FALSE(drawsShapesWithin(d, tool("probe"), "other")) << "it paints nothing";
}

// The window takes it in the hand when the preset opens.
TEST(APreset, ThatNamesAToolShowsAViewThatItActsOn) {
  int named = 0;
  for (const Description* description : simulations()) {
    for (const Preset& preset : description->presets) {
      if (preset.tool.empty()) continue;
      ++named;
      const auto found = std::find_if(description->tools.begin(), description->tools.end(),
                                      [&](const ToolInfo& each) { return each.key == preset.tool; });
      ASSERT_NE(found, description->tools.end()) << description->id << " " << preset.key;
      EXPECT_TRUE(found->relevant.holds(description->preset(preset.key))) << preset.key;
      const std::string view = description->view(preset.view).key;
      EXPECT_TRUE(actsWithin(*description, *found, view)) << description->id << " " << preset.key;
    }
  }
  EXPECT_GE(named, 3);
}

}  // namespace
}  // namespace simscope::gui
