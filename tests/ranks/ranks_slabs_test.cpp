// Fields that ranks hold in slabs: what they make is what one process makes, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/scene/snapshot.h"
#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test {
namespace {

using cli_test::contentOf;
using cli_test::told;
using cli_test::withoutTiming;

// In one start of so many: every preset of both simulations, small and of uneven sizes, and strokes of all tools.
class Slabs : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, Slabs, testing::Values(2, 3, 4));

TEST_P(Slabs, GiveTheDiagnosticsFramesAndStatesOfOneProcess) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome = mpirun(folder, GetParam(), {"runs"}, SIMSCOPE_SLABS_PROBE);
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_NE(outcome.out.find("looks: fine"), std::string::npos) << told(outcome);
}

TEST_P(Slabs, FindTheStepAtWhichARunBreaksDown) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome = mpirun(folder, GetParam(), {"bad_steps"}, SIMSCOPE_SLABS_PROBE);
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_NE(outcome.out.find(": fine"), std::string::npos) << told(outcome);
}

TEST_P(Slabs, AreAllThatARankHolds) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome = mpirun(folder, GetParam(), {"shares"}, SIMSCOPE_SLABS_PROBE);
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_NE(outcome.out.find(": fine"), std::string::npos) << told(outcome);
}

struct Command {
  const char* name;
  Arguments run;
};
class SlabRuns : public testing::TestWithParam<Command> {};
const Command kRuns[] = {
    {"heat", {"heat", "--set", "grid_points=203", "--set", "boundary=insulated", "--set", "initial=random"}},
    {"house", {"heat", "--preset", "house", "--set", "grid_points=97"}},
    {"adi",
     {"heat", "--set", "grid_points=97", "--set", "scheme=adi", "--set", "time_step_fraction=3", "--set",
      "boundary=insulated", "--set", "initial=random"}},
    {"maze", {"reaction_diffusion", "--preset", "maze", "--set", "grid_points=64"}},
};
INSTANTIATE_TEST_SUITE_P(All, SlabRuns, testing::ValuesIn(kRuns),
                         [](const auto& made) { return std::string(made.param.name); });

TEST_P(SlabRuns, WriteReportsStatesAndSnapshotsThatAnyNumberOfRanksOpens) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const auto files = [](const std::string& name) {
    return Arguments{"--device", "cpu", "--report", "-", "--save", name + ".npy", "--save-snapshot", name + ".npz"};
  };
  const Arguments run = Arguments{"run"} + GetParam().run + Arguments{"--steps", "37", "--seed", "11"};
  const Outcome one = alone(folder, run + files("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  const Outcome three = mpirun(folder, 3, run + files("three"));
  ASSERT_EQ(three.status, 0) << told(three);
  EXPECT_EQ(withoutTiming(three.out), withoutTiming(one.out));
  EXPECT_EQ(contentOf(folder / "three.npy"), contentOf(folder / "one.npy"));
  EXPECT_EQ(contentOf(folder / "three.npz"), contentOf(folder / "one.npz"));
  // What three wrote two go on with, and one; it is the run of one that was never broken off.
  const auto on = [&](const std::string& name) { return Arguments{"run", "three.npz", "--steps", "18"} + files(name); };
  const Outcome two = mpirun(folder, 2, on("two_on"));
  ASSERT_EQ(two.status, 0) << told(two);
  const Outcome lone = alone(folder, on("one_on"));
  ASSERT_EQ(lone.status, 0) << told(lone);
  EXPECT_EQ(withoutTiming(two.out), withoutTiming(lone.out));
  EXPECT_EQ(contentOf(folder / "two_on.npz"), contentOf(folder / "one_on.npz"));
  EXPECT_NE(contentOf(folder / "one_on.npy"), contentOf(folder / "one.npy"));
}

// Each rank finds what is wrong with its own rows, and with the file.
TEST(SlabsRefuse, ASnapshotThatIsDamagedOrHoldsNoNumbers) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome one = alone(folder, {"run", "heat", "--set", "grid_points=64", "--set", "boundary=insulated", "--steps",
                                     "3", "--save-snapshot", "a.npz"});
  ASSERT_EQ(one.status, 0) << told(one);
  Snapshot snapshot = readSnapshot(folder / "a.npz");
  const std::string whole = contentOf(folder / "a.npz");
  const std::size_t array = whole.find("\x93NUMPY"), data = whole.find('\n', array) + 1;
  ASSERT_NE(array, std::string::npos);
  std::string damaged = whole;
  damaged[data + 4 * (50 * 64 + 7)] ^= 1;
  std::ofstream(folder / "a.npz", std::ios::binary) << damaged;
  const Outcome three = mpirun(folder, 3, {"run", "a.npz", "--steps", "1", "--save", "s.npy"});
  EXPECT_EQ(three.status, 2) << told(three);
  EXPECT_GE(occurrences(three.err, "a.npz: this is not a snapshot, or it is damaged"), 1) << told(three);

  // With a checksum that fits.
  const float nan = std::nanf("");
  std::memcpy(snapshot.state.arrays.at(0).bytes.data() + 4 * (50 * 64 + 7), &nan, sizeof nan);
  writeSnapshot(folder / "nan.npz", snapshot, false);
  const Outcome third = mpirun(folder, 3, {"run", "nan.npz", "--steps", "1", "--save", "s.npy"});
  EXPECT_EQ(third.status, 2) << told(third);
  EXPECT_EQ(occurrences(third.err, "the state's array 'temperature' is nan at [50, 7]"), 1) << told(third);
  EXPECT_NE(third.err.find("rank 2"), std::string::npos) << told(third);
  EXPECT_EQ(folder.names().size(), 2u);
}

