// Ctrl+C and other stop signals: a stopped command ends within two seconds, whatever it is doing, and leaves no
// partial file and no child process.
//
// SIGINT, SIGTERM, and SIGHUP set a flag that long loops check. A watching thread waits for it: if the program has not
// ended a second later, or if a second signal comes, the thread kills the children, removes unfinished files, and ends
// the process at once (during a step of a million bodies, or while a file does not open). SIGINT and
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
// Prints the message and returns the exit status; waits for the end if the watching thread has printed it already.
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
