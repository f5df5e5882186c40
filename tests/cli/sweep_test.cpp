// simscope sweep: its files, its report, what it refuses, and how it ends.
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using SweepArguments = std::vector<std::string>;

SweepArguments sweepOf(const SweepArguments& more, const char* steps = "100", const char* threads = "2") {
  SweepArguments all = {"sweep", "tunneling",       "--device",  "cpu",          "--threads", threads,
                        "--set", "grid_points=256", "--measure", "transmission", "--steps",   steps};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
const SweepArguments kOne = {"--param", "packet_momentum=1:2:3"};

SweepArguments operator+(SweepArguments a, const SweepArguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Sweep, WritesTableArrayPicturesAndFilmTogether) {
  const Folder folder;
  const Outcome outcome =
      simscope(folder, sweepOf(kOne + SweepArguments{"--out", "t.csv", "--out", "t.npy", "--out", "t.png"}));
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(folder.names(), ElementsAre("t.csv", "t.npy", "t.png"));
  std::istringstream csv(contentOf(folder / "t.csv"));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "packet_momentum [1/length],time,transmission,transmission_exact");
  int rows = 0;
  while (std::getline(csv, line)) ++rows;
  EXPECT_EQ(rows, 3);
  EXPECT_THAT(contentOf(folder / "t.npy"), HasSubstr("(3, 4)"));
  EXPECT_THAT(contentOf(folder / "t.png").substr(1, 3), "PNG");
  EXPECT_THAT(outcome.out, HasSubstr("3 runs of 100 steps on cpu"));
  EXPECT_THAT(outcome.out, HasSubstr("side by side in 1 batch"));
}

TEST(Sweep, FilmsTheRunsSideBySide) {
  const Folder folder;
  const Outcome outcome = simscope(
      folder, sweepOf(kOne + SweepArguments{"--out", "f.gif", "--out", "f.png", "--figures", "--size", "640x400"}));
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(folder.names(), ElementsAre("f.gif", "f.png"));
  EXPECT_THAT(outcome.err, HasSubstr("of 3 figures, 640x400"));
}

TEST(Sweep, ReportsTheSameNumbersOneByOne) {
  const Folder folder;
  const auto report = [&](const SweepArguments& more, const char* threads) {
    const SweepArguments two = {"--param", "barrier_width=1:3:2", "--report", "-"};
    return jsonOf(simscope(folder, sweepOf(kOne + two + more, "100", threads)));
  };
  const nlohmann::json together = report({}, "2"), alone = report({"--one-by-one"}, "1");
  EXPECT_EQ(together["runs"], alone["runs"]);
  EXPECT_EQ(together["runs"].size(), 6u);
  EXPECT_EQ(together["columns"][1], "barrier_width");
  EXPECT_EQ(together["timing"]["batched_runs"], 6);
  EXPECT_EQ(alone["timing"]["batched_runs"], 0);
  EXPECT_FALSE(together["parameters"].contains("packet_momentum"));
  EXPECT_EQ(together["steps"], 100);
}

TEST(Sweep, ListedValuesAreRunAsTheyAre) {
  const Folder folder;
  const nlohmann::json report =
      jsonOf(simscope(folder, sweepOf({"--param", "packet_momentum=1,2,1.25", "--report", "-"}, "5")));
  const std::vector<double> wanted = {1, 2, 1.25};
  EXPECT_EQ(report["sweep"][0]["values"], wanted);
  EXPECT_EQ(report["sweep"][0]["count"], 3);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(report["runs"][i][0], wanted[i]);
}

TEST(Sweep, RefusesBeforeAnythingIsWritten) {
  const auto refused = [](const SweepArguments& more) {
    const Folder folder;
    const Outcome outcome = simscope(folder, sweepOf(more));
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    EXPECT_THAT(folder.names(), IsEmpty());
    return outcome.err;
  };
  EXPECT_THAT(refused({}), HasSubstr("one or two parameters"));
  EXPECT_THAT(refused({"--param", "packet_momentum=1:99:3"}), HasSubstr("--param: packet_momentum = 99"));
  EXPECT_THAT(refused(kOne + SweepArguments{"--measure", "transmision"}), HasSubstr("did you mean 'transmission'"));
  EXPECT_THAT(refused(kOne + SweepArguments{"--out", "a.txt"}), HasSubstr("--out: 'a.txt'"));
  EXPECT_THAT(refused(kOne + SweepArguments{"--out", "a.csv", "--out", "./a.csv"}), HasSubstr("written twice"));
  EXPECT_THAT(refused(kOne + SweepArguments{"--out", "a.csv", "--figures"}), HasSubstr(".png"));
  EXPECT_THAT(refused({"--param", "packet_momentum=1:2:99", "--out", "a.gif"}), HasSubstr("nearest size"));
  EXPECT_THAT(refused(kOne + SweepArguments{"--threads", "-1"}), HasSubstr("--threads"));
}

TEST(Sweep, KeepsAFileThatIsThereUnlessForced) {
  const Folder folder;
  ASSERT_EQ(simscope(folder, sweepOf(kOne + SweepArguments{"--out", "t.csv"})).status, 0);
  const std::string first = contentOf(folder / "t.csv");
  const SweepArguments again = sweepOf(kOne + SweepArguments{"--set", "barrier_height=3", "--out", "t.csv"});
  EXPECT_EQ(simscope(folder, again).status, 2);
  EXPECT_EQ(contentOf(folder / "t.csv"), first);
  EXPECT_EQ(simscope(folder, again + SweepArguments{"--force"}).status, 0);
  EXPECT_NE(contentOf(folder / "t.csv"), first);
}

TEST(Sweep, NotesWhatDoesNothing) {
  const Folder folder;
  const Outcome outcome = simscope(folder, sweepOf({"--param", "barrier_gap=1:2:2"}));
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("barrier_gap does nothing here; it matters with potential=double_barrier"));
}

TEST(Sweep, WarnsOfTheRunsThatAreWrong) {
  const Folder folder;
  const nlohmann::json report = jsonOf(simscope(folder, sweepOf({"--param", "time_step=0.01:1:2", "--report", "-"})));
  ASSERT_FALSE(report["warnings"].empty());
  EXPECT_EQ(report["warnings"][0]["runs"], std::vector<int>{1});
  EXPECT_THAT(simscope(folder, sweepOf({"--param", "time_step=0.01:1:2"})).out, HasSubstr("warning ("));
}

TEST(Sweep, InterruptEndsItWithinTwoSecondsAndLeavesNothing) {
  for (const char* how : {"--out=t.csv", "--out=f.gif"}) {
    for (const bool alone : {false, true}) {
      const Folder folder;
      SweepArguments arguments = sweepOf({"--param", "packet_momentum=1:2:6", how}, "100000000");
      if (alone) arguments.push_back("--one-by-one");
      Program program(folder.path(), arguments);
      while (folder.names().empty() && program.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      program.signal(SIGINT);
      const auto start = std::chrono::steady_clock::now();
      const Outcome outcome = program.wait();
      EXPECT_EQ(outcome.status, 130) << told(outcome);
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(SIMSCOPE_SANITIZE ? 10 : 2));
      EXPECT_THAT(folder.names(), IsEmpty());
      EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
    }
  }
}

}  // namespace
}  // namespace simscope::cli_test
