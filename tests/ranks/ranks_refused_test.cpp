// What ranks refuse: once, by name, before anything is written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test {
namespace {

using cli_test::told;

TEST(RanksRefuse, WhatCannotBeDividedWithTheListOfWhatCan) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome = mpirun(folder, 3, {"run", "tunneling", "--steps", "1", "--report", "r.json"});
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_EQ(occurrences(outcome.err, "a run of tunneling cannot be divided among ranks"), 1) << told(outcome);
  for (const char* const each : {"monte_carlo_pi", "histograms", "maxwell_boltzmann (with model="}) {
    EXPECT_NE(outcome.err.find(each), std::string::npos) << each;
  }
  EXPECT_TRUE(folder.names().empty());
  const Outcome discs = mpirun(folder, 2, {"render", "maxwell_boltzmann", "--set", "model=discs", "--out", "d.gif"});
  EXPECT_EQ(discs.status, 2);
  EXPECT_EQ(occurrences(discs.err, "a run of maxwell_boltzmann with these parameters cannot"), 1) << told(discs);
  EXPECT_TRUE(folder.names().empty());
}

TEST(RanksRefuse, WhatOneProcessRefusesOnce) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  std::ofstream(folder / "there.csv") << "mine";
  const Outcome exists = mpirun(
      folder, 3,
      {"sweep", "tunneling", "--param", "packet_momentum=1:2:3", "--measure", "transmission", "--out", "there.csv"});
  EXPECT_EQ(exists.status, 2) << told(exists);
  EXPECT_EQ(occurrences(exists.err, "simscope: "), 1) << told(exists);
  EXPECT_EQ(cli_test::contentOf(folder / "there.csv"), "mine");
  const Outcome value = mpirun(folder, 3, {"run", "monte_carlo_pi", "--set", "chains=-1", "--steps", "1"});
  EXPECT_EQ(value.status, 2) << told(value);
  EXPECT_EQ(occurrences(value.err, "chains"),
            occurrences(alone(folder, {"run", "monte_carlo_pi", "--set", "chains=-1", "--steps", "1"}).err, "chains"));
  const Outcome steps = mpirun(folder, 2, {"run", "monte_carlo_pi", "--steps", "many"});
  EXPECT_EQ(steps.status, 2) << told(steps);
  EXPECT_EQ(occurrences(steps.err, "simscope: --steps: 'many' is not a whole number"), 1) << told(steps);
  if (cudaDevices() == 0) {
    const Outcome cuda = mpirun(folder, 2, {"run", "monte_carlo_pi", "--steps", "1", "--device", "cuda:0"});
    EXPECT_EQ(cuda.status, 2);
    EXPECT_EQ(occurrences(cuda.err, "--device: cuda:0 cannot be used: "), 1) << told(cuda);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"there.csv"});
}

// Ranks that are not all the same program with the same line: rank 0 is given one, the others another. (mpirun's own
// "A : B" says the same, but ends by a segmentation fault in Open MPI 5.0 on machines without /sys.)
Outcome different(const Folder& folder, int ranks, const std::string& first, const std::string& others) {
  const std::string line =
      "if [ \"$OMPI_COMM_WORLD_RANK\" = 0 ]; then exec " + first + "; else exec " + others + "; fi";
  return mpirun(folder, ranks, {"-c", line}, "/bin/sh");
}

TEST(RanksRefuse, DifferentRuns) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const std::string run = "'" SIMSCOPE_PROGRAM "' run monte_carlo_pi --steps 1 --save s.npy";
  const Outcome outcome = different(folder, 3, run, run + " --seed 2");
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_EQ(occurrences(outcome.err, "the run of rank 0 on "), 1) << told(outcome);
  EXPECT_NE(outcome.err.find(" differs from that of rank 1 on "), std::string::npos) << told(outcome);
  EXPECT_TRUE(folder.names().empty());
}

// The others send rows that rank 0 does not take, or it waits for rows that they do not send.
TEST(RanksRefuse, DifferentSaves) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const std::string run = "'" SIMSCOPE_PROGRAM "' run heat --set grid_points=64 --steps 1";
  for (const std::string more : {" --save s.npy", " --save-snapshot s.npz"}) {
    for (const bool first : {true, false}) {
      const Outcome outcome = different(folder, 2, run + (first ? more : ""), run + (first ? "" : more));
      EXPECT_EQ(outcome.status, 2) << told(outcome);
      EXPECT_EQ(occurrences(outcome.err, "the run of rank 0 on "), 1) << told(outcome);
      EXPECT_TRUE(folder.names().empty());
    }
  }
}

// Only rank 0 writes: another's file would be missing without a word.
TEST(RanksRefuse, AFileThatOneRankAloneIsToWrite) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const std::string program = "'" SIMSCOPE_PROGRAM "' ";
  for (const auto& [command, more] :
       {std::pair<std::string, std::string>{"run heat --set grid_points=64 --steps 1", " --report r.json"},
        {"render heat --set grid_points=64 --frames 2 --out a.csv", " --out a.npy"},
        {"sweep heat --set grid_points=64 --param diffusivity=1:2:2 --measure center --steps 1", " --out a.csv"}}) {
    const Outcome outcome = different(folder, 2, program + command, program + command + more);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    EXPECT_NE(outcome.err.find("Start all ranks with the same command"), std::string::npos) << told(outcome);
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST(RanksRefuse, DifferentCommands) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const std::string program = "'" SIMSCOPE_PROGRAM "'";
  const std::string run = program + " run heat --set grid_points=64 --steps 1 --save s.npy";
  const std::string sweep = program + " sweep tunneling --param packet_momentum=1:2:2 --measure norm --steps 1";
  for (const auto& [first, others] :
       {std::pair{run, program + " devices"}, {program + " devices", run}, {run, sweep}}) {
    const Outcome outcome = different(folder, 3, first, others);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    EXPECT_NE(outcome.err.find("Start all ranks with the same command"), std::string::npos) << told(outcome);
    EXPECT_EQ(occurrences(outcome.err, "simscope: "), 1) << told(outcome);
    EXPECT_TRUE(folder.names().empty());
  }
}

