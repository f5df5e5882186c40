#include "app/gui/commands/palette_items.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "app/gui/commands/fuzzy_match.h"
#include "app/gui/panels/parameters/parameter_scale.h"
#include "sims/core/registry.h"
#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

using ::testing::ElementsAre;

int scoreOf(std::string_view query, std::string_view title) {
  const auto match = fuzzyMatch(query, title);
  return match ? match->score : -1000;
}

TEST(AFuzzyMatch, FindsLettersThatAreInOrder) {
  EXPECT_TRUE(fuzzyMatch("brhe", "Barrier height"));
  EXPECT_TRUE(fuzzyMatch("BARRIER", "Barrier height"));
  EXPECT_FALSE(fuzzyMatch("ehrb", "Barrier height"));
  EXPECT_FALSE(fuzzyMatch("barrierx", "Barrier height"));
  EXPECT_TRUE(fuzzyMatch("height barrier", "Barrier height")) << "words in another order";
}

TEST(AFuzzyMatch, OfNothingFitsEverythingAlike) {
  EXPECT_EQ(scoreOf("", "Barrier height"), scoreOf("  ", "Play"));
  EXPECT_TRUE(fuzzyMatch("", ""));
  EXPECT_FALSE(fuzzyMatch("a", ""));
}

TEST(AFuzzyMatch, PrefersBeginningsOfWordsAndLettersThatLieTogether) {
  EXPECT_GT(scoreOf("rec", "Record an animation"), scoreOf("rec", "Turn the recorder"));
  EXPECT_GT(scoreOf("fit", "Fit the view"), scoreOf("fit", "Profit"));
  EXPECT_GT(scoreOf("bh", "Barrier height"), scoreOf("bh", "Absorb heat"));
  EXPECT_GT(scoreOf("heat", "Heat"), scoreOf("heat", "Heat equation")) << "the shorter of two";
}

TEST(AFuzzyMatch, TakesLettersOfAnyKeyboard) {
  EXPECT_TRUE(fuzzyMatch("psi", "Re ψ"));
  EXPECT_TRUE(fuzzyMatch("v0", "Barrier height V₀"));
  EXPECT_TRUE(fuzzyMatch("pi from", "π from darts"));
  EXPECT_TRUE(fuzzyMatch("ψ", "Re ψ"));
  EXPECT_TRUE(fuzzyMatch("schrodinger", "Schrödinger"));
}

// The palette draws them in the accent's colour.
TEST(AFuzzyMatch, TellsWhereTheCharactersAre) {
  EXPECT_THAT(fuzzyMatch("bh", "Barrier height")->letters, ElementsAre(0, 8));
  EXPECT_THAT(fuzzyMatch("psi", "Re ψ")->letters, ElementsAre(3)) << "one character";
}

TEST(AFuzzyMatch, DoesNotStrewLettersOverATitle) {
  EXPECT_FALSE(fuzzyMatch("ettr", "Reaction rate of the long and narrow channel"));
  EXPECT_FALSE(fuzzyMatch("eior", "Save the scene as another file or picture"));
}

class APalette : public ASession {
 protected:
  bool can_record = true;
  std::vector<Command> commands;
  void SetUp() override {
    ASession::SetUp();
    commands.push_back({.id = "play", .group = "Run", .title = "Play or pause", .keys = {"Space"}});
    commands.push_back({.id = "record", .group = "Run", .title = "Record", .available = [this] { return can_record; }});
  }
  std::vector<PaletteItem> items() { return paletteItems(commands, session); }
  // Of the best hit.
  PaletteItem best(const std::string& query, std::string* value = nullptr) {
    const std::vector<PaletteItem> all = items();
    const std::vector<PaletteHit> hits = searchPalette(all, query);
    if (hits.empty()) return {};
    if (value) *value = hits.front().value;
    return all[hits.front().item];
  }
};

