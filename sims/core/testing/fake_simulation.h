// A simulation for the core's own tests: a row of numbers on the CPU, each multiplied by `growth` at every step.
// With growth 10, numbers that start at 1 to 2 overflow float32 at step 39: the first state with Inf in it. It takes
// 16 bytes a cell: the row and three frames. Its tool `watch` only observes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <initializer_list>
#include <mutex>
#include <utility>
#include <vector>

#include "sims/core/describe.h"
#include "sims/core/simulation.h"

namespace simscope::fake {

constexpr std::int64_t kFirstBadStepFromOne = 39;

// Simulations alive now, and the calls of step() since they were last taken.
struct Counts {
  std::atomic<int> alive{0};
  void addBatch(int steps);
  std::vector<int> takeBatches();
  std::atomic<double> memory_factor{1};  // of the memory in the description
  std::atomic<std::size_t> padding{0};   // floats that a state has besides
  std::atomic<int> copied{0};            // how often they were
  std::atomic<int> diagnostics{0};       // calls since the start
  std::atomic<int> diagnostics_ms{0};    // duration of each of them
  std::atomic<int> poke_ms{0};           // duration of each stroke's event
  std::atomic<bool> stands{false};       // steps that change nothing visible
  std::atomic<bool> waits{false};        // steps that wait for others
  std::atomic<double> timed_ms{0};       // the device's timed total before the last step

 private:
  std::mutex mutex_;
  std::vector<int> batches_;
};
Counts& counts();

// A gate in every step; a test closes it to hold the run in the middle of a step.
class Gate {
 public:
  void close();
  void open();
  void pass();          // the simulation's side
  void awaitArrival();  // until a step waits at the closed gate (60 s at most)

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  int waiting_ = 0;
};
Gate& gate();

const Description& description();
const Description& otherDescription();  // the same with another id, one channel, and no parameters

// The defaults with some parameters changed.
inline ParameterSet with(std::initializer_list<std::pair<const char*, const char*>> changes) {
  ParameterSet set = description().defaults();
  for (const auto& [key, value] : changes) set.setText(key, value);
  return set;
}

}  // namespace simscope::fake
