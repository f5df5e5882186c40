// The run's cost on each device in this session, and the cost of transferring its frames to the figure, compared as
// long as the problem stays the same. Plain data; one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/render/gl/transfer.h"
#include "sims/core/run/runner.h"

namespace simscope {

class DeviceCosts {
 public:
  struct Cost {
    compute::DeviceInfo device;
    std::string method;
    double step_us = 0;
  };
  // Adds what the run reports. Another simulation, or a parameter that restarts it, clears the costs.
  void note(const RunnerStatus& status);
  const std::vector<Cost>& costs() const noexcept { return costs_; }
  const Cost* find(const std::string& device) const noexcept;
  // The ratio of the step times, first to second; nothing before both were measured.
  std::optional<double> ratio(const std::string& slower, const std::string& faster) const;
  // The fastest and the slowest of two or more devices, as a sentence; empty with fewer than two.
  std::string sentence() const;

 private:
  const Description* description_ = nullptr;
  ParameterSet parameters_;
  std::vector<Cost> costs_;  // in the order of their first measurement
};

// Milliseconds and bytes per frame, smoothed, for each kind of transfer.
class TransferCosts {
 public:
  struct Cost {
    double milliseconds = 0;
    double host_bytes = 0;
    int frames = 0;
  };
  // Once per frame: `sequence` identifies the frame.
  void note(const render::TransferReport& report, std::uint64_t sequence);
  void forget() { *this = {}; }
  const Cost& of(render::TransferPath path) const { return costs_[static_cast<std::size_t>(path)]; }

 private:
  std::uint64_t seen_ = 0;
  Cost costs_[4];
};

// "2.32 µs", "1.50 ms".
std::string microsecondsText(double microseconds);

}  // namespace simscope
