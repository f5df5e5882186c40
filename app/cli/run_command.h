// run: a simulation without pictures.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main.
#pragma once

#include "app/cli/options.h"
#include "app/cli/process/team.h"

namespace simscope::cli {

struct RunArguments : SceneArguments {
  Text steps, report, save, save_snapshot;
  bool force = false;
};

void run(const RunArguments& arguments, Team& team);

}  // namespace simscope::cli
