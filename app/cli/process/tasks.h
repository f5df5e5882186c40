// Copies of the program that srun has started without PMIx: they cannot find each other, and each makes the whole
// command. A farm of single runs is started like that; one run for all by mistake, too. Thread: main.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"

namespace simscope::cli {

// The first copy says how many there are. Nothing where the program was started alone.
void noteTasks();
// UsageError where --force would let copies replace each other's files: a name, or the folder that it is in, has to
// have the copy's number. Without --force a copy never replaces the file of another one.
void requireOwnFiles(std::vector<std::string> files, const std::vector<Text>& more, bool force);

}  // namespace simscope::cli
