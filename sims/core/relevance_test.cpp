#include "sims/core/relevance.h"

#include <gtest/gtest.h>

#include <memory>

#include "sims/core/parameters.h"

namespace simscope {
namespace {

ParameterInfo shapeChoice() {
  return {.key = "shape",
          .title = "Shape",
          .kind = Kind::Choice,
          .initial = std::string("disc"),
          .choices = {{"disc", "Disc"}, {"slit", "Slit"}, {"two_slits", "Two slits"}}};
}

ParameterInfo number(const char* key, Relevance relevant) {
  return {.key = key, .title = key, .initial = 1.0, .minimum = 0, .maximum = 10, .relevant = std::move(relevant)};
}

ParameterSet apertures() {
  ParameterInfo lit{.key = "lit", .title = "Lit", .kind = Kind::Flag, .initial = true};
  lit.relevant = when("shape", {"slit", "two_slits"});
  return ParameterSet(std::make_shared<const std::vector<ParameterInfo>>(std::vector<ParameterInfo>{
      shapeChoice(), lit, number("width", when("shape", {"slit", "two_slits"})),
      number("distance", whenAbove("width", 2)), number("tint", unless("shape", {"disc"}) && when("lit", {"on"})),
      number("seen", when("shape", {"disc"}) || when("lit", {"on"}))}));
}

bool matters(const ParameterSet& set, const char* key) {
  return set.matters(set.find(key));
}

TEST(Relevance, IsAlwaysUnlessItIsStated) {
  const ParameterSet set = apertures();
  EXPECT_TRUE(Relevance{}.holds(set));
  EXPECT_TRUE(Relevance{}.always());
  EXPECT_FALSE(never().holds(set));
  EXPECT_TRUE(never().never());
  EXPECT_TRUE(matters(set, "shape"));
}

TEST(Relevance, FollowsAChoiceAFlagAndANumber) {
  ParameterSet set = apertures();
  EXPECT_FALSE(matters(set, "width"));
  set.setText("shape", "two_slits");
  EXPECT_TRUE(matters(set, "width"));
  EXPECT_TRUE(matters(set, "tint"));
  set.setText("lit", "off");
  EXPECT_FALSE(matters(set, "tint"));
  EXPECT_FALSE(matters(set, "distance"));
  set.setText("width", "2");
  EXPECT_FALSE(matters(set, "distance")) << "above";
  set.setText("width", "2.5");
  EXPECT_TRUE(matters(set, "distance"));
}

TEST(Relevance, OfWhatDependsOnSomethingIrrelevantDoesNotHold) {
  ParameterSet set = apertures();
  set.setText("width", "5");
  EXPECT_FALSE(matters(set, "distance")) << "a disc has no width";
  set.setText("shape", "slit");
  EXPECT_TRUE(matters(set, "distance"));
}

TEST(Relevance, AnyOfItsWaysIsEnough) {
  ParameterSet set = apertures();
  EXPECT_TRUE(matters(set, "seen"));
  set.setText("shape", "slit");
  EXPECT_TRUE(matters(set, "seen"));
  set.setText("lit", "off");
  EXPECT_FALSE(matters(set, "seen"));
}

TEST(Relevance, JoinsAsLogicDoes) {
  const Relevance slit = when("shape", {"slit"});
  EXPECT_TRUE((slit || Relevance{}).always());
  EXPECT_EQ(slit && Relevance{}, slit);
  EXPECT_TRUE((slit && never()).never());
  EXPECT_EQ(slit || never(), slit);
  EXPECT_EQ((slit || when("lit", {"on"})) && when("lit", {"off"}),
            (slit && when("lit", {"off"})) || (when("lit", {"on"}) && when("lit", {"off"})));
}

TEST(Relevance, IsToldAsOneTypesItAndInTitles) {
  const ParameterSet set = apertures();
  EXPECT_EQ(typedText(Relevance{}), "");
  EXPECT_EQ(typedText(never()), "nothing");
  EXPECT_EQ(typedText(when("shape", {"slit"})), "shape=slit");
  EXPECT_EQ(typedText(when("shape", {"slit", "two_slits"})), "shape=slit or two_slits");
  EXPECT_EQ(typedText(when("shape", {"a", "b", "c"})), "shape=a, b, or c");
  EXPECT_EQ(typedText(unless("shape", {"disc"}) && whenAbove("width", 2)), "shape other than disc and width above 2");
  EXPECT_EQ(typedText(when("shape", {"slit"}) || when("lit", {"on"})), "shape=slit; or lit=on");
  EXPECT_EQ(shownText(when("shape", {"slit", "two_slits"}), set.infos()), "Shape = Slit or Two slits");
  EXPECT_EQ(shownText(when("lit", {"on"}), set.infos()), "Lit = on");
}

TEST(Titles, OfChoicesAreForPeopleAndKeysForScripts) {
  const ParameterInfo shape = shapeChoice();
  EXPECT_EQ(shownText(shape, Value(std::string("two_slits"))), "Two slits");
  EXPECT_EQ(toText(Value(std::string("two_slits"))), "two_slits");
  EXPECT_EQ(rangeText(shape), "one of: disc, slit, two_slits");
  EXPECT_THROW(parseValue(shape, "Two slits"), UsageError);
}

TEST(Titles, OfAParameterFollowTheOthers) {
  ParameterInfo width = number("width", {});
  width.aliases = {{when("shape", {"disc"}), "Diameter", "cm"}};
  ParameterSet set(
      std::make_shared<const std::vector<ParameterInfo>>(std::vector<ParameterInfo>{shapeChoice(), width}));
  EXPECT_EQ(set.title(1), "Diameter");
  EXPECT_EQ(set.unit(1), "cm");
  set.setText("shape", "slit");
  EXPECT_EQ(set.title(1), "width");
  EXPECT_EQ(set.unit(1), "");
}

}  // namespace
}  // namespace simscope
