#include "sims/core/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sims/core/describe.h"

namespace simscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Description everyKind() {
  Description d;
  d.id = "sample";
  d.views = {{.key = "profile", .traces = {{.channel = "u"}, {.channel = "exact"}}},
             {.key = "again", .traces = {{.channel = "u"}}}};
  d.fields = {{.key = "temperature", .channel = "field", .overlay_channel = "outline", .arrow_channel = "flux"},
              {.key = "isotherms", .channel = "field"}};
  d.points = {{.key = "speed", .channel = "bodies", .value_channel = "speeds", .trail_channel = "trails"}};
  d.linked = {{.key = "overview", .panels = {{.view = "temperature"}, {.view = "profile"}}}};
  return d;
}

TEST(DescriptionViews, AreOfferedLinkedFirstThenFieldsPointsAndCurves) {
  EXPECT_THAT(everyKind().viewKeys(), ElementsAre("overview", "temperature", "isotherms", "speed", "profile", "again"));
  EXPECT_THAT(Description().viewKeys(), IsEmpty());
}

TEST(DescriptionViews, TheFirstOfThemOpensUnlessTheDescriptionNamesAnother) {
  Description d = everyKind();
  EXPECT_EQ(d.openingView(), "overview");
  d.linked.clear();
  EXPECT_EQ(d.openingView(), "temperature");
  d.fields.clear();
  EXPECT_EQ(d.openingView(), "speed");
  d.points.clear();
  EXPECT_EQ(d.openingView(), "profile");
  d.first_view = "again";
  EXPECT_EQ(d.openingView(), "again");
  EXPECT_THROW(Description().openingView(), Error);
}

TEST(DescriptionViews, ChannelsThatCanBeHiddenAreNamedOnce) {
  EXPECT_THAT(everyKind().channelKeys(), ElementsAre("field", "outline", "trails", "u", "exact"));
}

TEST(Labels, FollowTheFormOfTheChannelAndOtherwiseStandForAll) {
  const AxisInfo axis{.title = "I or log I", .unit = "W", .forms = {{"I", "W"}, {"log I"}}};
  EXPECT_EQ(labelOf(axis, 0), (Label{"I", "W"}));
  EXPECT_EQ(labelOf(axis, 1), (Label{"log I", ""}));
  for (const int unknown : {-1, 2}) EXPECT_EQ(labelOf(axis, unknown), (Label{"I or log I", "W"}));
  EXPECT_EQ(labelOf(TraceInfo{.title = "u", .unit = "K"}, 3), (Label{"u", "K"}));
}

struct Texts {
  std::string formula = "x*x";
  std::string file;
  int count = 3;
};

const Binding<Texts>& texts() {
  static const auto bound = Binding<Texts>()
                                .text(&Texts::formula, "formula", {.title = "V", .text_use = TextUse::Formula})
                                .integer(&Texts::count, "count", {.minimum = 0, .maximum = 9})
                                .text(&Texts::file, "file", {.text_use = TextUse::ImageFile});
  return bound;
}

TEST(TextParameters, AnyTextIsTakenAsItIsButControlCharacters) {
  ParameterSet set(texts().infos());
  EXPECT_EQ(texts().read(set).formula, "x*x");
  EXPECT_EQ(texts().read(set).file, "");
  for (const char* text : {"", " ", "a = b == c", "  x + y ", "V₀·exp(-x²)", "--set", "\"quoted\""}) {
    set.setText("formula", text);
    EXPECT_EQ(set.text("formula"), text);
    EXPECT_EQ(texts().read(set).formula, text);
    EXPECT_EQ(toText(set.get("formula")), text);
  }
  EXPECT_EQ(texts().read(set).count, 3);
  const std::string before = set.text("formula");
  for (const std::string& bad : {std::string("x\0y", 3), std::string("x\n"), std::string("\tx"),
                                 std::string("\x1b[2Jx"), std::string("x\x7f"), std::string(5000, 'x')}) {
    EXPECT_THROW(set.setText("formula", bad), UsageError);
    EXPECT_THROW(set.set("formula", bad), UsageError);
    EXPECT_EQ(set.text("formula"), before);
  }
  EXPECT_THROW(set.set("formula", std::int64_t{1}), UsageError);
  EXPECT_THROW(set.real("formula"), UsageError);
}

TEST(TextParameters, DescribeHowAPanelOffersThem) {
  const std::vector<ParameterInfo>& infos = *texts().infos();
  EXPECT_EQ(infos[0].kind, Kind::Text);
  EXPECT_EQ(infos[0].text_use, TextUse::Formula);
  EXPECT_EQ(infos[0].initial, Value(std::string("x*x")));
  EXPECT_EQ(infos[1].text_use, TextUse::Plain);
  EXPECT_EQ(infos[2].text_use, TextUse::ImageFile);
}

}  // namespace
}  // namespace simscope
