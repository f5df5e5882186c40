#include "tests/soak/watchdog.h"

#include <execinfo.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>

namespace simscope::soak {

namespace {

constexpr int kHungStatus = 3;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void tellCalls(int signal) {
  static constexpr char kWords[] = "soak: the calls of this thread:\n";
  if (write(STDERR_FILENO, kWords, sizeof kWords - 1) < 0) _exit(kHungStatus);
  std::array<void*, 64> calls{};
  backtrace_symbols_fd(calls.data(), backtrace(calls.data(), static_cast<int>(calls.size())), STDERR_FILENO);
  if (signal == SIGUSR2) return;
  std::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

Watchdog::Watchdog(const std::string& log, double seconds) : log_(std::fopen(log.c_str(), "w")), turned_at_(now()) {
  for (const int each : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGUSR2}) std::signal(each, tellCalls);
  thread_ = std::thread([this, seconds, watched = pthread_self()] {
    while (!done_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (now() - turned_at_ < seconds) continue;
      std::fprintf(stderr, "soak: FAILED: the window has not turned for %.0f s\n", seconds);
      pthread_kill(watched, SIGUSR2);
      std::this_thread::sleep_for(std::chrono::seconds(2));
      _exit(kHungStatus);
    }
  });
}

Watchdog::~Watchdog() {
  done_ = true;
  thread_.join();
  if (log_) std::fclose(log_);
}

void Watchdog::turn() noexcept {
  turned_at_ = now();
}

void Watchdog::note(const std::string& action) {
  if (!log_) return;
  std::fprintf(log_, "%s\n", action.c_str());
  std::fflush(log_);
}

}  // namespace simscope::soak
