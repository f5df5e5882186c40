// bench: how fast this machine is.
// Called with what was typed; returns when its work is done and throws what
// runProgram turns into an exit status: UsageError, Error, Interrupted. Thread: main.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"

namespace simscope::cli {

struct BenchArguments {
  std::vector<std::string> simulations;  // empty: all
  Text preset;                           // of the one simulation that is named
  std::vector<std::string> set;          // likewise: "key=value"
  std::vector<std::string> sizes;        // likewise: one measurement each
  Text device, threads, json;
  bool live = false;
  bool start = false;  // of the window
  bool force = false;
};

void bench(const BenchArguments& arguments);

}  // namespace simscope::cli
