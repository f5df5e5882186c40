// Ctrl+C and its relatives, so that a command that is stopped leaves no partial file behind.
//
// SIGINT, SIGTERM, and SIGHUP set a flag that long loops ask for; a second one removes the temporary files and ends
// the process at once. SIGINT and SIGTERM are handled even where the parent had them ignored (background jobs of
// a script); SIGHUP stays ignored where it was (nohup). Thread: main; stopRequested() from any.
#pragma once

#include <stdexcept>

namespace simscope::cli {

// A signal asked the command to end. Exit status: 128 + signal.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int number) : std::runtime_error("interrupted; nothing was written"), signal(number) {}
  const int signal;
};

// Installs the handlers. Also: SIGPIPE and SIGXFSZ are ignored, so that writing reports an error instead; standard
// input, output, and error are opened on /dev/null where they were closed, so that no file takes their numbers.
void prepareProcess();
bool stopRequested() noexcept;
// Throws Interrupted where a signal has come.
void throwIfStopped();

// While it lives, the first signal already removes the temporary files and ends the process: for waits that cannot
// be broken off in another way. A signal that came before it is thrown by the constructor.
class ExitAtOnce {
 public:
  ExitAtOnce();
  ~ExitAtOnce();
  ExitAtOnce(const ExitAtOnce&) = delete;
  ExitAtOnce& operator=(const ExitAtOnce&) = delete;
};

}  // namespace simscope::cli
