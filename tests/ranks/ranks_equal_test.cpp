// What several ranks make is what one process makes: reports, states, snapshots, pictures, and tables.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test {
namespace {

using cli_test::contentOf;
using cli_test::reportIn;
using cli_test::told;

struct Case {
  const char* name;
  Arguments run;  // simulation and parameters
  std::vector<int> ranks = {2, 3, 4};
};
const Case kCases[] = {
    {"darts", {"monte_carlo_pi", "--set", "chains=5", "--set", "darts_per_step=7001"}},
    {"few_darts",
     {"monte_carlo_pi", "--set", "method=antithetic", "--set", "chains=300", "--set", "darts_per_step=3"},
     {3}},
    {"sobol", {"monte_carlo_pi", "--set", "method=sobol", "--set", "darts_per_step=2501"}, {3}},
    {"resonance", {"histograms", "--set", "events_per_step=20011"}},
    {"higgs", {"histograms", "--set", "process=higgs", "--set", "events_per_step=5003"}, {3}},
    {"gas", {"maxwell_boltzmann", "--set", "molecules=10007"}},
    {"gathered_gas", {"maxwell_boltzmann", "--set", "molecules=1003", "--set", "gather=true"}, {3}},
};
class Samples : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Samples, testing::ValuesIn(kCases),
                         [](const auto& made) { return std::string(made.param.name); });

TEST_P(Samples, GiveTheSameForAnyNumberOfRanks) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const auto files = [](const std::string& name) {
    return Arguments{"--report", name + ".json", "--save", name + ".npy", "--save-snapshot", name + ".npz"};
  };
  const Arguments run =
      Arguments{"run"} + GetParam().run + Arguments{"--steps", "5", "--seed", "11", "--device", "cpu"};
  const Outcome one = alone(folder, run + files("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  for (const int ranks : GetParam().ranks) {
    SCOPED_TRACE(ranks);
    const std::string name = "n" + std::to_string(ranks);
    const Outcome many = mpirun(folder, ranks, run + files(name));
    ASSERT_EQ(many.status, 0) << told(many);
    EXPECT_EQ(occurrences(many.out, "seed"), occurrences(one.out, "seed")) << "one rank alone prints";
    EXPECT_EQ(contentOf(folder / (name + ".npy")), contentOf(folder / "one.npy"));
    EXPECT_EQ(reportIn(folder / (name + ".json")), reportIn(folder / "one.json"));
  }
  // What one wrote three go on with, and the other way round.
  const Arguments on{"--steps", "3", "--device", "cpu"};
  const Outcome after = mpirun(folder, 3, Arguments{"run", "one.npz"} + on + Arguments{"--save", "after3.npy"});
  ASSERT_EQ(after.status, 0) << told(after);
  ASSERT_EQ(alone(folder, Arguments{"run", "n3.npz"} + on + Arguments{"--save", "after1.npy"}).status, 0);
  EXPECT_EQ(contentOf(folder / "after3.npy"), contentOf(folder / "after1.npy"));
  EXPECT_NE(contentOf(folder / "after1.npy"), contentOf(folder / "one.npy"));
}

TEST(RanksRender, FilesAreThoseOfOneProcess) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const auto film = [](const std::string& name) {
    return Arguments{"render",
                     "monte_carlo_pi",
                     "--set",
                     "chains=40",
                     "--set",
                     "darts_per_step=2000",
                     "--frames",
                     "4",
                     "--steps-per-frame",
                     "2",
                     "--size",
                     "320x240",
                     "--seed",
                     "5",
                     "--device",
                     "cpu",
                     "--out",
                     name + ".gif",
                     "--out",
                     name + ".csv"};
  };
  const Outcome one = alone(folder, film("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  const Outcome three = mpirun(folder, 3, film("three"));
  ASSERT_EQ(three.status, 0) << told(three);
  EXPECT_EQ(contentOf(folder / "three.gif"), contentOf(folder / "one.gif"));
  EXPECT_EQ(contentOf(folder / "three.csv"), contentOf(folder / "one.csv"));
}

// The run is made more than once, and all ranks make it again.
TEST(RanksRender, ABoundedGifIsThatOfOneProcess) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const auto film = [](const std::string& name) {
    return Arguments{"render",  "maxwell_boltzmann", "--set", "molecules=2003", "--frames", "12",          "--size",
                     "480x300", "--device",          "cpu",   "--out",          name,       "--max-bytes", "20K"};
  };
  const Outcome one = alone(folder, film("one.gif"));
  ASSERT_EQ(one.status, 0) << told(one);
  ASSERT_NE(one.err.find("to stay within"), std::string::npos) << "it takes a second pass\n" << told(one);
  const Outcome two = mpirun(folder, 2, film("two.gif"));
  ASSERT_EQ(two.status, 0) << told(two);
  EXPECT_EQ(contentOf(folder / "two.gif"), contentOf(folder / "one.gif"));
}

