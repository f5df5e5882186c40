// Starts the program (or the probe) as several ranks on this machine. Without MPI the tests are skipped.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace simscope::ranks_test {

using cli_test::Arguments;
using cli_test::Folder;
using cli_test::Outcome;
using cli_test::operator+;

// "mpirun …": with the flags that this machine's tests need, which users do not.
std::vector<std::string> mpirunArguments(int ranks, const std::string& program,
                                         const std::vector<std::string>& arguments);
cli_test::Settings mpirunSettings();

Outcome mpirun(const Folder& folder, int ranks, const std::vector<std::string>& arguments,
               const std::string& program = SIMSCOPE_PROGRAM);
// A single process without mpirun.
Outcome alone(const Folder& folder, const std::vector<std::string>& arguments);

// CUDA devices that the program finds here, and how ranks get them: one each where there are as many, otherwise all the
// first.
int cudaDevices();
std::string deviceFor(int ranks);

// How many times a text occurs.
int occurrences(const std::string& text, const std::string& part);

}  // namespace simscope::ranks_test

#define SIMSCOPE_NEEDS_MPI() \
  if (std::string(SIMSCOPE_MPIRUN).empty()) GTEST_SKIP() << "built without MPI (libopenmpi-dev and openmpi-bin)"
#define SIMSCOPE_NEEDS_CUDA() \
  SIMSCOPE_NEEDS_MPI();       \
  if (cudaDevices() == 0) GTEST_SKIP() << "there is no GPU"
