// doctor: checks what this computer has and what is missing.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main.
#pragma once

#include <string>

namespace simscope::cli {

// False: something is wrong. `version`: of the program.
bool doctor(bool as_json, const std::string& version);

}  // namespace simscope::cli
