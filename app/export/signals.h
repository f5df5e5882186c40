// Threads that block signals.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace simscope::exporting {

// Threads started while this object exists block signals: Ctrl+C must interrupt a wait of the main thread. Faults still
// reach the thread that caused them.
class SignalsElsewhere {
 public:
  SignalsElsewhere() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
      sigdelset(&blocked, fault);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsElsewhere(const SignalsElsewhere&) = delete;
  SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace simscope::exporting
