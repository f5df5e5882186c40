// A rank that dies or is stopped at any moment ends all ranks, and no partial file stays.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test {
namespace {

using cli_test::told;
using Clock = std::chrono::steady_clock;

// The process that is this rank of a run in this folder; -1: there is none (yet).
pid_t processOf(const Folder& folder, int rank) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
  for (const auto& entry : fs::directory_iterator("/proc", failed)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (fs::read_symlink(entry.path() / "cwd", failed) != fs::canonical(folder.path())) continue;
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    for (std::string each; std::getline(file, each, '\0');) {
      if (each == wanted) return static_cast<pid_t>(std::stol(name));
    }
  }
  return -1;
}

constexpr int kRanks = 3;

class Endings : public testing::Test {
 protected:
  // Starts a run of many steps, waits until the rank is there and for so long, and sends it the signal.
  Outcome endedBy(int number, int rank, std::chrono::milliseconds moment, const std::vector<std::string>& arguments,
                  int ranks = kRanks) {
    cli_test::Program run(folder_.path(), mpirunArguments(ranks, SIMSCOPE_PROGRAM, arguments), mpirunSettings());
    pid_t process = -1;
    for (const auto end = Clock::now() + std::chrono::seconds(60); process < 0 && Clock::now() < end;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      process = processOf(folder_, rank);
    }
    EXPECT_GT(process, 0) << "rank " << rank << " never came";
    std::this_thread::sleep_for(moment);
    if (process > 0) kill(process, number);
    const auto sent = Clock::now();
    const Outcome outcome = run.wait();
    // A large limit, because the machine may be busy. A hang would last for minutes, until the limit of the test.
    EXPECT_LT(Clock::now() - sent, std::chrono::seconds(60));
    for (int each = 0; each < ranks; ++each) EXPECT_TRUE(goes(each)) << "rank " << each << " is left";
    return outcome;
  }
  // mpirun may end a moment before a rank that it has killed.
  bool goes(int rank) const {
    for (const auto end = Clock::now() + std::chrono::seconds(10); processOf(folder_, rank) >= 0;) {
      if (Clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
  }
  // Whole files; what begins with a dot is a file that was being written when its process was killed.
  std::vector<std::string> filesOf() const {
    std::vector<std::string> files;
    for (const std::string& each : folder_.names()) {
      if (each[0] != '.') files.push_back(each);
    }
    return files;
  }

  Folder folder_;
};
class Ending : public Endings, public testing::WithParamInterface<int> {};  // which kill
INSTANTIATE_TEST_SUITE_P(Moments, Ending, testing::Range(0, 20));

const std::vector<std::string> kOutputs = {"--steps",         "100000000", "--save",   "s.npy",
                                           "--save-snapshot", "s.npz",     "--report", "r.json"};
const std::vector<std::string> kLongRun =
    Arguments{"run", "monte_carlo_pi", "--set", "chains=4", "--set", "darts_per_step=4000"} + kOutputs;

// Runs of every kind of division, one after the other.
std::vector<std::string> longRun(int which) {
  const std::vector<std::string> kinds[] = {
      {"run", "heat", "--set", "grid_points=256"},
      {"run", "nbody", "--set", "initial=plummer", "--set", "bodies=3000", "--set", "method=tree"},
      {"run", "reaction_diffusion", "--set", "grid_points=128"},
      {"run", "heat", "--set", "scheme=adi", "--set", "grid_points=256"}};
  return which % 5 == 4 ? kLongRun : kinds[which % 5] + kOutputs;
}

TEST_P(Ending, AKilledRankEndsAllAndNoFileIsHalfThere) {
  SIMSCOPE_NEEDS_MPI();
  std::mt19937 random(static_cast<unsigned>(GetParam()) + 17);
  const int rank = static_cast<int>(random() % kRanks);
  const auto moment = std::chrono::milliseconds(random() % 1500);
  SCOPED_TRACE("rank " + std::to_string(rank) + " after ms: " + std::to_string(moment.count()));
  const Outcome outcome = endedBy(SIGKILL, rank, moment, longRun(GetParam()));
  EXPECT_NE(outcome.status, 0) << told(outcome);
  EXPECT_EQ(filesOf(), std::vector<std::string>{}) << told(outcome);
  if (rank == 0) return;
  EXPECT_EQ(folder_.names(), std::vector<std::string>{}) << "rank 0 takes away what is unfinished\n" << told(outcome);
}

// Rank 0 is amid a step that takes longer than mpirun waits before it kills.
TEST_F(Endings, AKilledRankAmidALongStepLeavesNothing) {
  SIMSCOPE_NEEDS_MPI();
  const Outcome outcome = endedBy(SIGKILL, 1, std::chrono::milliseconds(3000),
                                  Arguments{"run", "nbody", "--set", "initial=plummer", "--set", "bodies=200000",
                                            "--set", "method=direct", "--device", "cpu"} +
                                      kOutputs,
                                  2);
  EXPECT_NE(outcome.err.find("signal 9"), std::string::npos) << told(outcome);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{}) << told(outcome);
}

class Stopped : public Endings, public testing::WithParamInterface<int> {};  // which rank
INSTANTIATE_TEST_SUITE_P(Ranks, Stopped, testing::Values(0, 1));

TEST_P(Stopped, ByASignalToOneRankAllEndWithOneMessage) {
  SIMSCOPE_NEEDS_MPI();
  const Outcome outcome = endedBy(SIGTERM, GetParam(), std::chrono::milliseconds(2500), kLongRun);
  EXPECT_NE(outcome.status, 0) << told(outcome);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{});
  EXPECT_EQ(occurrences(outcome.err, "simscope: "), 1) << told(outcome);
  if (GetParam() > 0) {
    EXPECT_EQ(occurrences(outcome.err, "simscope: rank 1 on "), 1) << told(outcome);
    EXPECT_NE(outcome.err.find("stopped by signal 15"), std::string::npos) << told(outcome);
  } else {
    EXPECT_NE(outcome.err.find("interrupted; nothing was written"), std::string::npos) << told(outcome);
  }
}

