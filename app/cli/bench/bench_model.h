// bench --model: what many devices would take, by a model that is fitted to files of bench --devices.
// Called with what was typed. Thread: main. Errors: UsageError (files that are none, too few points), Error.
#pragma once

#include "app/cli/bench/bench_command.h"

namespace simscope::cli {

void benchModel(const BenchArguments& arguments);

}  // namespace simscope::cli
