#include "app/cli/process/interrupt.h"

#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <exception>
#include <string>
#include <thread>

#include "app/cli/output.h"
#include "app/export/unfinished.h"

namespace simscope::cli {

namespace {

constexpr int kGrace = 1000, kShortGrace = 100;  // [ms] for the orderly end; the other one takes a second at most
std::atomic<int> grace{kGrace};

std::atomic<int> received{0};
std::atomic<bool> at_once{false}, patient{false}, watched{false}, said{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);
std::atomic<const char*> timer_says{nullptr};  // see endByTimer()
std::atomic<int> timer_status{0};
static_assert(std::atomic<const char*>::is_always_lock_free);
sem_t arrivals;

const char* lastWord() {
  return exporting::unfinished::placed() > 0 ? "interrupted; the files are complete"
                                             : "interrupted; nothing was written";
}

void say(const char* what) noexcept {
  note("simscope: ");
  note(what);
  note("\n");
}

[[noreturn]] void endAtOnce() {
  exporting::unfinished::abandonAll();
  if (!said.exchange(true)) say(lastWord());
  _exit(128 + received);
}

// The same in a handler, where no thread watches.
[[noreturn]] void endInHandler() {
  exporting::unfinished::removeAfterFault();
  const char* const what = timer_says;
  const int number = received != 0 ? received.load() : what == nullptr ? SIGALRM : 0;  // or somebody sent that one
  if (!said.exchange(true)) say(number != 0 ? lastWord() : what);
  _exit(number != 0 ? 128 + number : timer_status.load());
}

void setTimer(double seconds) noexcept {
  constexpr double kMicroseconds = 1e6;
  const auto whole = static_cast<time_t>(seconds);
  itimerval timer = {};
  timer.it_value = {whole, static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * kMicroseconds)};
  setitimer(ITIMER_REAL, &timer, nullptr);  // a system call and no more, which a handler may make
}

extern "C" void onTimer(int) {
  endInHandler();
}

extern "C" void onSignal(int number) {
  const int saved = errno;
  int none = 0;
  const bool first = received.compare_exchange_strong(none, number);
  if (watched) {
    sem_post(&arrivals);
  } else if (at_once || (!first && !patient)) {
    endInHandler();
  } else if (first) {
    setTimer(grace / 1000.0);
  }
  errno = saved;
}

void waitForSignal() {
  while (sem_wait(&arrivals) != 0 && errno == EINTR) {
  }
}

// Until the moment, or another signal.
void waitUntil(const timespec& moment) {
  for (;;) {
    if (sem_clockwait(&arrivals, CLOCK_MONOTONIC, &moment) == 0) {
      if (!patient) return;
    } else if (errno != EINTR) {
      return;
    }
  }
}

void watch() {
  waitForSignal();
  timespec moment{};
  clock_gettime(CLOCK_MONOTONIC, &moment);
  moment.tv_nsec += 1'000'000L * (grace % 1000);
  moment.tv_sec += grace / 1000 + moment.tv_nsec / 1'000'000'000L;
  moment.tv_nsec %= 1'000'000'000L;
  if (!at_once) waitUntil(moment);
  endAtOnce();
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

// Faults of this program, or of a driver that found no memory: the files that are not complete go, and then the signal
// does what it did before.
constexpr std::array kFaults = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
std::array<struct sigaction, kFaults.size()> before_fault;

extern "C" void onFault(int number, siginfo_t* info, void*) {
  for (std::size_t i = 0; i < kFaults.size(); ++i) sigaction(kFaults[i], &before_fault[i], nullptr);
  exporting::unfinished::removeAfterFault();
  note("simscope: a fault ended the program, perhaps for want of memory; partial files were deleted\n");
  if (info->si_code <= 0) raise(number);  // else the instruction faults again
}

void handleFaults() {
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kFaults.size(); ++i) sigaction(kFaults[i], &action, &before_fault[i]);
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

Interrupted::Interrupted(int number) : std::runtime_error(lastWord()), signal(number) {}

void prepareProcess() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    // Read-only, so that writing to a stream that the caller closed still fails.
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) < 0) break;
  }
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);
  sem_init(&arrivals, 0, 0);
  try {
    std::thread(watch).detach();
    watched = true;
  } catch (const std::exception&) {
    // A timer does it: see onSignal.
  }
  handle(SIGALRM, onTimer);
  handle(SIGINT, onSignal);
  handle(SIGTERM, onSignal);
  if (!ignored(SIGHUP)) handle(SIGHUP, onSignal);
  handleFaults();
  unblock(SIGINT);
  unblock(SIGTERM);
  unblock(SIGALRM);
}

bool stopRequested() noexcept {
  return received != 0;
}

void throwIfStopped() {
  if (const int number = received) throw Interrupted(number);
}

int endOf(const Interrupted& interrupted) noexcept {
  while (said.exchange(true)) pause();
  say(interrupted.what());
  return 128 + interrupted.signal;
}

int stopSignal() noexcept {
  return received;
}

void endByTimer(double seconds, const char* what, int status) noexcept {
  timer_says = what;
  timer_status = status;
  if (received == 0) setTimer(seconds);
}

void endEarly() noexcept {
  grace = kShortGrace;
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

Patient::Patient() {
  patient = true;
}

Patient::~Patient() {
  patient = false;
}

}  // namespace simscope::cli
