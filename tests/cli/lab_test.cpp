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

TEST(Lab, FiltersTheFieldOfARun) {
  const Folder folder;
  const auto filtered = [&](const char* file, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"lab",     "fourier_filters", "--field", "heat:two_spots", "--size",
                                       "400x300", "--device",        "cpu",     "--out",          file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = simscope(folder, arguments);
    EXPECT_EQ(outcome.status, 0) << told(outcome);
    EXPECT_THAT(outcome.out, HasSubstr("Temperature of Heat equation after " + more.back() + " steps"));
    return contentOf(folder / file);
  };
  const std::string low = filtered("low.png", {"--set", "filter=low_pass", "--steps", "20"});
  EXPECT_EQ(filtered("again.png", {"--set", "filter=low_pass", "--threads", "1", "--steps", "20"}), low);
  EXPECT_NE(filtered("high.png", {"--set", "filter=high_pass", "--steps", "20"}), low);
  EXPECT_NE(filtered("later.png", {"--set", "filter=low_pass", "--steps", "200"}), low);
}

TEST(Lab, RefusesFieldsThatItCannotFilter) {
  const Folder folder;
  const auto refused = [&](std::vector<std::string> arguments, const char* why) {
    arguments.insert(arguments.begin(), "lab");
    const Outcome outcome = simscope(folder, arguments);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr(why));
  };
  refused({"fusion", "--field", "heat"}, "--field is for the lesson fourier_filters");
  refused({"fourier_filters", "--field", "tunneling"}, "tunneling shows no two-dimensional field");
  refused({"fourier_filters", "--field", "heat:nowhere"}, "no preset 'nowhere'");
  refused({"fourier_filters", "--field", "heat", "--json", "-"}, "--field and --json do not go together");
  refused({"fourier_filters", "--field", "heat", "--out", "a.csv"}, "'a.csv' does not end in .png");
  refused({"fourier_filters", "--field", "heat", "--steps", "-1", "--out", "a.png"}, "--steps");
  refused({"fourier_filters", "--field", "heat", "--set", "filter=own", "--set", "kernel=1/q", "--out", "a.png"}, "q");
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Lab, AWrongResultEndsWithoutNumbers) {
  const Folder folder;
  Settings wrong;
  wrong.environment["SIMSCOPE_FAULT"] = "result:1";
  const Outcome outcome = simscope(folder, quickly({"--json", "a.json", "--out", "a.csv"}), wrong);
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("its time is not valid"));
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(folder.names(), IsEmpty());
}

}  // namespace
}  // namespace simscope::cli_test
