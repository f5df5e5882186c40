// bench --model: computes the times of many devices with a model fitted to files of bench --devices.
// Called with the typed arguments. Thread: main. Errors: UsageError (files of another kind, too few points), Error.
#pragma once

#include "app/cli/bench/bench_command.h"

namespace simscope::cli {

void benchModel(const BenchArguments& arguments);

}  // namespace simscope::cli
