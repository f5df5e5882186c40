// Measures lessons on its own thread, with its own devices and streams, which are released at the end. It does not
// touch devices of the rest of the program.
//
// Owner: its thread. Thread: all members from one thread. Errors: none; an error is an outcome's failure.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/lab/outcome.h"

namespace simscope::lab {

class Measurer {
 public:
  // device, threads: the device to measure beside the CPU, as in Device::open; "auto": the GPU if there is one.
  explicit Measurer(std::string device = "auto", int threads = 0) : device_(std::move(device)), threads_(threads) {}
  // Stops and waits for the measurement under way, not for its lesson.
  ~Measurer();
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  // Does nothing while it is busy. seconds: for all requests together (Budget).
  void start(std::vector<Request> requests, double seconds);
  // Ends between two measurements; finished outcomes are kept. Does not wait.
  void cancel() noexcept { stop_ = true; }

  struct State {
    bool busy = false, cancelling = false;
    const Lesson* lesson = nullptr;    // under way
    std::size_t done = 0, wanted = 0;  // lessons
    double share = 0;                  // of the one under way
    std::string machine;               // the machine measured; empty before the first
    bool operator==(const State&) const = default;
  };
  State state() const;
  // The outcomes since the last call.
  std::vector<Outcome> take();

 private:
  struct Stopped {};
  void measure(const std::vector<Request>& requests, double seconds);

  std::string device_;
  int threads_;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;  // of state_, outcomes_
  State state_;
  std::vector<Outcome> outcomes_;
  std::thread thread_;
};

// The devices for such a choice: the CPU, and the GPU unless excluded; no_cuda has the reason if there is none.
Bench benchOf(const std::string& device, int threads);

}  // namespace simscope::lab
