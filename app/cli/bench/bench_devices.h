// bench --devices, under mpirun: steps on one device and on all of the ranks', the link between them, and how much of
// it a step takes. Called with what was typed, by all ranks. Thread: main. Errors: UsageError (no ranks, a simulation
// that is not divided), Error, Interrupted.
#pragma once

#include "app/cli/bench/bench_command.h"
#include "app/cli/team.h"

namespace simscope::cli {

void benchDevices(const BenchArguments& arguments, Team& team);

}  // namespace simscope::cli