// The others wait to send their rows then.
TEST_F(Endings, AFullDiskEndsAllWithOneMessage) {
  SIMSCOPE_NEEDS_MPI();
  const Outcome outcome =
      mpirun(folder_, 3, {"run", "heat", "--set", "grid_points=1024", "--steps", "2", "--save", "/dev/full"});
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_EQ(occurrences(outcome.err, "simscope: "), 1) << told(outcome);
  EXPECT_NE(outcome.err.find("/dev/full"), std::string::npos) << told(outcome);
  EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << told(outcome);
}

TEST_F(Endings, AKilledRankEndsASweepARecordingAndARunOfBodies) {
  SIMSCOPE_NEEDS_MPI();
  const Outcome sweep = endedBy(SIGKILL, 2, std::chrono::milliseconds(1200),
                                {"sweep", "tunneling", "--param", "packet_momentum=0.5:3:60", "--measure",
                                 "transmission", "--steps", "100000000", "--out", "t.csv"});
  EXPECT_NE(sweep.status, 0);
  const Outcome film =
      endedBy(SIGKILL, 1, std::chrono::milliseconds(1200),
              {"render", "monte_carlo_pi", "--frames", "100000", "--size", "160x120", "--out", "f.gif"});
  EXPECT_NE(film.status, 0);
  const Outcome bodies = endedBy(SIGKILL, 2, std::chrono::milliseconds(1200),
                                 {"run", "nbody", "--set", "bodies=3000", "--set", "method=tree", "--steps",
                                  "100000000", "--save-snapshot", "b.npz"});
  EXPECT_NE(bodies.status, 0);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{});
}

// The other rank waits for data from its device that never arrives.
class EndingOnCuda : public Endings, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Moments, EndingOnCuda, testing::Range(0, 20));

TEST_P(EndingOnCuda, AKilledRankEndsAllAndNoFileIsHalfThere) {
  SIMSCOPE_NEEDS_CUDA();
  std::mt19937 random(static_cast<unsigned>(GetParam()) + 71);
  const int rank = static_cast<int>(random() % 2);
  const auto moment = std::chrono::milliseconds(500 + random() % 2500);
  SCOPED_TRACE("rank " + std::to_string(rank) + " after ms: " + std::to_string(moment.count()));
  const std::vector<std::string> kinds[] = {
      {"run", "heat", "--set", "grid_points=2048"},
      {"run", "nbody", "--set", "initial=plummer", "--set", "bodies=100000", "--set", "method=tree"},
      {"run", "reaction_diffusion", "--set", "grid_points=1024"},
      {"run", "heat", "--set", "scheme=adi", "--set", "grid_points=2048"}};
  const Outcome outcome =
      endedBy(SIGKILL, rank, moment, kinds[GetParam() % 4] + kOutputs + Arguments{"--device", deviceFor(2)}, 2);
  EXPECT_NE(outcome.status, 0) << told(outcome);
  EXPECT_EQ(filesOf(), std::vector<std::string>{}) << told(outcome);
}

}  // namespace
}  // namespace simscope::ranks_test
