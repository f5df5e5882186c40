// The one way out of a command that did not come to its end: it says why on standard error, in one line, and gives the
// exit status. What a signal broke off may fail in any way (a child that was killed reads as a program that does not
// work): the signal counts.
//
// Thread: the program's. Errors: none.
#pragma once

#include <exception>

#include "app/cli/team.h"

namespace simscope::cli {

// Exit statuses, besides 128 and a signal's number.
inline constexpr int kDone = 0, kFailed = 1, kUsage = 2, kNotAsItShouldBe = 3;

int endOf(const std::exception& error);
// A rank that cannot go on ends all of them, with one message: rank 0's, which is told why, or where that does not
// answer its own.
int endOf(const std::exception& error, Team& team);

}  // namespace simscope::cli
