// Measures the cost of a step on several devices, one after the other, on its own thread, with its own devices and
// simulations. The run is not touched, and the window does not wait.
//
// Owner: its thread. Thread: all members from one thread, any. Errors: none are thrown; why a device has no time is
// told with it.
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
  compute::DeviceInfo device;  // that it was measured on
  std::string method = {};     // how the state was advanced there
  double step_us = 0;          // of the fastest batch: others were held up by something else
  int batches = 0;
  std::int64_t batch_steps = 0;
  std::string failure = {};  // why nothing was measured; empty: it was
};

// "cpu, 8 threads", "cuda:0".
std::string deviceName(const compute::DeviceInfo& device);
// "best of 12 batches of 4096 steps".
std::string countText(const StepTime& time);
// "A step takes 15 times as long on cpu, 8 threads as on cuda:0."
std::string comparisonText(const std::string& one, double one_us, const std::string& other, double other_us);
// The slowest and the fastest that were measured; empty where there are not two.
std::string comparisonText(const std::vector<StepTime>& times);

// From the run's start, with a simulation that is gone afterwards; waits. Takes about so many seconds, or the start and
// two steps where those take longer; `between` is called between two batches, and may throw. run_steps: after which a
// run comes to rest, where it does (Throughput::comes_to_rest); 0: not known. UsageError where the simulation takes
// more than half of what the device has free: the run's own memory grows, too. Otherwise as Simulation.
StepTime timeStep(const Description& description, const ParameterSet& parameters, std::uint64_t seed,
                  std::int64_t run_steps, const compute::DevicePtr& device, double seconds,
                  const std::function<void()>& between = {});

class DeviceComparison {
 public:
  static constexpr double kSeconds = 0.5;  // a device
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
  // Waits for the batch under way.
  ~DeviceComparison();
  DeviceComparison(const DeviceComparison&) = delete;
  DeviceComparison& operator=(const DeviceComparison&) = delete;

  // Nothing while one is under way.
  void start(Order order);
  // It ends between two batches, and leaves nothing. Does not wait.
  void cancel() noexcept { stop_ = true; }
  // Whether what is measured, or was last, is of this problem: parameters that act at once do not count.
  bool isOf(const Description& description, const ParameterSet& parameters) const;

  struct State {
    bool running = false;
    std::string device;           // under way
    std::vector<StepTime> times;  // of the last one that was not cancelled, in the order of its contestants
    std::uint64_t news = 0;       // grows with every change
  };
  State state() const;

 private:
  struct Stopped {};
  void measure();
  void report(const std::function<void(State&)>& change);

  Order order_;  // of the thread, while there is one under way
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;  // of state_
  State state_;
  std::thread thread_;
};

// The session's run on the CPU and on a GPU: its own, else the first. Where there is no GPU, on all of the CPU's
// threads and on one. Fewer than two contestants: there is nothing to compare, on one core or of a script's array.
DeviceComparison::Order comparisonOf(const Session& session);

}  // namespace simscope
