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
  d.views = {
      {"overview", "Overview", LinkedView{{{.view = "temperature"}, {.view = "profile"}}}},
      {"temperature", "T", FieldView{.channel = "field", .overlay_channel = "outline", .arrow_channel = "flux"}},
      {"isotherms", "Isotherms", FieldView{.channel = "field"}},
      {"speed", "Speed", PointView{.channel = "bodies", .value_channel = "speeds", .trail_channel = "trails"}},
      {"profile", "Profile", CurveView{.traces = {{.channel = "u", .phase_channel = "v"}, {.channel = "exact"}}}},
      {"again", "Again", CurveView{.traces = {{.channel = "u"}}}}};
  return d;
}

TEST(DescriptionViews, AreOfferedAsListedAndTheFirstOpens) {
  const Description d = everyKind();
  EXPECT_THAT(d.viewKeys(), ElementsAre("overview", "temperature", "isotherms", "speed", "profile", "again"));
  EXPECT_THAT(Description().viewKeys(), IsEmpty());
  EXPECT_EQ(d.view("").key, "overview");
  EXPECT_EQ(d.view("again").key, "again");
  EXPECT_EQ(d.findView("nowhere"), nullptr);
  EXPECT_EQ(Description().findView(""), nullptr);
  EXPECT_THROW(d.view("nowhere"), UsageError);
  EXPECT_THROW(Description().view(""), Error);
}

TEST(DescriptionViews, OfSeveralPanelsAreMadeOfThem) {
  Description d = everyKind();
  const auto keys = [&](const char* key) {
    std::vector<std::string> all;
    for (const ShownPanel& each : d.panelsOf(d.view(key))) all.push_back(each.view->key);
    return all;
  };
  EXPECT_THAT(keys("overview"), ElementsAre("temperature", "profile"));
  EXPECT_THAT(keys("speed"), ElementsAre("speed"));
  for (const char* wrong : {"nowhere", "overview"}) {
    d.views[0].as<LinkedView>()->panels[1].view = wrong;
    EXPECT_THROW(keys("overview"), Error) << wrong;
  }
  d.views[0].as<LinkedView>()->panels.clear();
  EXPECT_THROW(keys("overview"), Error);
}

TEST(DescriptionViews, ChannelsAreNamedOnce) {
  EXPECT_THAT(everyKind().channelKeys(), ElementsAre("field", "outline", "trails", "u", "exact"));
  EXPECT_THAT(everyKind().drawnChannels(),
              ElementsAre("field", "outline", "flux", "bodies", "speeds", "trails", "u", "v", "exact"));
}

TEST(DescriptionViews, TellWhatAPixelMeans) {
  const Description d = everyKind();
  EXPECT_EQ(domainOf(d.view("profile")), Domain::Line);
  EXPECT_EQ(domainOf(d.view("isotherms")), Domain::Plane);
  EXPECT_EQ(domainOf(d.view("speed")), Domain::Space);
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
  std::string table;
  int count = 3;
};

const Binding<Texts>& texts() {
  static const auto bound = Binding<Texts>()
                                .text(&Texts::formula, "formula", {.title = "V", .text_use = TextUse::Formula})
                                .integer(&Texts::count, "count", {.minimum = 0, .maximum = 9})
                                .text(&Texts::file, "file", {.text_use = TextUse::ImageFile})
                                .text(&Texts::table, "table", {.text_use = TextUse::DataFile});
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
  EXPECT_EQ(infos[3].text_use, TextUse::DataFile);
  EXPECT_EQ(rangeText(infos[3]), "the name of a table's file");
}

}  // namespace
}  // namespace simscope
