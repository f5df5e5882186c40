// The interface: by a probe that runs as ranks, and the parts that need no ranks.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "sims/compute/ranks/launch.h"
#include "sims/compute/ranks/transport_memory.h"
#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test {
namespace {

using compute::Ranks;

TEST(RankShares, AreBlocksInOrderThatDifferByOneAtMost) {
  for (const int size : {1, 2, 3, 7}) {
    for (const std::uint64_t count : {0u, 1u, 6u, 100u}) {
      std::uint64_t next = 0;
      for (int rank = 0; rank < size; ++rank) {
        const auto [first, number] = Ranks::shareOf(count, rank, size);
        EXPECT_EQ(first, next);
        EXPECT_LE(number, count / static_cast<std::uint64_t>(size) + 1);
        EXPECT_GE(number, count / static_cast<std::uint64_t>(size));
        next += number;
      }
      EXPECT_EQ(next, count);
    }
  }
}

TEST(CoreShares, DivideTheCoresAndThoseBeyondShareThem) {
  const std::vector<int> cores{0, 1, 2, 3, 8, 9, 10, 11};
  EXPECT_EQ(compute::coreShareOf(cores, 8, 0, 3).cores, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(compute::coreShareOf(cores, 8, 2, 3).cores, (std::vector<int>{10, 11}));
  EXPECT_EQ(compute::coreShareOf(cores, 8, 2, 3).threads, 2);
  EXPECT_EQ(compute::coreShareOf(cores, 8, 9, 16).cores, (std::vector<int>{1}));
  EXPECT_EQ(compute::coreShareOf(cores, 8, 9, 16).threads, 1);
  // A container may have two processors of eight cores.
  EXPECT_EQ(compute::coreShareOf(cores, 2, 0, 2).threads, 1);
  EXPECT_EQ(compute::coreShareOf(cores, 8, 0, 1).threads, 8);
  EXPECT_EQ(compute::coresText({0, 1, 2, 5, 8, 9}), "0-2,5,8-9");
  EXPECT_EQ(compute::coresText({}), "");
}

TEST(Launch, IsSeenInTheEnvironmentThatLaunchersSet) {
  const auto of = [](std::vector<std::string> entries) {
    std::vector<char*> pointers;
    for (std::string& each : entries) pointers.push_back(each.data());
    pointers.push_back(nullptr);
    return compute::launchOf(pointers.data());
  };
  EXPECT_FALSE(of({"HOME=/root", "SLURM_NTASKS=4", "PMIX_RANKS=1"}).launched) << "a batch script is no rank";
  EXPECT_TRUE(of({"OMPI_COMM_WORLD_SIZE=4"}).launched);
  EXPECT_EQ(of({"PMIX_RANK=0", "OMPI_COMM_WORLD_SIZE=4"}).size, 4);
  EXPECT_TRUE(of({"PMIX_RANK=3"}).launched) << "srun --mpi=pmix";
  EXPECT_EQ(of({"PMIX_RANK=0", "SLURM_STEP_NUM_TASKS=1"}).size, 1);
  EXPECT_FALSE(of({"SLURM_STEP_NUM_TASKS=2"}).launched) << "copies that know nothing of each other";
  EXPECT_EQ(of({"PMI_RANK=1", "PMI_SIZE=2"}).size, 2) << "srun --mpi=pmi2";
  EXPECT_EQ(of({"PMI_RANK=0", "PMI_SIZE=4", "MPI_LOCALNRANKS=2"}).size, 4) << "mpiexec.hydra on two machines";
  EXPECT_EQ(of({"PMI_SIZE=8", "PMI_RANK=3", "OMPI_COMM_WORLD_SIZE=1"}).size, 1) << "mpirun -n 1 in a step of Slurm";
  EXPECT_EQ(of({"SLURM_STEP_NUM_TASKS=4", "SLURM_PROCID=3"}).tasks, 4) << "srun --mpi=none";
  EXPECT_EQ(of({"SLURM_STEP_NUM_TASKS=4", "SLURM_PROCID=3"}).task, 3);
  EXPECT_EQ(of({"SLURM_STEP_NUM_TASKS=4", "PMIX_RANK=0"}).tasks, 1);
  EXPECT_EQ(of({"SLURM_NTASKS=4", "SLURM_PROCID=0"}).tasks, 1) << "a batch script starts one copy";
}

TEST(RanksProbe, EveryOperationIsRightForOneToFourRanks) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  EXPECT_EQ(mpirun(folder, 1, {"collectives"}, SIMSCOPE_PROBE).out, "alone\n");
  for (const int ranks : {2, 3, 4}) {
    const Outcome outcome = mpirun(folder, ranks, {"collectives"}, SIMSCOPE_PROBE);
    EXPECT_EQ(outcome.status, 0) << cli_test::told(outcome);
    EXPECT_EQ(outcome.out, std::to_string(ranks) + " ranks: fine\n");
  }
}

TEST(RanksProbe, ARankThatNeverComesIsNamed) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome = mpirun(folder, 3, {"lost"}, SIMSCOPE_PROBE);
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("rank 0 on "), std::string::npos) << cli_test::told(outcome);
  EXPECT_NE(outcome.err.find("no message from rank 1 on "), std::string::npos) << cli_test::told(outcome);
  EXPECT_EQ(outcome.err.find("heard of rank 2"), std::string::npos) << cli_test::told(outcome);
}

// A copy that is started with something else never calls MPI, and MPI_Init waits for it.
TEST(RanksProbe, CopiesThatDoNotComeEndTheOthers) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome =
      mpirun(folder, 2,
             {"-c", "if [ \"$OMPI_COMM_WORLD_RANK\" = 0 ]; then exec '" SIMSCOPE_PROBE "' start; else sleep 60; fi"},
             "/bin/sh");
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("not all of 2 ranks have come to their first meeting within 1 s: the run ends"),
            std::string::npos)
      << cli_test::told(outcome);
}

TEST(RanksProbe, ARankThatSaysThatItWorksIsWaitedFor) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome = mpirun(folder, 3, {"patient"}, SIMSCOPE_PROBE);
  EXPECT_EQ(outcome.status, 0) << cli_test::told(outcome);
}

// One of two ends of a memory that the other never uses.
TEST(RanksMeeting, IsBoundedAndNamesTheRankThatDoesNotCome) {
  const auto memory = std::make_shared<compute::SharedMemory>(std::vector<std::string>{"here", "there"});
  try {
    const Ranks ranks(compute::SharedMemory::end(memory, 0), {});
    FAIL() << "it met nobody";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(),
              std::string("no message from rank 1 for 10 s (sum): it hangs, or its machine cannot be reached"));
  }
}

// The program starts without MPI's libraries; as a single process it does not look for them.
TEST(RanksModule, IsNotPartOfTheProgram) {
  std::ifstream file(SIMSCOPE_PROGRAM, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(bytes.find("MPI_Init"), std::string::npos);
  EXPECT_EQ(bytes.find("libmpi.so"), std::string::npos);
}

}  // namespace
}  // namespace simscope::ranks_test
