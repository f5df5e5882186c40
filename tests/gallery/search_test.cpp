#include "app/gui/gallery/search.h"

#include <gtest/gtest.h>

#include "sims/core/registry.h"
#include "tests/gallery/gallery_testing.h"

namespace simscope::gallery {
namespace {

std::vector<std::string> keysOf(const std::vector<Item>& items) {
  std::vector<std::string> keys;
  for (const Item& each : items) keys.push_back(each.subject.key());
  return keys;
}

class Searching : public ::testing::Test {
 protected:
  const Description heat_ = named("heat", "Heat equation",
                                  {{.key = "maze", .title = "Through a maze", .summary = "Walls that conduct"},
                                   {.key = "rooms", .title = "Rooms", .summary = "A house in winter"}},
                                  {ParameterInfo{.key = "diffusivity", .title = "Diffusivity α", .help = "How fast"}});
  const Description waves_ = named("schrodinger2d", "Schrödinger's packet",
                                   {{.key = "double_slit", .title = "Double slit", .summary = "A maze of waves"}});
  const Description* const all_[2] = {&heat_, &waves_};
  const Search search_{sectionsOf(all_)};
};

TEST_F(Searching, FindsByTitleWhateverTheCase) {
  EXPECT_EQ(keysOf(search_.find("ROOMS")), (std::vector<std::string>{"heat/rooms"}));
}

TEST_F(Searching, ATitleCountsMoreThanWhatIsSaidOfIt) {
  const std::vector<std::string> keys = keysOf(search_.find("maze"));
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_EQ(keys[0], "heat/maze");
  EXPECT_EQ(keys[1], "schrodinger2d/double_slit");
}

TEST_F(Searching, EveryWordMustBeFound) {
  EXPECT_EQ(keysOf(search_.find("heat winter")), (std::vector<std::string>{"heat/rooms"}));
  EXPECT_TRUE(search_.find("heat slit").empty());
}

TEST_F(Searching, AccentsAndGreekLettersCanBeTypedOnAnyKeyboard) {
  EXPECT_EQ(keysOf(search_.find("schrodinger")), (std::vector<std::string>{"schrodinger2d/double_slit"}));
  EXPECT_EQ(search_.find("alpha").size(), 2u);
  EXPECT_EQ(search_.find("α").size(), 2u);
  EXPECT_EQ(folded("Schrödinger’s ΨΔ"), "schrodinger's psidelta");
}

TEST_F(Searching, FindsByKeysAndByParameters) {
  EXPECT_EQ(keysOf(search_.find("double_slit")), (std::vector<std::string>{"schrodinger2d/double_slit"}));
  EXPECT_EQ(search_.find("diffusivity").size(), 2u);
}

TEST_F(Searching, OfNothingNothingIsFound) {
  EXPECT_TRUE(search_.find("").empty());
  EXPECT_TRUE(search_.find("  ").empty());
  EXPECT_EQ(search_.nearest("maze"), "");
}

TEST_F(Searching, AMisspeltWordHasAnOfferThatFindsSomething) {
  EXPECT_TRUE(search_.find("doubel").empty());
  const std::string offer = search_.nearest("doubel");
  EXPECT_EQ(offer, "double");
  EXPECT_FALSE(search_.find(offer).empty());
  EXPECT_EQ(search_.nearest("doubel slit"), "double slit");
  EXPECT_EQ(search_.nearest("heat slit"), "") << "both are known, and nothing has both";
  EXPECT_EQ(search_.nearest("qqqqqqqq"), "");
}

TEST(Search, FindsEveryPresetOfTheProgramByItsTitleAndEachOnce) {
  const std::vector<Section> sections = sectionsOf(simulations());
  const Search search(sections);
  for (const Description* description : simulations()) {
    for (const Preset& preset : description->presets) {
      const Subject subject{description, preset.key, {}};
      const std::vector<Item> found = search.find(preset.title);
      const auto times = std::count_if(found.begin(), found.end(), [&](const Item& i) { return i.subject == subject; });
      EXPECT_EQ(times, 1) << subject.key() << ": " << preset.title;
    }
    EXPECT_GE(search.find(description->id).size(), description->presets.size()) << description->id;
  }
}

}  // namespace
}  // namespace simscope::gallery