TEST_F(APalette, FindsEveryCommandParameterPresetViewAndSimulationByItsTitle) {
  const std::vector<PaletteItem> all = items();
  std::set<std::string> seen;
  for (const PaletteItem& item : all) {
    const std::vector<PaletteHit> hits = searchPalette(all, item.title);
    ASSERT_FALSE(hits.empty()) << item.title;
    const bool found = std::any_of(hits.begin(), hits.end(), [&](const PaletteHit& hit) {
      return all[hit.item].kind == item.kind && all[hit.item].key == item.key &&
             all[hit.item].simulation == item.simulation;
    });
    EXPECT_TRUE(found) << item.title;
    EXPECT_EQ(all[hits.front().item].title, item.title) << "its own title comes first";
    seen.insert(nameOf(item.kind));
  }
  const Description& description = *session.scene.description;
  EXPECT_EQ(seen.count("Parameter"), 1u);
  EXPECT_EQ(seen.count("Preset"), 1u);
  EXPECT_EQ(seen.count("View"), description.views.size() > 1 ? 1u : 0u);
  EXPECT_EQ(seen.count("Simulation"), simulations().empty() ? 0u : 1u);
  std::size_t presets = description.presets.size();
  for (const Description* each : simulations()) presets += each->presets.size();
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const auto& i) { return i.kind == PaletteKind::Preset; }),
            static_cast<std::ptrdiff_t>(presets));
}

TEST_F(APalette, ShowsTheKeysAndLeavesOutWhatCannotBeDone) {
  EXPECT_EQ(best("play").keys, "Space");
  EXPECT_EQ(best("record").key, "record");
  can_record = false;
  EXPECT_NE(best("record").key, "record");
}

TEST_F(APalette, FindsAParameterByItsKeyToo) {
  for (const ParameterInfo& info : session.scene.parameters.infos()) {
    const std::vector<PaletteItem> all = items();
    const std::vector<PaletteHit> hits = searchPalette(all, info.key);
    EXPECT_TRUE(std::any_of(hits.begin(), hits.end(), [&](const PaletteHit& h) { return all[h.item].key == info.key; }))
        << info.key;
  }
}

TEST_F(APalette, SetsAParameterByNameAndValue) {
  std::size_t index = 0;
  while (session.scene.parameters.infos()[index].kind != Kind::Real) ++index;
  const ParameterInfo info = session.scene.parameters.infos()[index];
  const double half = (info.minimum + numberOf(info.initial)) / 2;
  const std::string text = toText(Value(half));
  for (const std::string& query : {info.title + " " + text, info.key + "=" + text, info.key + " = " + text}) {
    session.setParameter(index, info.initial);
    std::string value;
    const PaletteItem item = best(query, &value);
    ASSERT_EQ(item.key, info.key) << query;
    ASSERT_EQ(value, text) << query;
    PaletteHit hit;
    hit.value = value;
    applyHit(item, hit, session);
    EXPECT_EQ(numberOf(session.scene.parameters[index]), half) << query;
  }
  PaletteHit wrong;
  wrong.value = "nonsense";
  EXPECT_THROW(applyHit({PaletteKind::Parameter, info.key}, wrong, session), UsageError);
  EXPECT_EQ(numberOf(session.scene.parameters[index]), half) << "nothing has changed";
}

TEST_F(APalette, SetsAChoiceByTheFirstLettersOfItsTitle) {
  for (std::size_t i = 0; i < session.scene.parameters.size(); ++i) {
    const ParameterInfo info = session.scene.parameters.infos()[i];
    for (const Choice& choice : info.choices) {
      PaletteHit hit;
      hit.value = choice.title;
      applyHit({PaletteKind::Parameter, info.key}, hit, session);
      EXPECT_EQ(toText(session.scene.parameters.get(info.key)), choice.key);
    }
  }
}

TEST_F(APalette, ChoosesPresetsAndViews) {
  const Description& description = *session.scene.description;
  applyHit({PaletteKind::Preset, description.presets.back().key, description.id}, {}, session);
  EXPECT_EQ(session.scene.preset, description.presets.back().key);
  for (const View& view : description.views) {
    session.scene.figure.x = render::Limits{0, 1};
    const bool another = description.view(session.scene.figure.view).key != view.key;
    applyHit({PaletteKind::View, view.key}, {}, session);
    EXPECT_EQ(description.view(session.scene.figure.view).key, view.key);
    EXPECT_EQ(session.scene.figure.x.has_value(), !another) << "limits of another view do not fit";
  }
  EXPECT_THROW(applyHit({PaletteKind::View, "nonsense"}, {}, session), UsageError);
}

}  // namespace
}  // namespace simscope::gui
