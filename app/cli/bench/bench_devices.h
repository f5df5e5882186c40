// bench --devices, under mpirun: steps on one device and on all ranks' devices, the link between them, and its part of
// a step. Called by all ranks with the typed arguments. Thread: main. Errors: UsageError (no ranks, a simulation that
// is not divided), Error, Interrupted.
#pragma once

#include "app/cli/bench/bench_command.h"
#include "app/cli/process/team.h"

namespace simscope::cli {

void benchDevices(const BenchArguments& arguments, Team& team);

}  // namespace simscope::cli