class Sweeps : public testing::TestWithParam<Case> {};
const Case kSweeps[] = {
    // Side by side in batches.
    {"batches",
     {"tunneling", "--set", "grid_points=256", "--param", "packet_momentum=0.5:3:7", "--measure", "transmission",
      "--steps", "20"}},
    // Each by itself; the time step is too long for the last ones, which then have no values.
    {"single",
     {"heat", "--set", "grid_points=64", "--param", "time_step_fraction=0.5:1.5:5", "--measure", "center", "--steps",
      "3000"}},
    {"two_axes",
     {"monte_carlo_pi", "--set", "darts_per_step=500", "--param", "chains=1:3:3", "--param", "band=1:2:2", "--measure",
      "estimate", "--steps", "20"}},
};
INSTANTIATE_TEST_SUITE_P(All, Sweeps, testing::ValuesIn(kSweeps),
                         [](const auto& made) { return std::string(made.param.name); });

TEST_P(Sweeps, WriteTheSameBytesForAnyNumberOfRanks) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const auto files = [](const std::string& name) {
    return Arguments{"--out", name + ".csv", "--out", name + ".npy", "--report", name + ".json"};
  };
  const Arguments sweep = Arguments{"sweep"} + GetParam().run + Arguments{"--device", "cpu"};
  const Outcome one = alone(folder, sweep + files("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  for (const int ranks : GetParam().ranks) {
    SCOPED_TRACE(ranks);
    const std::string name = "n" + std::to_string(ranks);
    const Outcome many = mpirun(folder, ranks, sweep + files(name));
    ASSERT_EQ(many.status, 0) << told(many);
    EXPECT_EQ(contentOf(folder / (name + ".csv")), contentOf(folder / "one.csv"));
    EXPECT_EQ(contentOf(folder / (name + ".npy")), contentOf(folder / "one.npy"));
    auto of_many = reportIn(folder / (name + ".json")), of_one = reportIn(folder / "one.json");
    of_many.erase("method"), of_one.erase("method");  // tells a process's threads
    EXPECT_EQ(of_many, of_one);
  }
}

TEST(RanksSweep, MoreRanksThanRunsAndAPictureAreFine) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const auto sweep = [](const std::string& name) {
    return Arguments{"sweep",     "monte_carlo_pi",
                     "--set",     "darts_per_step=500",
                     "--param",   "chains=10:30:3",
                     "--measure", "rms",
                     "--steps",   "5",
                     "--size",    "320x240",
                     "--device",  "cpu",
                     "--out",     name};
  };
  const Outcome one = alone(folder, sweep("one.png"));
  ASSERT_EQ(one.status, 0) << told(one);
  const Outcome four = mpirun(folder, 4, sweep("four.png"));
  ASSERT_EQ(four.status, 0) << told(four);
  EXPECT_EQ(contentOf(folder / "four.png"), contentOf(folder / "one.png"));
}

TEST(RanksDevices, AreShownAsAMap) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome table = mpirun(folder, 3, {"devices"});
  EXPECT_EQ(table.status, 0) << told(table);
  EXPECT_EQ(occurrences(table.out, " of 3"), 3) << told(table);
  const auto map = cli_test::jsonOf(mpirun(folder, 3, {"devices", "--json"}));
  ASSERT_EQ(map.size(), 3u);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(map[rank].at("rank"), rank);
    EXPECT_EQ(map[rank].at("local_rank"), rank);
    EXPECT_EQ(map[rank].at("local_size"), 3);
    EXPECT_EQ(map[rank].at("machine"), map[0].at("machine"));
    EXPECT_GE(map[rank].at("threads"), 1);
    EXPECT_GE(map[rank].at("cores").size(), map[rank].at("threads").get<std::size_t>());
    EXPECT_GT(map[rank].at("memory_bytes"), 0);
  }
}

}  // namespace
}  // namespace simscope::ranks_test