// Each copy would be the only rank.
TEST(RanksRefuse, AnotherMpisLauncher) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  for (const std::map<std::string, std::string>& launcher :
       {std::map<std::string, std::string>{{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}, {"MPI_LOCALNRANKS", "2"}},
        {{"MV2_COMM_WORLD_SIZE", "2"}},
        {{"PMI_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}}}) {
    cli_test::Settings settings;
    settings.environment = launcher;
    const Outcome outcome =
        cli_test::simscope(folder, {"run", "monte_carlo_pi", "--steps", "1", "--save", "s.npy", "--force"}, settings);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    EXPECT_NE(outcome.err.find("2 copies were started together, but Open MPI"), std::string::npos) << told(outcome);
    EXPECT_TRUE(folder.names().empty());
  }
}

// A farm of single runs is started like this, too: the first copy tells, and all of them compute.
TEST(Ranks, AStepOfSlurmWithoutPmixIsTold) {
  const Folder folder;
  for (const char* each : {"0", "1"}) {
    cli_test::Settings settings;
    settings.environment = {{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "4"}, {"SLURM_PROCID", each}};
    const Outcome outcome = cli_test::simscope(folder, {"run", "monte_carlo_pi", "--steps", "1"}, settings);
    EXPECT_EQ(outcome.status, 0) << told(outcome);
    EXPECT_EQ(occurrences(outcome.err, "srun has started 4 copies"), each == std::string("0") ? 1 : 0) << told(outcome);
  }
}

// With --force each copy would replace the others' file.
TEST(RanksRefuse, CopiesOfAStepOfSlurmThatWouldReplaceEachOthersFiles) {
  const Folder folder;
  for (const char* each : {"run-02", "plain"}) std::filesystem::create_directory(folder / each);
  const auto outcome = [&](std::vector<std::string> more) {
    cli_test::Settings settings;
    settings.environment = {{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}};
    std::vector<std::string> words = {"run", "monte_carlo_pi", "--steps", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return cli_test::simscope(folder, words, settings);
  };
  const Outcome refused = outcome({"--report", "plain/report.json", "--force"});
  EXPECT_EQ(refused.status, 2) << told(refused);
  EXPECT_NE(refused.err.find("would replace the same 'plain/report.json'"), std::string::npos) << told(refused);
  EXPECT_FALSE(std::filesystem::exists(folder / "plain/report.json"));
  EXPECT_EQ(outcome({"--report", "plain/r12.json", "--save", "run-02/a.npy", "--force"}).status, 2);
  for (const auto& each : {std::vector<std::string>{"--report", "plain/report.json"},
                           {"--report", "plain/report-2.json", "--force"},
                           {"--report", "run-02/report.json", "--save", "a02.npy", "--force"},
                           {"--report", "-", "--force"},
                           {"--report", "/dev/null", "--force"}}) {
    const Outcome made = outcome(each);
    EXPECT_EQ(made.status, 0) << told(made);
  }
}

TEST(RanksRefuse, DifferentBuilds) {
  SIMSCOPE_NEEDS_MPI();
  namespace fs = std::filesystem;
  const Folder folder, other;
  const fs::path program = SIMSCOPE_PROGRAM, copy = other / "simscope";
  fs::copy_file(program, copy);
  fs::copy_file(program.parent_path() / "libsimscope_mpi.so", other / "libsimscope_mpi.so");
  std::ofstream(copy, std::ios::app | std::ios::binary) << "another build";
  const std::string arguments = " run monte_carlo_pi --steps 1 --save s.npy";
  const Outcome outcome =
      different(folder, 2, "'" SIMSCOPE_PROGRAM "'" + arguments, "'" + copy.string() + "'" + arguments);
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_EQ(occurrences(outcome.err, "the build of rank 0 on "), 1) << told(outcome);
  EXPECT_NE(outcome.err.find(" differs from that of rank 1 on "), std::string::npos) << told(outcome);
  EXPECT_TRUE(folder.names().empty());
}

// Without the module beside it the program says so, rather than writing the same file several times.
TEST(RanksRefuse, ToStartWithoutTheModule) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder, other;
  std::filesystem::copy_file(SIMSCOPE_PROGRAM, other / "simscope");
  cli_test::Settings settings;
  settings.program = (other / "simscope").string();
  settings.environment["OMPI_COMM_WORLD_SIZE"] = "2";
  const Outcome outcome =
      cli_test::simscope(folder, {"run", "monte_carlo_pi", "--steps", "1", "--save", "s.npy"}, settings);
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_NE(outcome.err.find("libsimscope_mpi.so cannot be loaded beside"), std::string::npos) << told(outcome);
  EXPECT_TRUE(folder.names().empty());
  // Commands that use no ranks, and a process that is alone, do not look for it.
  EXPECT_EQ(cli_test::simscope(folder, {"list"}, settings).status, 0);
  settings.environment["OMPI_COMM_WORLD_SIZE"] = "1";
  EXPECT_EQ(cli_test::simscope(folder, {"run", "monte_carlo_pi", "--steps", "1"}, settings).status, 0);
}

}  // namespace
}  // namespace simscope::ranks_test
