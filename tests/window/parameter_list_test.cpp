#include "app/session/readings/parameter_list.h"

#include <gtest/gtest.h>

#include "tests/window/sample_simulation.h"

namespace simscope::gui {
namespace {

class AParameterList : public ::testing::Test {
 protected:
  ParameterSet set = sampleSimulation().defaults();
  bool found(const char* key, const char* words) const { return isFound(set, set.find(key), words); }
};

TEST_F(AParameterList, IsSearchedByTitleKeyHelpGroupAndChoices) {
  EXPECT_TRUE(found("ring", "bodies"));
  EXPECT_TRUE(found("ring", "RING"));
  EXPECT_TRUE(found("formula", "of x and"));
  EXPECT_TRUE(found("middle_x", "window"));
  EXPECT_TRUE(found("source", "image")) << "one of its choices";
  EXPECT_TRUE(found("middle_x", "middle x")) << "a blank for the key's underscore";
  EXPECT_TRUE(found("middle_x", "x mid")) << "words in any order";
  EXPECT_FALSE(found("middle_x", "middle ring"));
  EXPECT_FALSE(found("speed", "speedy"));
  EXPECT_TRUE(found("speed", "  ")) << "no word at all";
}

TEST_F(AParameterList, TellsWhatDiffersFromAPreset) {
  const ParameterSet reference = valuesOf(sampleSimulation(), "");
  EXPECT_TRUE(differing(set, reference, {}).empty());
  set.setText("speed", "3");
  set.setText("source", "image");
  EXPECT_EQ(differing(set, reference, {}), (std::vector<std::size_t>{set.find("speed"), set.find("source")}));
  Timeline timeline;
  timeline.tracks.push_back({"speed", {{0, 1}, {1, 2}}});
  EXPECT_EQ(differing(set, reference, timeline), (std::vector<std::size_t>{set.find("source")}));
  EXPECT_EQ(valuesOf(sampleSimulation(), "broken").text("source"), "image");
}

TEST_F(AParameterList, HasItsGroupsInTheOrderOfTheirFirstParameters) {
  EXPECT_EQ(groupsOf(set.infos()), (std::vector<std::string>{"Bodies", "Map", "Window"}));
}

}  // namespace
}  // namespace simscope::gui
