// Measures the cost of a step on several devices, one after the other, on its own thread, with its own devices and
// simulations. The session's run is not affected, and the window does not wait.
//
// Owner: of its thread. Thread: call all members from one thread. Errors: none are thrown; a device without a time has
// the reason (`failure`).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sims/core/description.h"

namespace simscope {

class Session;

struct StepTime {
  compute::DeviceInfo device;  // the device measured
  std::string method = {};     // how the state was advanced
  double step_us = 0;          // of the fastest batch: slower ones were delayed by other work
  int batches = 0;
  std::int64_t batch_steps = 0;
  std::string failure = {};  // why there is no time; empty: there is one
};

// "cpu, 8 threads", "cuda:0".
std::string deviceName(const compute::DeviceInfo& device);
// "best of 12 batches of 4096 steps".
std::string countText(const StepTime& time);
// "A step takes 15 times as long on cpu, 8 threads as on cuda:0."
std::string comparisonText(const std::string& one, double one_us, const std::string& other, double other_us);
// The slowest and the fastest measured; empty with fewer than two.
std::string comparisonText(const std::vector<StepTime>& times);

// Measures from the run's start, with a simulation of its own, and waits. Takes about `seconds`, or as long as the
// start and two steps if that is longer. `between` is called between two batches, and may throw. run_steps: the number
// of steps after which a run comes to rest, if it does (Throughput::comes_to_rest); 0: not known. UsageError if the
// simulation needs more than half of the device's free memory: the run's own memory grows, too. Other errors as
// Simulation's.
StepTime timeStep(const Description& description, const ParameterSet& parameters, std::uint64_t seed,
                  std::int64_t run_steps, const compute::DevicePtr& device, double seconds,
                  const std::function<void()>& between = {});

class DeviceComparison {
 public:
  static constexpr double kSeconds = 0.5;  // per device
  struct Contestant {
    std::string device;  // as Device::open takes it
    int threads = 0;
  };
  struct Order {
    const Description* description = nullptr;
    ParameterSet parameters;
    std::uint64_t seed = 0;
    std::int64_t run_steps = 0;  // see timeStep
    std::vector<Contestant> contestants;
    double seconds = kSeconds;
  };

  DeviceComparison() = default;
  // Waits for the present batch.
  ~DeviceComparison();
  DeviceComparison(const DeviceComparison&) = delete;
  DeviceComparison& operator=(const DeviceComparison&) = delete;

  // Does nothing while a measurement is under way.
  void start(Order order);
  // Ends between two batches and discards the results. Does not wait.
  void cancel() noexcept { stop_ = true; }
  // Whether the present or last measurement is of this problem: parameters that apply at once are ignored.
  bool isOf(const Description& description, const ParameterSet& parameters) const;

  struct State {
    bool running = false;
    std::string device;           // being measured
    std::vector<StepTime> times;  // of the last measurement not cancelled, in its contestants' order
    std::uint64_t news = 0;       // increases with every change
  };
  State state() const;

 private:
  struct Stopped {};
  void measure();
  void report(const std::function<void(State&)>& change);

  Order order_;  // of the thread, during a measurement
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;  // guards state_
  State state_;
  std::thread thread_;
};

// The session's run on the CPU and on a GPU: its own GPU, else the first. Without a GPU: on all of the CPU's threads
// and on one. Fewer than two contestants if there is nothing to compare: on one core, or for a script's array.
DeviceComparison::Order comparisonOf(const Session& session);

}  // namespace simscope
