#include "app/session/changes/pending_changes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "app/session/dropped_file.h"
#include "sims/core/describe.h"
#include "tests/window/sample_simulation.h"

namespace simscope::gui {
namespace {

using Refused = PendingChanges::Refused;
using Accepted = PendingChanges::Accepted;

class APendingChange : public ::testing::Test {
 protected:
  const ParameterSet set = sampleSimulation().defaults();
  const std::size_t speed = set.find("speed"), formula = set.find("formula"), source = set.find("source"),
                    image = set.find("image_file");
  PendingChanges pending;

  std::optional<Refused> refuse(CommandId id, const char* key = "", CommandId first = 0) {
    return pending.refuse({id, first ? first : id, "words that name speed and formula", key}, set);
  }
};

TEST_F(APendingChange, IsAcceptedWithItsCommand) {
  pending.add(3, {speed});
  pending.add(5, {formula});
  EXPECT_TRUE(pending.accept(2).empty());
  EXPECT_EQ(pending.accept(4), (std::vector<Accepted>{{speed, 3}}));
  EXPECT_FALSE(pending.empty());
  EXPECT_EQ(pending.accept(5), (std::vector<Accepted>{{formula, 5}}));
  EXPECT_TRUE(pending.empty());
}

TEST_F(APendingChange, ThatIsRefusedGoesBackAloneAndTheOthersAreAskedForAgain) {
  pending.add(1, {formula});
  pending.add(2, {speed});
  EXPECT_EQ(refuse(1, "formula"), (Refused{formula, {formula}}));
  pending.askedAgain(7);
  // The second one asked for the refused formula, too.
  EXPECT_TRUE(pending.carries({2, 2, "", "formula"}));
  EXPECT_EQ(refuse(2, "formula"), std::nullopt);
  EXPECT_TRUE(pending.accept(6).empty());
  EXPECT_EQ(pending.accept(7), (std::vector<Accepted>{{speed, 2}}));
}

TEST_F(APendingChange, OfTheRefusedParameterIsMeantHoweverManyCameWithOneCommand) {
  pending.add(1, {formula});
  pending.add(1, {speed});
  EXPECT_EQ(refuse(1, "formula"), (Refused{formula, {formula}}));
  EXPECT_EQ(refuse(1, "formula"), (Refused{speed, {speed}})) << "else the newest";
  EXPECT_EQ(refuse(1, "formula"), std::nullopt);
}

TEST_F(APendingChange, OfAnotherCommandIsNotMeant) {
  pending.add(1, {formula});
  pending.add(2, {speed});
  EXPECT_EQ(refuse(1), (Refused{formula, {formula}}));
  pending.add(3, {formula});
  EXPECT_EQ(refuse(3, "speed", 2), (Refused{speed, {speed}})) << "unless they were refused together";
}

TEST_F(APendingChange, OfTwoParametersGoesBackWholeButWhatWasChangedSince) {
  pending.add(1, {image, source});
  EXPECT_EQ(refuse(1, "source"), (Refused{source, {image, source}}));
  pending.add(2, {image, source});
  pending.add(3, {source});
  EXPECT_EQ(refuse(2, "image_file"), (Refused{image, {image}}));
}

TEST_F(APendingChange, AskedTwiceIsOneWithWhatCameWithIt) {
  pending.add(1, {image, source});
  pending.add(2, {image});
  EXPECT_EQ(refuse(1, "image_file"), std::nullopt) << "the user has named another file since";
  EXPECT_EQ(refuse(2, "image_file"), (Refused{image, {image, source}}));
  EXPECT_TRUE(pending.empty());
}

TEST_F(APendingChange, ThatIsForgottenHasAnAnswerThatCountsNoMore) {
  pending.add(1, {speed});
  pending.clear();
  EXPECT_TRUE(pending.empty());
  EXPECT_TRUE(pending.carries({1, 1, "", ""}));
  EXPECT_EQ(refuse(1), std::nullopt);
  EXPECT_FALSE(pending.carries({2, 2, "", ""})) << "another command's answer";
}

TEST(ADroppedFile, IsAPictureByItsName) {
  for (const char* name : {"a.png", "a.JPG", "b/c.pgm", "d.pbm", "x.jpeg"}) EXPECT_TRUE(isPicture(name)) << name;
  for (const char* name : {"a.json", "png", "a.png.txt", ""}) EXPECT_FALSE(isPicture(name)) << name;
}

TEST(ADroppedFile, CarriesASceneOnlyIfSimscopeWroteIt) {
  const auto file = std::filesystem::temp_directory_path() / "simscope-dropped-file-test.png";
  std::ofstream(file) << "no picture at all";
  EXPECT_FALSE(carriesScene(file));
  std::filesystem::remove(file);
  EXPECT_FALSE(carriesScene(file));
}

TEST(ADroppedFile, GoesToTheFirstParameterThatTakesAnImage) {
  const ParameterSet set = sampleSimulation().defaults();
  const std::optional<Taker> taker = imageTaker(set);
  ASSERT_TRUE(taker);
  EXPECT_EQ(taker->text, set.find("image_file"));
  EXPECT_EQ(taker->choice, set.find("source"));
  EXPECT_EQ(taker->chosen, "image");
  EXPECT_FALSE(imageTaker(ParameterSet{}));
}

TEST(ADroppedFile, ThatIsATableGoesToTheParameterThatTakesOne) {
  struct Texts {
    std::string formula, table;
    bool source = false;
  };
  const auto bound = Binding<Texts>()
                         .text(&Texts::formula, "formula", {.text_use = TextUse::Formula})
                         .text(&Texts::table, "table", {.text_use = TextUse::DataFile});
  const ParameterSet set(bound.infos());
  const std::optional<Taker> taker = tableTaker(set);
  ASSERT_TRUE(taker);
  EXPECT_EQ(taker->text, set.find("table"));
  EXPECT_FALSE(taker->choice);
  EXPECT_FALSE(imageTaker(set));
  EXPECT_FALSE(tableTaker(sampleSimulation().defaults()));
}

TEST(ADroppedFile, OfNumPyCarriesASceneOnlyIfItIsASnapshot) {
  const auto file = std::filesystem::temp_directory_path() / "simscope-dropped-file-test.npz";
  std::ofstream(file) << "no archive at all";
  EXPECT_FALSE(carriesScene(file));
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace simscope::gui
