// bench: the speed of this machine.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/process/team.h"

namespace simscope::cli {

struct BenchArguments {
  std::vector<std::string> simulations;  // empty: all
  Text preset;                           // of the one named simulation
  std::vector<std::string> set;          // likewise: "key=value"
  std::vector<std::string> sizes;        // likewise: one measurement each
  Text device, threads, json;
  bool live = false;
  bool start = false;    // of the window
  bool devices = false;  // of the ranks, together and one alone
  bool force = false;
};

// `team`: joined before if several devices are measured.
void bench(const BenchArguments& arguments, Team& team);

}  // namespace simscope::cli
