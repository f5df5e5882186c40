// list, describe, devices: simulations, one simulation, devices.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main.
#pragma once

#include <string>

#include "app/cli/process/team.h"

namespace simscope::cli {

enum class ListFormat { Table, JsonArray, Markdown };

void list(ListFormat format);
void describe(const std::string& simulation, bool as_json);
// Under mpirun: the device of each rank.
void devices(bool as_json, const Team& team);

}  // namespace simscope::cli
