// The scenes that `simscope bench` measures, from the typed arguments. Errors: UsageError. Thread: any.
#pragma once

#include <vector>

#include "app/cli/bench/bench_command.h"
#include "app/scene/scene.h"

namespace simscope::cli {

std::vector<Scene> benchScenes(const BenchArguments& arguments);

}  // namespace simscope::cli