class SlabFilms : public testing::TestWithParam<Command> {};
const Command kFilms[] = {
    {"heat", {"heat", "--preset", "rooms", "--set", "grid_points=130", "--view", "isotherms"}},
    {"reaction", {"reaction_diffusion", "--preset", "turing_growth", "--set", "grid_points=64"}},
};
INSTANTIATE_TEST_SUITE_P(All, SlabFilms, testing::ValuesIn(kFilms),
                         [](const auto& made) { return std::string(made.param.name); });

// A bounded animation is made more than once.
TEST_P(SlabFilms, AreThoseOfOneProcess) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const auto film = [](const std::string& name) {
    return Arguments{"render"} + GetParam().run +
           Arguments{"--frames", "5", "--steps-per-frame", "7", "--size", "320x240", "--device", "cpu"} +
           Arguments{"--out", name + ".gif", "--out", name + ".csv", "--out", name + ".npy", "--max-bytes", "12K"};
  };
  const Outcome one = alone(folder, film("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  const Outcome three = mpirun(folder, 3, film("three"));
  ASSERT_EQ(three.status, 0) << told(three);
  for (const char* const each : {".gif", ".csv", ".npy"}) {
    EXPECT_EQ(contentOf(folder / (std::string("three") + each)), contentOf(folder / (std::string("one") + each)))
        << each;
  }
}

TEST(SlabsRefuse, MoreRanksThanAHaloLeavesRowsFor) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome =
      mpirun(folder, 5, {"run", "heat", "--set", "grid_points=64", "--steps", "1", "--save", "s.npy"});
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_EQ(occurrences(outcome.err, "grid_points = 64 can be divided among at most 4 ranks, not among 5"), 1)
      << told(outcome);
  EXPECT_NE(outcome.err.find("or give it grid_points = 80 or more"), std::string::npos) << told(outcome);
  EXPECT_TRUE(folder.names().empty());
}

TEST(SlabsRefuse, ToGoOnWithNumbersThatAreNone) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Arguments run{
      "run",  "reaction_diffusion", "--set", "grid_points=64", "--set", "time_step=9", "--steps", "2000", "--save",
      "s.npy"};
  const Outcome one = alone(folder, run);
  const Outcome three = mpirun(folder, 3, run);
  EXPECT_EQ(one.status, 1) << told(one);
  EXPECT_EQ(three.status, 1) << told(three);
  const std::size_t at = one.err.find("The state is not finite");
  ASSERT_NE(at, std::string::npos) << told(one);
  EXPECT_EQ(occurrences(three.err, one.err.substr(at, one.err.find('\n', at) - at)), 1) << told(three);
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace simscope::ranks_test
