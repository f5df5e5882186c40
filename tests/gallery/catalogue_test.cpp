#include "app/gui/gallery/catalogue.h"

#include <gtest/gtest.h>

#include "sims/core/registry.h"
#include "tests/gallery/gallery_testing.h"

namespace simscope::gallery {
namespace {

TEST(Catalogue, HasEverySimulationOnceAndEveryPresetOfEach) {
  const std::vector<Section> sections = sectionsOf(simulations());
  ASSERT_EQ(sections.size(), simulations().size() + 1);
  ASSERT_EQ(sections[0].items.size(), simulations().size());
  for (std::size_t i = 0; i < simulations().size(); ++i) {
    const Description& description = *simulations()[i];
    EXPECT_EQ(sections[0].items[i].subject.description, &description);
    EXPECT_EQ(sections[0].items[i].subject.preset, description.presets.front().key);
    const Section& own = sections[i + 1];
    ASSERT_EQ(own.items.size(), description.presets.size());
    for (std::size_t preset = 0; preset < own.items.size(); ++preset) {
      EXPECT_EQ(own.items[preset].subject.preset, description.presets[preset].key);
      EXPECT_EQ(own.items[preset].title, description.presets[preset].title);
    }
  }
}

TEST(Catalogue, RecentScenesComeFirstTheLastSessionByItsName) {
  const Description description = named("a", "A", {{.key = "one", .title = "One"}});
  const Description* const all[] = {&description};
  const std::vector<Section> sections = sectionsOf(all, {{"/state/last.json", true}, {"/home/x/my\nscene.json"}});
  ASSERT_EQ(sections.size(), 3u);
  ASSERT_EQ(sections[0].items.size(), 2u);
  EXPECT_EQ(sections[0].items[0].title, "Last session");
  EXPECT_EQ(sections[0].items[1].title, "my\\nscene.json");
  EXPECT_TRUE(sections[0].items[1].subject.isFile());
}

TEST(Catalogue, ASimulationWithoutPresetsHasACardAndNoSection) {
  const Description description = named("a", "A", {});
  const Description* const all[] = {&description};
  const std::vector<Section> sections = sectionsOf(all);
  ASSERT_EQ(sections.size(), 1u);
  EXPECT_EQ(sections[0].items[0].subject.preset, "");
}

TEST(Catalogue, TheShowTakesTurnsAndLeavesOutWhatIsFlawed) {
  const Description a = named("a", "A", {{.key = "1"}, {.key = "bad", .flaw = "it is wrong"}, {.key = "2"}});
  const Description b = named("b", "B", {{.key = "3"}});
  const Description* const all[] = {&a, &b};
  std::vector<std::string> keys;
  for (const Subject& each : showOrder(all)) keys.push_back(each.key());
  EXPECT_EQ(keys, (std::vector<std::string>{"a/1", "b/3", "a/2"}));
}

}  // namespace
}  // namespace simscope::gallery
