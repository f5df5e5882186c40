// bench --start: the time from the start of the program to its window's first picture, and to the first motion.
// Called with the typed arguments. Thread: main. Errors: Error (no display, the window could not be opened),
// UsageError.
#pragma once

#include "app/cli/bench/bench_command.h"

namespace simscope::cli {

// Starts this program several times, each time as a first start: with a new, empty state folder.
void benchStart(const BenchArguments& arguments);

}  // namespace simscope::cli
