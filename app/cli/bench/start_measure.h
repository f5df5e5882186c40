// bench --start: from the start of the program to what its window shows first, and to the first that moves.
// Called with what was typed. Thread: main. Errors: Error (no display, the window could not be opened), UsageError.
#pragma once

#include "app/cli/bench/bench_command.h"

namespace simscope::cli {

// Starts this program several times, each as if for the first time: with a folder of its own and nothing in it.
void benchStart(const BenchArguments& arguments);

}  // namespace simscope::cli
