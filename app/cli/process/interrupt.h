// Ctrl+C and other stop signals: a stopped command ends within two seconds, whatever it is doing, and leaves no
// partial file and no child process.
//
// SIGINT, SIGTERM, and SIGHUP set a flag that long loops check. A watching thread waits for it: if the program has not
// ended a second later, or if a second signal comes, the thread kills the children, removes unfinished files, and ends
// the process at once (for example during a step of a million bodies, or while a file does not open). Where no thread
// can be started, a timer's signal does the same. SIGINT and
// SIGTERM are handled even if the parent had them ignored (background jobs of a script); SIGHUP stays ignored if it was
// (nohup). Thread: main; stopRequested() from any.
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

// Installs the handlers. Also ignores SIGPIPE and SIGXFSZ, so that writing reports an error instead, and opens closed
// standard input, output, and error on /dev/null, so that no file gets their numbers.
void prepareProcess();
bool stopRequested() noexcept;
// Throws Interrupted if a signal has come.
void throwIfStopped();
// Prints the message and returns the exit status; waits for the end if the watching thread has printed it already.
int endOf(const Interrupted& interrupted) noexcept;
// The signal that has come; 0: none.
int stopSignal() noexcept;

// For want of a thread: a timer ends the process after so many seconds, with this message (which must stay in memory)
// and status; unfinished files are removed. 0 seconds: no longer.
void endByTimer(double seconds, const char* said, int status) noexcept;

// From now on the orderly end has a tenth of a second: mpirun kills 0.25 s after its signal (Open MPI 5.0; 4.1: 1 s).
void endEarly() noexcept;

// While this object exists, the first signal already ends the process: for waits that cannot be interrupted otherwise.
// The constructor throws for an earlier signal.
class ExitAtOnce {
 public:
  ExitAtOnce();
  ~ExitAtOnce();
  ExitAtOnce(const ExitAtOnce&) = delete;
  ExitAtOnce& operator=(const ExitAtOnce&) = delete;
};

// While this object exists, a second signal does not end the process early: the window has its second to save and
// close.
class Patient {
 public:
  Patient();
  ~Patient();
  Patient(const Patient&) = delete;
  Patient& operator=(const Patient&) = delete;
};

}  // namespace simscope::cli
