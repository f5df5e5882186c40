// sweep: many runs over one or two parameters, and a diagnostic of each.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/process/team.h"

namespace simscope::cli {

struct SweepArguments : SceneArguments, FigureArguments {
  std::vector<std::string> param, measure, out;
  Text steps, report, fps;
  bool figures = false, one_by_one = false, force = false;
};

void sweep(const SweepArguments& arguments, Team& team);

}  // namespace simscope::cli
