// judge: checks a result computed by another program.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"

namespace simscope::cli {

// `what` is the scene, or SIM:PRESET.
struct JudgeArguments : SceneArguments {
  std::string file;
  Text at, frame;
  std::vector<std::string> require;
  bool json = false;
};

// False: a requirement is not met.
bool judge(const JudgeArguments& arguments);

}  // namespace simscope::cli
