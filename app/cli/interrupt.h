// Ctrl+C and its relatives: a command that is stopped ends within two seconds, whatever it is doing, and leaves no
// partial file and no child behind.
//
// SIGINT, SIGTERM, and SIGHUP set a flag that long loops ask for. A thread of its own watches over it: where the
// program has not ended a second later, or where a second signal comes, it kills the children, removes what is
// unfinished, and ends the process there and then (a step of a million bodies, a file that does not open). SIGINT and
// SIGTERM are handled even where the parent had them ignored (background jobs of a script); SIGHUP stays ignored where
// it was (nohup). Thread: main; stopRequested() from any.
#pragma once

#include <stdexcept>

namespace simscope::cli {

// A signal asked the command to end. Exit status: 128 + signal.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int number);  // says whether files were written
  Interrupted(int number, const char* what) : std::runtime_error(what), signal(number) {}
  const int signal;
};

// Installs the handlers. Also: SIGPIPE and SIGXFSZ are ignored, so that writing reports an error instead; standard
// input, output, and error are opened on /dev/null where they were closed, so that no file takes their numbers.
void prepareProcess();
bool stopRequested() noexcept;
// Throws Interrupted where a signal has come.
void throwIfStopped();
// Says it, and returns the exit status; or waits for the end, where the watching thread was quicker.
int endOf(const Interrupted& interrupted) noexcept;
// The signal that has come; 0: none.
int stopSignal() noexcept;

// From here on the orderly end has less than a third of a second: mpirun kills a second after its signal.
void endEarly() noexcept;

// While it lives, the first signal already ends the process: for waits that cannot be broken off in another way. A
// signal that came before it is thrown by the constructor.
class ExitAtOnce {
 public:
  ExitAtOnce();
  ~ExitAtOnce();
  ExitAtOnce(const ExitAtOnce&) = delete;
  ExitAtOnce& operator=(const ExitAtOnce&) = delete;
};

// While it lives, a second signal ends nothing early: the window has its second to save and close.
class Patient {
 public:
  Patient();
  ~Patient();
  Patient(const Patient&) = delete;
  Patient& operator=(const Patient&) = delete;
};

}  // namespace simscope::cli
