// Ends a process that hangs or crashes with what it was at: the actions so far, and the main thread's calls.
//
// Owner: one a process, made on the thread that is watched. Thread: note() and turn() on that one.
#pragma once

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

namespace simscope::soak {

class Watchdog {
 public:
  // `log` gets every action as it begins, the newest last.
  Watchdog(const std::string& log, double seconds);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void turn() noexcept;  // the loop turns
  void note(const std::string& action);

 private:
  std::FILE* log_;
  std::atomic<double> turned_at_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace simscope::soak
