// The command line: reads the arguments, executes one command, and turns failures into exit statuses.
//
//   0  done            1  failure at run time; partial files are removed
//   2  bad usage or value; nothing was computed or written      130, 143, 129  ended by SIGINT, SIGTERM, SIGHUP
//   3  verify or judge found a mismatch
//
// Thread: the main thread, once per process (it installs signal handlers). Errors go to standard error, each line
// with "simscope: " in front; nothing is thrown.
#pragma once

#include <string>

namespace simscope::cli {

int runProgram(int argc, char** argv, const std::string& version);

}  // namespace simscope::cli
