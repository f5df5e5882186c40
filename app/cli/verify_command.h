// verify: renders the scene of a picture or film again and compares.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main.
#pragma once

#include <string>

#include "app/cli/options.h"

namespace simscope::cli {

struct VerifyArguments {
  std::string file;
  Text out, tolerance, most_seconds, device, threads;
  bool json = false, force = false;
};

// False: they differ.
bool verify(const VerifyArguments& arguments);

}  // namespace simscope::cli
