// Turns the exception that ended a command into one line on standard error and the exit status. After a signal, any
// failure counts as an interruption (a child that was killed looks like a program that does not work).
//
// Thread: the program's. Errors: none.
#pragma once

#include <exception>

#include "app/cli/process/team.h"

namespace simscope::cli {

// Exit statuses, besides 128 and a signal's number.
inline constexpr int kDone = 0, kFailed = 1, kUsage = 2, kMismatch = 3;

int endOf(const std::exception& error);
// A rank that fails ends all ranks, with one message: rank 0 prints the reason; if it does not answer, this rank does.
int endOf(const std::exception& error, Team& team);

}  // namespace simscope::cli
