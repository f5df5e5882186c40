#include "app/cli/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "app/export/files.h"

namespace simscope::cli {

namespace {

std::atomic<int> received{0};
std::atomic<bool> at_once{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void onSignal(int number) {
  const int before = received.exchange(number);
  if (before == 0 && !at_once) return;
  exporting::removePendingFiles();
  _exit(128 + number);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

bool ignored(int number) {
  struct sigaction action = {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void unblock(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace

void prepareProcess() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    // Read-only on purpose: writing to what the caller closed fails, as it should.
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) < 0) break;
  }
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);
  handle(SIGINT, onSignal);
  handle(SIGTERM, onSignal);
  if (!ignored(SIGHUP)) handle(SIGHUP, onSignal);
  unblock(SIGINT);
  unblock(SIGTERM);
}

bool stopRequested() noexcept {
  return received != 0;
}

void throwIfStopped() {
  if (const int number = received) throw Interrupted(number);
}

ExitAtOnce::ExitAtOnce() {
  at_once = true;
  if (const int number = received) {
    at_once = false;
    throw Interrupted(number);
  }
}

ExitAtOnce::~ExitAtOnce() {
  at_once = false;
}

}  // namespace simscope::cli
