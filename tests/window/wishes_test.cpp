#include "app/gui/wishes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/gui/dropped_file.h"
#include "tests/window/sample_simulation.h"

namespace simscope::gui {
namespace {

class AWish : public ::testing::Test {
 protected:
  ParameterSet run = sampleSimulation().defaults(), wanted = run;
  const std::size_t speed = run.find("speed"), formula = run.find("formula"), source = run.find("source"),
                    image = run.find("image_file");
  Wishes wishes;

  void want(std::size_t index, const Value& value) {
    wanted.set(index, value);
    wishes.ask({index});
  }
};

TEST_F(AWish, IsSettledOnceTheRunHasItsValue) {
  want(speed, 2.0);
  EXPECT_TRUE(wishes.settle(wanted, run).empty());
  run.set(speed, 2.0);
  EXPECT_EQ(wishes.settle(wanted, run), std::vector{speed});
  EXPECT_TRUE(wishes.empty());
}

TEST_F(AWish, ThatIsRefusedGoesBackAloneAndTheOthersStay) {
  want(formula, std::string("x*"));
  want(speed, 2.0);
  EXPECT_EQ(wishes.takeBack("formula: position 3: the end", wanted, run), formula);
  EXPECT_EQ(wanted[formula], run[formula]);
  EXPECT_EQ(wanted[speed], Value(2.0));
  EXPECT_FALSE(wishes.empty()) << "the speed is still asked for";
}

TEST_F(AWish, ThatNoMessageNamesIsTheNewest) {
  want(formula, std::string("x"));
  want(speed, 2.0);
  EXPECT_EQ(wishes.takeBack("no memory", wanted, run), speed);
  EXPECT_EQ(wishes.takeBack("no memory", wanted, run), formula);
  EXPECT_EQ(wishes.takeBack("no memory", wanted, run), std::nullopt);
  EXPECT_EQ(wanted, run);
}

TEST_F(AWish, OfTwoParametersGoesBackWhole) {
  wanted.set(image, std::string("a.png"));
  wanted.set(source, std::string("image"));
  wishes.ask({image, source});
  EXPECT_EQ(wishes.takeBack("image_file: a.png: there is no such file", wanted, run), image);
  EXPECT_EQ(wanted, run);
}

TEST_F(AWish, AskedTwiceIsOne) {
  want(speed, 2.0);
  want(speed, 3.0);
  wishes.takeBack("", wanted, run);
  EXPECT_TRUE(wishes.empty());
}

TEST(AMessage, NamesWholeWordsOnly) {
  EXPECT_TRUE(namesWord("time_step: 7 is too large", "time_step"));
  EXPECT_TRUE(namesWord("choose a smaller time_step", "time_step"));
  EXPECT_FALSE(namesWord("time_step_fraction: too large", "time_step"));
  EXPECT_TRUE(namesWord("time_step_fraction or time_step", "time_step"));
  EXPECT_FALSE(namesWord("anything", ""));
}

TEST(ADroppedFile, IsAPictureByItsName) {
  for (const char* name : {"a.png", "a.JPG", "b/c.pgm", "x.jpeg"}) EXPECT_TRUE(isPicture(name)) << name;
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
  EXPECT_EQ(imageParameter(set), set.find("image_file"));
  EXPECT_EQ(imageChoice(set), set.find("source"));
  EXPECT_FALSE(imageParameter(ParameterSet{}));
}

}  // namespace
}  // namespace simscope::gui
