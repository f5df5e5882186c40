#include "app/session/shown.h"

#include <gtest/gtest.h>

#include "tests/window/sample_simulation.h"

namespace simscope::gui {
namespace {

const ToolInfo& tool(const char* key) {
  for (const ToolInfo& each : sampleSimulation().tools) {
    if (each.key == key) return each;
  }
  throw Error(key);
}

Shown shown(const char* key) {
  return shownOf(sampleSimulation(), key);
}

TEST(TheShownView, IsTheOneThatOpensWithoutAKey) {
  EXPECT_EQ(shown("").key(), sampleSimulation().openingView());
  EXPECT_TRUE(shown("").linked);
  EXPECT_FALSE(shown("nowhere"));
  EXPECT_FALSE(shownOf(Description{}, ""));
}

TEST(TheShownView, OfALinkedOneIsMainlyItsFirstPanel) {
  EXPECT_EQ(mainOf(sampleSimulation(), "both").key(), "map");
  EXPECT_EQ(mainOf(sampleSimulation(), "cut").key(), "cut");
  EXPECT_EQ(panelsOf(sampleSimulation(), shown("both")).size(), 3u);
}

TEST(TheViewsOffered, AreAllOfThem) {
  std::vector<std::string> keys;
  for (const Shown& each : viewsOf(sampleSimulation())) keys.push_back(each.key());
  EXPECT_EQ(keys, sampleSimulation().viewKeys());
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
  d.points = {{.key = "bodies"}};
  d.views = {{.key = "profile", .x = {"r", "length"}}};
  EXPECT_TRUE(actsOn(d, {}, shownOf(d, "bodies")));
  EXPECT_FALSE(actsOn(d, {}, shownOf(d, "profile")));
}

}  // namespace
}  // namespace simscope::gui
