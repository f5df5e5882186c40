// simscope lab: its files, two of them side by side, and what it refuses.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> quickly(std::vector<std::string> more) {
  more.insert(more.begin(),
              {"lab", "vector_addition", "--device", "cpu", "--set", "largest=1e4", "--set", "per_decade=1"});
  return more;
}

TEST(Lab, WritesALessonThatIsPutBesideAnother) {
  const Folder folder;
  ASSERT_EQ(simscope(folder, quickly({"--json", "a.json"})).status, 0);
  const Outcome second = simscope(folder, quickly({"--json", "-"}));
  const nlohmann::json document = jsonOf(second);
  EXPECT_FALSE(document.at("machine").get<std::string>().empty());
  EXPECT_GT(document.at("rows").at(0).at("spreads").at(0).get<double>(), 0);
  EXPECT_FALSE(document.at("chart").at("curves").empty());
  std::ofstream(folder / "b.json") << second.out;
  const Outcome both = simscope(folder, {"lab", "--compare", "a.json", "b.json", "vector_addition"});
  ASSERT_EQ(both.status, 0) << told(both);
  EXPECT_THAT(both.out, AllOf(HasSubstr("A: a.json ("), HasSubstr("B: b.json ("), HasSubstr("B / A"),
                              HasSubstr("10,000"), HasSubstr("±")));
}

TEST(Lab, RefusesWhatCannotBeCompared) {
  const Folder folder;
  std::ofstream(folder / "a.json") << R"({"lesson": "fusion", "columns": [], "rows": []})";
  std::ofstream(folder / "bad.json") << R"({"lesson": "fusion", "rows": 5})";
  const auto refused = [&](const std::vector<std::string>& arguments, const char* why) {
    const Outcome outcome = simscope(folder, arguments);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_THAT(outcome.out, IsEmpty());
  };
  refused({"lab", "--compare", "a.json", "bad.json"}, "'bad.json': rows is not a list");
  refused({"lab", "--compare", "a.json", "none.json"}, "none.json");
  refused({"lab", "--compare", "a.json", "a.json", "windows"}, "lesson windows is not in both");
  refused({"lab", "--compare", "a.json"}, "--compare");
  refused({"lab", "--compare", "a.json", "a.json", "--set", "x=1"}, "--compare and --set do not go together");
  refused({"lab", "fusion", "--all"}, "--all and a LESSON do not go together");
  refused({"lab", "--all", "--out", "x.png"}, "--all and --out do not go together");
  EXPECT_THAT(folder.names(), ElementsAre("a.json", "bad.json"));
}

TEST(Lab, AWrongResultEndsWithoutNumbers) {
  const Folder folder;
  Settings wrong;
  wrong.environment["SIMSCOPE_FAULT"] = "result:1";
  const Outcome outcome = simscope(folder, quickly({"--json", "a.json", "--out", "a.csv"}), wrong);
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("its time means nothing"));
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(folder.names(), IsEmpty());
}

}  // namespace
}  // namespace simscope::cli_test
