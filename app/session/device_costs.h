// What the run has cost on each device in this session, and what its frames' way to the figure has: measured beside
// each other, as long as the problem stays the same. Plain data; one thread.
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
  // Takes what the run tells. Another simulation, or a parameter that restarts it, begins anew.
  void note(const RunnerStatus& status);
  const std::vector<Cost>& costs() const noexcept { return costs_; }
  const Cost* find(const std::string& device) const noexcept;
  // How many times as long a step takes on the first as on the second; nothing before both were measured.
  std::optional<double> ratio(const std::string& slower, const std::string& faster) const;
  // The fastest and the slowest of two or more, as a sentence; empty where there is nothing to compare.
  std::string sentence() const;

 private:
  const Description* description_ = nullptr;
  ParameterSet parameters_;
  std::vector<Cost> costs_;  // in the order in which they were measured first
};

// Milliseconds and bytes a frame, smoothed, by the way that it took.
class TransferCosts {
 public:
  struct Cost {
    double milliseconds = 0;
    double host_bytes = 0;
    int frames = 0;
  };
  // Once a frame: `sequence` tells them apart.
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
