// show: the window with an array computed by another program.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main. This process owns the socket from now on.
#pragma once

#include <string>

#include "app/cli/options.h"

namespace simscope::cli {

struct ShowArguments {
  Text socket;
  Text device, threads, theme;
  std::string state_file;
};

void show(const ShowArguments& arguments);

}  // namespace simscope::cli
